import { isRetryable, messageOf, ProblemError } from "../api/problem";
import type {
  FieldError,
  InterventionBody,
  InterventionReply,
  Job,
  Pause,
  SubjectAnswer,
} from "../api/types";
import { backOff, type Clock } from "../clock";
import { ShapeDocument } from "../editor/editorDoc";
import type { Shape } from "../editor/shapes";
import { Observable } from "../observable";
import { type BoxRow, boxRows } from "./boxRows";
import { shapeOfBox, subjectOfShape } from "./boxShapes";
import { applyProposal, isEmptyProposal, type Proposal, proposalOf } from "./proposal";

export type AnswerPhase = "editing" | "sending" | "retrying" | "refused";

export interface PanelState {
  jobId: string;
  pause: Pause;
  actions: readonly string[];
  phase: AnswerPhase;
  /** The boxes changed under the person, and the edits were carried over: look again before answering. */
  carriedOver: boolean;
  message: string | null;
  errors: FieldError[];
}

export interface PanelStorage {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
}

export interface PanelOptions {
  intervene: (jobId: string, body: InterventionBody) => Promise<InterventionReply>;
  newId: () => string;
  clock: Clock;
  random: () => number;
  storage: PanelStorage;
  onDocument: (doc: ShapeDocument | null) => void;
  onAnswered: (reply: InterventionReply) => void;
  /** A 409 brought the job as it is now. */
  onSnapshot: (job: Job) => void;
  onLockHeld: (error: ProblemError) => void;
  /** The pause is over without the person's answer, and there were edits; they wait for the next pause. */
  onEditsLeft: () => void;
}

interface Kept {
  proposal: Proposal;
  attempt: InterventionBody | null;
}

/** The panel of one job's pause: the boxes as shown, the person's edits, and the answer. */
export class PausePanel {
  readonly state = new Observable<PanelState | null>(null);
  #shown: Shape[] = [];
  #doc: ShapeDocument | null = null;
  /** The answer on its way. The same body goes again until somebody says yes or no. */
  #attempt: InterventionBody | null = null;
  #tries = 0;
  #cancelRetry: (() => void) | null = null;
  /** Edits whose pause is over; offered when the job pauses again. */
  #left: Proposal | null = null;
  /** What the stream told while an answer was on its way; the answer's reply comes first. */
  #deferred: Job | null = null;

  constructor(private readonly options: PanelOptions) {}

  get shown(): readonly Shape[] {
    return this.#shown;
  }

  get document(): ShapeDocument | null {
    return this.#doc;
  }

  /** The job as the server tells it: opens, rebuilds or folds the panel. Never guesses from the status. */
  show(job: Job): void {
    if (this.isSending) {
      // It may be our own answer that consumed the pause: wait for its reply before anything is folded.
      this.#deferred = job;
      return;
    }
    const pause = job.active_pause;
    const waits = pause?.status === "WAITING" && job.pending_actions.includes("SUBMIT_BOX_LIST");
    if (!pause || !waits) {
      if (this.state.get()?.jobId === job.job_id) this.#fold(true);
      return;
    }
    const open = this.state.get();
    if (
      open &&
      open.pause.pause_token === pause.pause_token &&
      open.pause.base_version === pause.base_version
    )
      return;
    if (open && this.#doc) this.#left = proposalOf(this.#shown, this.#doc.store.all());
    this.#open(job, pause);
  }

  rows(): BoxRow[] {
    const state = this.state.get();
    return state && this.#doc ? boxRows(this.#shown, this.#doc.store.all(), state.pause) : [];
  }

  /** Brings a removed box back, as it was shown. */
  restore(id: string): void {
    const shape = this.#shown.find((candidate) => candidate.id === id);
    if (!shape || !this.#doc || this.#doc.store.get(id) || this.isSending) return;
    this.#doc.undo.mark();
    this.#doc.store.create(shape);
  }

  get isSending(): boolean {
    const phase = this.state.get()?.phase;
    return phase === "sending" || phase === "retrying";
  }

  /** What the answer would carry now. */
  buildAnswer(): InterventionBody | null {
    const state = this.state.get();
    if (!state || !this.#doc) return null;
    const order = new Map(this.#shown.map((shape, index) => [shape.id, index]));
    const now = [...this.#doc.store.all()].sort(
      (a, b) => (order.get(a.id) ?? 1e6) - (order.get(b.id) ?? 1e6),
    );
    const subjects = now.map(subjectOfShape).filter((subject): subject is SubjectAnswer => subject !== null);
    const kept = new Set(subjects.map((subject) => subject.box_id));
    return {
      intervention_id: this.options.newId(),
      pause_token: state.pause.pause_token,
      base_version: state.pause.base_version,
      subjects,
      deleted_box_ids: this.#shown.map((shape) => shape.id).filter((id) => !kept.has(id)),
    };
  }

  /** Sends the answer. Pressed twice, or again after a lost reply, it is the same answer. */
  async answer(): Promise<void> {
    const state = this.state.get();
    if (!state || state.phase === "sending") return;
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    this.#attempt ??= this.buildAnswer();
    const attempt = this.#attempt;
    if (!attempt) return;
    this.#keep();
    this.#patch({ phase: "sending", message: null, errors: [], carriedOver: false });
    try {
      const reply = await this.options.intervene(state.jobId, attempt);
      if (this.#attempt !== attempt) return;
      this.#fold(false);
      this.options.onAnswered(reply);
      this.#showDeferred();
    } catch (error) {
      if (this.#attempt === attempt) this.#failed(error);
    }
  }

  /** Remembers the edits over a reload. */
  keepEdits(): void {
    if (this.state.get()) this.#keep();
  }

  /** The browser is back online. */
  online(): void {
    if (this.state.get()?.phase === "retrying") void this.answer();
  }

  #open(job: Job, pause: Pause): void {
    this.#cancelRetry?.();
    this.#attempt = null;
    this.#tries = 0;
    this.#shown = (job.box_list?.boxes ?? []).map(shapeOfBox);
    const kept = this.#kept(pause.pause_token);
    const proposal = kept?.proposal ?? this.#left;
    const carriedOver = !kept && !!this.#left && !isEmptyProposal(this.#left);
    this.#left = null;
    const shapes = proposal ? applyProposal(this.#shown, proposal, this.options.newId) : this.#shown;
    this.#doc = new ShapeDocument("panel", shapes, { policy: "segment" });
    this.state.set({
      jobId: job.job_id,
      pause,
      actions: job.pending_actions,
      phase: "editing",
      carriedOver,
      message: null,
      errors: [],
    });
    this.#doc.store.listen(() => {
      const phase = this.state.get()?.phase;
      if (phase === "refused") this.#patch({ phase: "editing" });
      this.#keep();
    });
    this.options.onDocument(this.#doc);
    if (kept?.attempt) {
      // An answer was sent and its reply never seen: only the same answer again can tell.
      this.#attempt = kept.attempt;
      void this.answer();
    }
  }

  #fold(keepEdits: boolean): void {
    this.#cancelRetry?.();
    const state = this.state.get();
    if (state) this.options.storage.remove(storageKey(state.pause.pause_token));
    if (keepEdits && this.#doc) {
      const proposal = proposalOf(this.#shown, this.#doc.store.all());
      this.#left = isEmptyProposal(proposal) ? null : proposal;
    } else this.#left = null;
    this.#attempt = null;
    this.#doc = null;
    this.#shown = [];
    this.state.set(null);
    this.options.onDocument(null);
    if (this.#left) this.options.onEditsLeft();
  }

  #failed(error: unknown): void {
    if (isRetryable(error)) {
      this.#tries += 1;
      this.#patch({ phase: "retrying", message: messageOf(error) });
      const asked = error instanceof ProblemError ? (error.retryAfter ?? 0) * 1000 : 0;
      const delay = Math.max(asked, backOff(this.#tries, this.options.random));
      this.#cancelRetry = this.options.clock.after(delay, () => void this.answer());
      return;
    }
    // The server has answered no, so this attempt is over and the next one is another.
    this.#attempt = null;
    this.#tries = 0;
    const problem = error instanceof ProblemError ? error : null;
    this.#patch({ phase: "refused", message: messageOf(error), errors: problem?.errors ?? [] });
    this.#keep();
    if (problem?.code === "LOCK_HELD") this.options.onLockHeld(problem);
    if (problem?.status === 409 && problem.body.snapshot) this.#rebuild(problem.body.snapshot as Job);
    else this.#showDeferred();
  }

  #showDeferred(): void {
    const job = this.#deferred;
    this.#deferred = null;
    if (job) this.show(job);
  }

  /** The panel follows the snapshot; the person's edits stay as a proposal on the new list. */
  #rebuild(job: Job): void {
    const message = this.state.get()?.message ?? null;
    this.#deferred = null;
    this.show(job);
    if (this.state.get()) this.#patch({ message });
    this.options.onSnapshot(job);
  }

  #patch(part: Partial<PanelState>): void {
    const state = this.state.get();
    if (state) this.state.set({ ...state, ...part });
  }

  #keep(): void {
    const state = this.state.get();
    if (!state || !this.#doc) return;
    const kept: Kept = { proposal: proposalOf(this.#shown, this.#doc.store.all()), attempt: this.#attempt };
    const key = storageKey(state.pause.pause_token);
    if (!kept.attempt && isEmptyProposal(kept.proposal)) this.options.storage.remove(key);
    else this.options.storage.set(key, JSON.stringify(kept));
  }

  #kept(token: string): Kept | null {
    const text = this.options.storage.get(storageKey(token));
    if (!text) return null;
    try {
      return JSON.parse(text) as Kept;
    } catch {
      return null;
    }
  }
}

function storageKey(token: string): string {
  return `countersign.panel.${token}`;
}
