import {
  type Decision,
  type ModelRun,
  type Pin,
  type Reopening,
  type Task,
  TERMINAL_JOB,
} from "../api/types";
import type { MessageKey } from "../i18n";
import type { LockState } from "../session/lockKeeper";
import type { SessionState } from "../session/sessionState";
import type { PageState } from "./pageState";

/** `null` when it may be done now, else the message that says why not: every dead button explains itself. */
export type Why = MessageKey | null;

export interface Situation {
  page: PageState;
  lock: LockState;
  session: SessionState;
  panelOpen: boolean;
  itemCount: number;
  /** The run outside a job that goes on. */
  run?: ModelRun | null;
}

const WORKS = new Set(["annotator", "reviewer", "project_admin", "super_admin"]);
const REVIEWS = new Set(["reviewer", "project_admin", "super_admin"]);

/** Work in progress or to be begun: the model's finds are of use. */
export function isOpen(task: Task): boolean {
  return task.status === "pending" || task.status === "in_progress";
}

export function canReview(page: PageState): boolean {
  return REVIEWS.has(page.role);
}

export function hasLiveJob(page: PageState): boolean {
  return page.job !== null && !TERMINAL_JOB.has(page.job.status);
}

export function isBlocked(session: SessionState): boolean {
  return session.phase === "lock_lost" || session.phase === "refused";
}

/** Why the draft or the panel cannot be changed. */
export function whyReadOnly({ page, lock, session, panelOpen }: Situation): Why {
  const { status } = page.task;
  if (!WORKS.has(page.role)) return "why.viewer";
  if (lock.kind === "lost" && !lock.lock) return "why.lost";
  if (lock.kind === "other" || lock.kind === "lost") return "why.heldByOther";
  if (!panelOpen && isBlocked(session)) return "why.sessionBlocked";
  if (status === "completed") return "why.completed";
  if (status === "uploading") return "why.uploading";
  if (status === "review") {
    if (!canReview(page)) return "why.inReview";
    return lock.kind === "held" ? null : "why.claimReviewFirst";
  }
  if (panelOpen || status === "pending") return null;
  return lock.kind === "held" ? null : "why.startFirst";
}

export function whyNoStart({ page, lock }: Situation): Why {
  if (!WORKS.has(page.role)) return "why.viewer";
  if (lock.kind === "other" || (lock.kind === "lost" && lock.lock)) return "why.heldByOther";
  return isOpen(page.task) ? null : "why.wrongStatus";
}

export function whyNoRun(situation: Situation): Why {
  const { page, lock } = situation;
  if (!WORKS.has(page.role)) return "why.viewer";
  if (hasLiveJob(page)) return "why.jobLives";
  if (situation.run) return "why.runActive";
  if (lock.kind === "other" || (lock.kind === "lost" && lock.lock)) return "why.heldByOther";
  if (page.task.status === "review" && lock.kind !== "held") return "why.claimReviewFirst";
  if (page.task.status === "completed" || page.task.status === "uploading") return "why.wrongStatus";
  return null;
}

/** Why no region can be marked: the reason of its own before the tool's general one. */
export function whyNoArea(situation: Situation, tool: "tool.noArea" | Why): Why {
  if (!tool) return null;
  return whyReadOnly(situation) ?? whyNoRun(situation) ?? (situation.panelOpen ? "why.jobLives" : tool);
}

/** The judge chooses among candidates that are there. */
export function whyNoJudge(situation: Situation): Why {
  const why = whyNoRun(situation);
  if (why) return why;
  return situation.page.editor.candidates.items.length ? null : "why.noCandidates";
}

function whyNotSettled(session: SessionState): Why {
  if (session.phase === "conflict") return "why.conflict";
  if (session.phase === "invalid") return "why.invalid";
  if (session.phase === "signed_out") return "why.signedOut";
  return null;
}

export function whyNoConfirm(situation: Situation): Why {
  const { page, session } = situation;
  const closed = whyReadOnly({ ...situation, panelOpen: false });
  if (closed) return closed;
  if (page.task.status === "pending") return "why.startFirst";
  if (hasLiveJob(page)) return "why.jobLives";
  if (page.editor.is_confirmed && session.edits === 0) return "why.alreadyConfirmed";
  return whyNotSettled(session) ?? whyCount(situation);
}

/** The count that the question asks for; the server checks it again at confirm. */
function whyCount({ page, itemCount }: Situation): Why {
  const { selection_mode: mode, targets } = page.editor.config;
  if (mode === "single" && itemCount !== 1) return "why.exactlyOne";
  if (mode === "all" && itemCount < 1) return "why.atLeastOne";
  if (mode === "ordered" && itemCount !== targets.length) return "why.asManyAsTargets";
  return null;
}

export function whyNoSubmit(situation: Situation): Why {
  const { page, session, lock } = situation;
  if (page.task.status !== "in_progress")
    return page.task.status === "pending" ? "why.startFirst" : "why.wrongStatus";
  if (!WORKS.has(page.role)) return "why.viewer";
  if (lock.kind !== "held") return "why.startFirst";
  if (hasLiveJob(page)) return "why.jobLives";
  if (openPins(page) > 0) return "why.pinsOpen";
  if (!page.editor.is_confirmed || session.edits > 0) return "why.notConfirmed";
  return whyNotSettled(session);
}

export function whyNoWithdraw({ page, lock }: Situation): Why {
  if (page.task.status !== "in_progress") return "why.wrongStatus";
  return lock.kind === "held" ? null : "why.startFirst";
}

/** Several reviewers decide: each has a claim of their own, and the lock is for corrections only. */
export function isQuorum({ editor }: PageState): boolean {
  return (editor.review?.required ?? 1) > 1;
}

export function hasDecided({ editor, me }: PageState): boolean {
  return editor.review?.decisions.some(({ by }) => String(by.id) === String(me.id)) ?? false;
}

/** The review is claimed: by the lock, or with several reviewers by an assignment. */
export function isClaimed({ page, lock }: Situation): boolean {
  return isQuorum(page) ? (page.editor.review?.claimed ?? false) : lock.kind === "held";
}

export function whyNoReviewClaim({ page, lock }: Situation): Why {
  if (hasDecided(page)) return "why.decided";
  return lock.kind === "other" && !isQuorum(page) ? "why.heldByOther" : null;
}

/** Confirmed, and then the question was changed: the draft itself was not touched. */
function isOfOtherQuestion({ page: { editor } }: Situation): boolean {
  const { annotation, config, draft } = editor;
  return annotation?.draft_version === draft?.version && annotation?.config_version !== config.version;
}

export function whyNoApproval(situation: Situation): Why {
  const why = whyNoDecision(situation);
  return why ?? (situation.page.editor.is_confirmed ? null : "why.otherQuestion");
}

/** Why it can be sent back neither. */
export function whyNoDecision(situation: Situation): Why {
  const { page, session } = situation;
  if (!canReview(page)) return "why.notReviewer";
  if (page.task.status !== "review") return "why.wrongStatus";
  if (hasDecided(page)) return "why.decided";
  if (!isClaimed(situation)) return "why.claimReviewFirst";
  if (session.edits > 0) return "why.confirmCorrection";
  if (!page.editor.is_confirmed && !isOfOtherQuestion(situation)) return "why.confirmCorrection";
  return page.task.annotation_revision === null ? "why.notConfirmed" : null;
}

/** Whom the page takes for the one who handed it in: the assignee, who held it last. The server knows. */
export function whyNoRecall({ page, lock }: Situation): Why {
  if (!WORKS.has(page.role)) return "why.viewer";
  if (lock.kind === "other") return "why.heldByOther";
  return String(page.task.assignee?.id ?? "") === String(page.me.id) ? null : "why.notHandedIn";
}

export function whyNoSendBack(reason: string, pins: readonly { text: string }[]): Why {
  if (!reason.trim()) return "why.reasonMissing";
  return pins.every((pin) => pin.text.trim()) ? null : "why.pinTextMissing";
}

/** Who may hold the task in its present status; in review only those who decide. */
export function mayHold(page: PageState): boolean {
  return page.task.status === "review" ? canReview(page) : WORKS.has(page.role);
}

/** What somebody who looks at another's work may expect. */
export function whileOthersHold(page: PageState): MessageKey {
  if (!WORKS.has(page.role)) return page.editor.annotation ? "lock.forViewer" : "lock.forViewerEmpty";
  if (page.task.status !== "review") return "lock.readOnly";
  if (canReview(page)) return isQuorum(page) ? "lock.quorum" : "lock.readOnly";
  return String(page.task.assignee?.id ?? "") === String(page.me.id) ? "lock.inReviewMine" : "lock.inReview";
}

/** Why finished work is open again, until it is handed in. */
export function reopeningOf({ task, editor }: PageState): Reopening | null {
  return isOpen(task) ? (editor.reopened ?? null) : null;
}

export function openPins(page: PageState): number {
  return (rejectionOf(page.task)?.pins ?? []).filter((pin) => !isAnswered(pin)).length;
}

export function isAnswered(pin: Pin): boolean {
  // An answer may be empty: "done" without words.
  return pin.answer !== null;
}

/** The rejection that brought the task back, if it is still to be worked off. */
export function rejectionOf(task: Task): Decision | null {
  const decision = task.last_decision;
  if (decision?.decision !== "reject") return null;
  return isOpen(task) ? decision : null;
}
