import type { LockCredentials } from "../api/calls";
import { isRetryable, messageOf, ProblemError } from "../api/problem";
import type { EditorSnapshot, SaveReply } from "../api/types";
import { backOff, type Clock } from "../clock";
import { Observable } from "../observable";
import { Copies, joinedWith } from "./copies";
import {
  type Base,
  baseAfter,
  baseOf,
  buildPending,
  countEdits,
  type EditorDocument,
  type Pending,
  same,
  withQuestion,
} from "./document";
import { applyChoices, type Choice, type MergeConflict, mergeDocuments } from "./merge";
import type { Backup, RecoveryRecord, RecoveryStore } from "./recovery";
import { type Block, describe, FlushBlocked, type Phase, type SessionState } from "./sessionState";

export const DEBOUNCE_MS = 900;
const PERSIST_MS = 250;

export interface SessionOptions {
  taskId: string;
  tabId: string;
  signature: string;
  base: Base;
  save: (taskId: string, body: object) => Promise<SaveReply>;
  fetchEditor: (taskId: string) => Promise<EditorSnapshot>;
  store: RecoveryStore;
  clock: Clock;
  random: () => number;
  newId: () => string;
  /** Read just before each attempt: a reload or a new lock changes them, and the request stays the same. */
  credentials: () => LockCredentials;
  /** The working copy was replaced by a merge or a restore. */
  onReplaced: (document: EditorDocument) => void;
  onLockLost?: (error: ProblemError) => void;
  onSignedOut?: () => void;
}

/**
 * Keeps `base` (what the server has), `working` (what the person sees) and `pending` (the one request in
 * flight). A reply moves `base` and clears `pending`; it never touches `working`.
 */
export class EditorSession {
  readonly state: Observable<SessionState>;
  readonly #copies: Copies;
  #base: Base;
  #working: EditorDocument;
  #pending: Pending | null = null;
  #inFlight = false;
  #attempt = 0;
  #block: Block | null = null;
  #savedAt: number | null = null;
  #cancelTimer: (() => void) | null = null;
  #cancelPersist: (() => void) | null = null;
  #storing: Promise<void> = Promise.resolve();
  #waiters: { resolve: () => void; reject: (error: FlushBlocked) => void }[] = [];
  #disposed = false;

  constructor(private readonly options: SessionOptions) {
    this.#copies = new Copies(options.store, options.tabId, options.signature, options.clock);
    this.#base = options.base;
    this.#working = options.base.document;
    this.state = new Observable<SessionState>(this.#describe());
  }

  get working(): EditorDocument {
    return this.#working;
  }

  get base(): Base {
    return this.#base;
  }

  get pending(): Pending | null {
    return this.#pending;
  }

  /** Loads this page's own recovery copy, if one is left, and goes on from it with the same pending request. */
  async start(): Promise<void> {
    const { store, tabId, signature } = this.options;
    const record = await store.load(tabId, signature).catch(() => null);
    if (!record || record.signature !== signature) return;
    await this.#copies.backup("restore", record.working);
    const theirs = this.#base;
    const { config } = theirs.document;
    this.#base = { ...record.base, document: withQuestion(record.base.document, config) };
    this.#working = withQuestion(record.working, config);
    if (record.pending) {
      // Its outcome is unknown: only the same request again can tell, and it changes nothing twice.
      this.#pending = record.pending;
      this.options.onReplaced(this.#working);
      void this.#send();
    } else this.#mergeWith(theirs, record.conflicts);
  }

  /** The person changed something. */
  edit(document: EditorDocument): void {
    this.#working = document;
    if (this.#block?.kind === "invalid" && !same(document, this.#block.refused)) this.#block = null;
    this.#persistSoon();
    this.#schedule(DEBOUNCE_MS);
  }

  /** Resolves when nothing is pending and nothing unsaved; raises FlushBlocked when a person has to act first. */
  flush(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject });
      this.#schedule(0);
    });
  }

  /** The server has a newer editor (another page saved, a prediction was applied): join it in. */
  adopt(snapshot: EditorSnapshot): void {
    // With a request in flight the versions cannot be compared; its reply (or its 409) settles it.
    if (this.#pending || this.#block) return;
    const theirs = baseOf(snapshot);
    if (same(theirs.versions, this.#base.versions)) return;
    // Read before our last save, delivered after it: joining it in would take that save back.
    if (theirs.versions.draft < this.#base.versions.draft) return;
    this.#mergeWith(theirs, [], { backup: false });
  }

  resolve(choices: ReadonlyMap<string, Choice>): void {
    if (this.#block?.kind !== "conflict") return;
    this.#working = applyChoices(this.#working, this.#block.conflicts, choices);
    this.#block = null;
    this.options.onReplaced(this.#working);
    this.#persistSoon();
    this.#schedule(0);
  }

  signedIn(): void {
    if (this.#block?.kind !== "signed_out") return;
    this.#block = null;
    void this.#send();
  }

  /** Somebody else holds the lock now: stop at once, keep every edit. */
  async lockLost(): Promise<void> {
    if (this.#block?.kind === "lock_lost") return;
    this.#block = { kind: "lock_lost" };
    this.#clearTimer();
    this.#publish();
    if (!same(this.#base.document, this.#working)) await this.#copies.backup("lock_lost", this.#working);
    await this.#persist();
  }

  /** The lock is ours again: first the request of unknown outcome, then a merge with what happened meanwhile. */
  lockRegained(snapshot: EditorSnapshot): void {
    if (this.#block?.kind === "lock_lost" || this.#block?.kind === "refused") this.#block = null;
    if (this.#pending) void this.#send();
    else this.#mergeWith(baseOf(snapshot));
  }

  /** The browser says that the network is back. */
  online(): void {
    if (this.#pending && !this.#inFlight && !this.#block) void this.#send();
  }

  /** Copies that other pages of this browser left for the same picture and that hold unsaved work. */
  otherCopies(): Promise<RecoveryRecord[]> {
    return this.#copies.others(this.#working);
  }

  /** Joins another page's copy into the present one. */
  async restore(copy: RecoveryRecord): Promise<void> {
    if (copy.signature !== this.options.signature) return;
    await this.#copies.backup("restore", this.#working);
    const merged = joinedWith(copy, this.#working);
    this.#working = merged.document;
    if (merged.conflicts.length) this.#block = { kind: "conflict", conflicts: merged.conflicts };
    this.options.onReplaced(this.#working);
    await this.#persist();
    await this.#copies.remove(copy);
    this.#schedule(DEBOUNCE_MS);
  }

  /** Earlier states of this picture that this browser has kept, newest first. */
  backups(): Promise<Backup[]> {
    return this.#copies.backups();
  }

  /** An earlier state becomes the working copy; the present one is kept first. What is asked stays as it is. */
  async bringBack(backup: Backup): Promise<void> {
    if (backup.signature !== this.options.signature || this.#block?.kind === "conflict") return;
    await this.#copies.backup("restore", this.#working);
    const { items, candidates } = backup.document;
    this.#working = { ...this.#working, items, candidates };
    this.options.onReplaced(this.#working);
    this.#persistSoon();
    this.#schedule(DEBOUNCE_MS);
  }

  async discard(copy: RecoveryRecord): Promise<void> {
    await this.#copies.backup("discarded", copy.working);
    await this.#copies.remove(copy);
  }

  dispose(): void {
    this.#disposed = true;
    this.#clearTimer();
    this.#cancelPersist?.();
  }

  #schedule(delay: number): void {
    this.#publish();
    if (this.#block || this.#pending || this.#disposed) return;
    this.#clearTimer();
    if (!same(this.#base.document, this.#working)) {
      this.#cancelTimer = this.options.clock.after(delay, () => void this.#next());
    }
  }

  async #next(): Promise<void> {
    if (this.#pending || this.#block || same(this.#base.document, this.#working)) return;
    this.#pending = buildPending(this.#base, this.#working, this.options.newId());
    this.#attempt = 0;
    // Stored before it is sent, so that a crash between request and reply can ask again with the same id.
    this.#inFlight = true;
    this.#publish();
    await this.#persist();
    this.#inFlight = false;
    if (!this.#block) await this.#send();
  }

  async #send(): Promise<void> {
    const pending = this.#pending;
    if (!pending || this.#inFlight || this.#disposed) return;
    this.#clearTimer();
    this.#inFlight = true;
    this.#publish();
    try {
      const reply = await this.options.save(this.options.taskId, {
        ...pending.body,
        ...this.options.credentials(),
      });
      this.#inFlight = false;
      if (pending === this.#pending) this.#succeeded(pending, reply);
    } catch (error) {
      this.#inFlight = false;
      if (pending === this.#pending) await this.#failed(pending, error);
    }
  }

  #succeeded(pending: Pending, reply: SaveReply): void {
    this.#base = baseAfter(this.#base, pending, reply);
    this.#pending = null;
    this.#attempt = 0;
    this.#savedAt = this.options.clock.now();
    void this.#persist();
    this.#schedule(this.#waiters.length ? 0 : DEBOUNCE_MS);
  }

  async #failed(pending: Pending, error: unknown): Promise<void> {
    if (this.#disposed) return;
    if (isRetryable(error)) {
      this.#attempt += 1;
      const asked = error instanceof ProblemError ? (error.retryAfter ?? 0) * 1000 : 0;
      const delay = Math.max(asked, backOff(this.#attempt, this.options.random));
      if (!this.#block) this.#cancelTimer = this.options.clock.after(delay, () => void this.#send());
      this.#publish();
      return;
    }
    if (!(error instanceof ProblemError)) return this.#refuse(messageOf(error));
    if (error.status === 401) {
      this.#block = { kind: "signed_out" };
      this.#publish();
      this.options.onSignedOut?.();
      return;
    }
    // From here on the server has said no, so this request is over.
    this.#pending = null;
    if (error.code === "LOCK_LOST" || error.code === "LOCK_HELD") {
      await this.lockLost();
      this.options.onLockLost?.(error);
    } else if (error.code === "VERSION_CONFLICT" || error.code === "IDEMPOTENCY_CONFLICT") {
      await this.#conflicted(error);
    } else if (error.status === 422 || error.status === 400 || error.status === 413) {
      this.#block = {
        kind: "invalid",
        errors: error.errors,
        message: error.message,
        refused: pending.document,
      };
      // Edited while the refused request was on its way: that may already be the correction.
      if (!same(pending.document, this.#working)) this.#block = null;
      void this.#persist();
      this.#schedule(DEBOUNCE_MS);
    } else await this.#refuse(error.message);
  }

  async #conflicted(error: ProblemError): Promise<void> {
    const snapshot = error.body.snapshot as EditorSnapshot | undefined;
    if (snapshot?.draft && snapshot.candidates && snapshot.config) {
      this.#mergeWith(baseOf(snapshot));
      return;
    }
    try {
      this.#mergeWith(baseOf(await this.options.fetchEditor(this.options.taskId)));
    } catch (failure) {
      if (!isRetryable(failure)) return this.#refuse(messageOf(failure));
      this.#attempt += 1;
      const delay = backOff(this.#attempt, this.options.random);
      this.#cancelTimer = this.options.clock.after(delay, () => void this.#conflicted(error));
      this.#publish();
    }
  }

  async #refuse(message: string): Promise<void> {
    this.#pending = null;
    this.#block = { kind: "refused", message };
    this.#publish();
    await this.#copies.backup("refused", this.#working);
    await this.#persist();
  }

  #mergeWith(theirs: Base, open: MergeConflict[] = [], { backup = true } = {}): void {
    const dirty = !same(this.#base.document, this.#working);
    if (dirty && backup) void this.#copies.backup("conflict", this.#working);
    const merged = mergeDocuments(this.#base.document, this.#working, theirs.document);
    const fresh = new Set(merged.conflicts.map((conflict) => conflict.id));
    const conflicts = [...open.filter((conflict) => !fresh.has(conflict.id)), ...merged.conflicts];
    const changed = !same(merged.document, this.#working);
    this.#base = theirs;
    this.#working = merged.document;
    this.#attempt = 0;
    this.#block = conflicts.length ? { kind: "conflict", conflicts } : null;
    if (changed || open.length || dirty) this.options.onReplaced(this.#working);
    void this.#persist();
    this.#schedule(0);
  }

  #persistSoon(): void {
    this.#cancelPersist ??= this.options.clock.after(PERSIST_MS, () => void this.#persist());
  }

  /** The page goes away: what waits to be kept is kept before it is gone. */
  leave(): void {
    if (this.#cancelPersist) void this.#persist();
  }

  /** Writes in order; a browser without storage costs the recovery copy, never the save. */
  #persist(): Promise<void> {
    this.#cancelPersist?.();
    this.#cancelPersist = null;
    const { store, tabId, signature, clock } = this.options;
    const conflicts = this.#block?.kind === "conflict" ? this.#block.conflicts : [];
    const clean = !this.#pending && !this.#block && same(this.#base.document, this.#working);
    const record: RecoveryRecord = {
      tabId,
      signature,
      base: this.#base,
      working: this.#working,
      pending: this.#pending,
      conflicts,
      savedAt: clock.now(),
    };
    this.#storing = this.#storing
      .then(() => (clean ? store.remove(tabId, signature) : store.save(record)))
      .catch(() => undefined);
    return this.#storing;
  }

  #clearTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #describe(): SessionState {
    const waits = this.#attempt > 0 && (this.#pending !== null || !this.#inFlight);
    const phase: Phase = waits ? "offline" : this.#pending ? "saving" : "clean";
    const edits = countEdits(this.#base.document, this.#working);
    return describe({ block: this.#block, phase, edits, savedAt: this.#savedAt });
  }

  #publish(): void {
    const state = this.#describe();
    this.state.set(state);
    if (!this.#waiters.length) return;
    if (state.phase === "clean") for (const waiter of this.#waiters.splice(0)) waiter.resolve();
    else if (this.#block) {
      for (const waiter of this.#waiters.splice(0))
        waiter.reject(new FlushBlocked(state.phase, state.message));
    }
  }
}
