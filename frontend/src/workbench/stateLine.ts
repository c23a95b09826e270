import type { Job, JobStatus, ModelRun, Reopening } from "../api/types";
import { TERMINAL_JOB } from "../api/types";
import type { MessageKey } from "../i18n";
import type { PanelState } from "../panel/pausePanel";
import type { PageState } from "./pageState";
import { hasDecided, isClaimed, openPins, rejectionOf, reopeningOf, type Situation } from "./permissions";

export interface StateLine {
  tone: "info" | "ok" | "warn" | "seal" | "plain";
  badge: MessageKey;
  text: MessageKey;
  params?: Record<string, string | number>;
  hint?: MessageKey;
  /** Words that come from the server, shown as they are. */
  detail?: string;
  progress?: { done: number; total: number } | "unknown";
}

const JOB_TEXT: Partial<Record<JobStatus, MessageKey>> = {
  CREATED: "job.created",
  DETECTING: "job.detecting",
  VALIDATING_MANUAL_BOXES: "job.validating",
  PROCESSING_APPROVED_SUBJECTS: "job.processing",
  FINALIZING_RESULTS: "job.finalizing",
};

/** In words, what state this is and what is asked of the person: the most urgent thing first. */
export function stateLine(situation: Situation, panel: PanelState | null): StateLine {
  const { page, lock, session } = situation;
  if (page.signedOut) return { tone: "seal", badge: "state.needsYou", text: "state.signedOut" };
  if (session.phase === "conflict") {
    const params = { count: session.conflicts.length };
    return { tone: "seal", badge: "state.needsYou", text: "state.conflict", params };
  }
  if (lock.kind === "lost") {
    const text = session.edits > 0 ? "state.lockLost" : "state.lockLostSaved";
    return { tone: "seal", badge: "state.readOnly", text };
  }
  if (session.phase === "invalid") {
    return { tone: "seal", badge: "state.needsYou", text: "state.invalid", detail: session.message ?? "" };
  }
  if (session.phase === "refused") {
    return { tone: "seal", badge: "state.readOnly", text: "state.refused", detail: session.message ?? "" };
  }
  if (lock.kind === "other") {
    const name = lock.lock.user.name || lock.lock.user.username;
    return { tone: "warn", badge: "state.readOnly", text: "state.other", params: { name } };
  }
  if (panel) return panelLine(panel, page.job);
  if (page.job && !TERMINAL_JOB.has(page.job.status))
    return jobLine(page.job, Object.keys(page.finished).length);
  if (situation.run) return runLine(situation.run);
  return taskLine(situation);
}

function panelLine(panel: PanelState, job: Job | null): StateLine {
  if (panel.phase === "sending")
    return { tone: "info", badge: "state.sending", text: "state.answerSending", progress: "unknown" };
  if (panel.phase === "retrying")
    return { tone: "warn", badge: "state.offline", text: "state.answerRetrying", progress: "unknown" };
  const revision = panel.pause.stage === "WAITING_BOX_BATCH_REVISION";
  const others = (job?.box_list?.boxes.length ?? 0) - panel.pause.problems.length;
  const unanswered = job?.job_id === panel.jobId ? job.if_unanswered : undefined;
  const minutes = Math.ceil((unanswered?.after_seconds ?? 0) / 60);
  const params = { count: panel.pause.problems.length, minutes };
  if (panel.phase === "refused") {
    return {
      tone: "seal",
      badge: "state.needsYou",
      text: "state.answerRefused",
      detail: panel.message ?? "",
    };
  }
  if (panel.carriedOver) return { tone: "warn", badge: "state.needsYou", text: "state.carriedOver" };
  return {
    tone: revision ? "warn" : "info",
    badge: "state.waitingForYou",
    text: revision ? "panel.revision" : "panel.selection",
    params,
    hint: unanswered
      ? "panel.defaultHint"
      : revision && others > 0
        ? "panel.revisionHint"
        : "panel.selectionHint",
  };
}

function jobLine(job: Job, finished: number): StateLine {
  const progress = progressOf(job, finished);
  return {
    tone: "info",
    badge: "state.working",
    text: jobText(job.status, progress.total),
    params: progress,
    progress: progress.total > 0 ? progress : "unknown",
  };
}

/** Between an answer and the first cut-out nobody knows yet how many there are. */
function jobText(status: JobStatus, total: number): MessageKey {
  if (status === "PROCESSING_APPROVED_SUBJECTS" && total === 0) return "job.processingSoon";
  return JOB_TEXT[status] ?? "job.working";
}

const RUN_TEXT: Record<string, MessageKey> = {
  DETECT_REGION: "run.region",
  JUDGE_CANDIDATES: "run.judge",
  DETECT_SUBJECTS: "job.detecting",
};

/** A model run outside a job: the draft can be worked on meanwhile. */
function runLine(run: ModelRun): StateLine {
  const { done, total } = run.progress;
  return {
    tone: "info",
    badge: "state.working",
    text: RUN_TEXT[run.kind] ?? "job.working",
    hint: "run.goOn",
    progress: total > 0 ? { done, total } : "unknown",
  };
}

/** While boxes are cut out, boxes count; a child run's own steps would jump to and fro. */
function progressOf(job: Job, finished: number): { done: number; total: number } {
  const told = { done: job.progress?.done ?? 0, total: job.progress?.total ?? 0 };
  if (job.status !== "PROCESSING_APPROVED_SUBJECTS") return told;
  const boxes = job.approved_box_list?.boxes.filter((box) => box.target_policy !== "skip").length ?? 0;
  if (!boxes) return told;
  return { done: told.total === boxes ? Math.max(finished, told.done) : finished, total: boxes };
}

function taskLine(situation: Situation): StateLine {
  const { page, lock } = situation;
  const { task, editor, job } = page;
  const decision = rejectionOf(task);
  if (task.status === "completed") return { tone: "ok", badge: "state.done", text: "state.completed" };
  if (task.status === "uploading")
    return { tone: "info", badge: "state.working", text: "state.uploading", progress: "unknown" };
  if (task.status === "review") {
    return {
      tone: "info",
      badge: "state.review",
      text: reviewText(situation),
    };
  }
  if (job?.status === "FAILED") {
    return { tone: "seal", badge: "state.failed", text: "job.failed", detail: job.failure?.message ?? "" };
  }
  if (decision && openPins(page) + (editor.is_confirmed ? 0 : 1) > 0) {
    const name = decision.by.name || decision.by.username;
    return {
      tone: "warn",
      badge: "state.sentBack",
      text: "state.rejected",
      params: { name },
      detail: decision.reason ?? "",
    };
  }
  const reopening = reopeningOf(page);
  if (reopening && (task.status === "pending" || !editor.is_confirmed)) return reopenedLine(reopening);
  if (page.role === "viewer") return lookingLine(page);
  if (task.status === "pending" && job && TERMINAL_JOB.has(job.status)) return finishedLine(job);
  if (task.status === "pending")
    return { tone: "plain", badge: "state.pending", text: "state.pendingText", hint: "state.pendingHint" };
  if (lock.kind !== "held") return { tone: "plain", badge: "state.readOnly", text: "state.notHeld" };
  if (editor.is_confirmed) {
    return {
      tone: "ok",
      badge: "state.confirmed",
      text: "state.confirmedText",
      params: { revision: task.annotation_revision ?? editor.annotation?.revision ?? 0 },
    };
  }
  if (job && TERMINAL_JOB.has(job.status)) return finishedLine(job);
  return { tone: "plain", badge: "state.inProgress", text: "state.inProgressText" };
}

function reopenedLine({ by, reason }: Reopening): StateLine {
  const params = { name: by?.name || by?.username || "" };
  return { tone: "warn", badge: "reopened.badge", text: "reopened.text", params, detail: reason };
}

/** A viewer is asked for nothing, and can press nothing. */
function lookingLine({ task }: PageState): StateLine {
  return task.status === "pending"
    ? { tone: "plain", badge: "state.pending", text: "view.notStarted" }
    : { tone: "plain", badge: "state.inProgress", text: "view.unfinished" };
}

function reviewText(situation: Situation): MessageKey {
  if (hasDecided(situation.page)) return "state.reviewDecided";
  return isClaimed(situation) ? "state.reviewMine" : "state.reviewOpen";
}

function finishedLine(job: Job): StateLine {
  if (job.status === "EMPTY_SELECTION") return { tone: "plain", badge: "state.done", text: "job.empty" };
  if (job.status === "CANCELLED") return { tone: "plain", badge: "state.cancelled", text: "job.cancelled" };
  if (job.status === "PARTIAL_SUCCEEDED")
    return { tone: "warn", badge: "state.partial", text: "job.partial" };
  return { tone: "ok", badge: "state.done", text: "job.succeeded" };
}
