import { ProblemError } from "../api/problem";
import type { Lock, UserRef } from "../api/types";
import { backOff, type Clock } from "../clock";
import { Observable } from "../observable";

export type LockState =
  /** Nobody here asked for it: looking only. */
  | { kind: "none" }
  | { kind: "acquiring" }
  | { kind: "held"; lock: Lock }
  /** Another person works here. */
  | { kind: "other"; lock: Lock }
  /** It was ours; `lock` is whose it is now, if anybody's, `last` who has held it since. */
  | { kind: "lost"; lock: Lock | null; last?: Lock | null };

export interface LockKeeperOptions {
  taskId: string;
  userId: string;
  clientId: string;
  acquire: (taskId: string, clientId: string) => Promise<Lock>;
  heartbeat: (taskId: string, clientId: string) => Promise<{ expire_at: string }>;
  release: (taskId: string, clientId: string) => Promise<unknown>;
  /** Sends the beat over the open WebSocket; false when there is none. */
  beatBySocket: (clientId: string) => boolean;
  clock: Clock;
  random: () => number;
  onHeld: (lock: Lock, regained: boolean) => void;
  onLost: () => void;
  /** Whether somebody ended the lock on purpose; then no page takes it again by itself. */
  wasEnded?: () => Promise<boolean>;
  /** True while an action that gives the lock back is on its way: then its end is no loss. */
  isGivingBack: () => boolean;
}

/** How long a beat over the socket may stay unanswered before it is sent again over HTTP. */
const SOCKET_ANSWER_MS = 8_000;

/** This page's side of the task lock: acquire, beat, notice the loss, take over, release. */
export class LockKeeper {
  readonly state = new Observable<LockState>({ kind: "none" });
  #clientId: string;
  #wanted = false;
  #failures = 0;
  #nextBeatAt = 0;
  #cancelAnswer: (() => void) | null = null;
  #beating = false;
  #siblingLeft = false;
  /** How often the stream told of another holder: what was read before the last time is older than it. */
  changes = 0;

  constructor(private readonly options: LockKeeperOptions) {
    this.#clientId = options.clientId;
  }

  get clientId(): string {
    return this.#clientId;
  }

  get token(): number | undefined {
    const state = this.state.get();
    return state.kind === "held" ? state.lock.token : undefined;
  }

  get isHeld(): boolean {
    return this.state.get().kind === "held";
  }

  /** What the server said when the task was read. Loss of one's own lock is told by beats and events only. */
  observe(lock: Lock | null): void {
    if (this.isHeld || this.state.get().kind === "acquiring") return;
    if (!lock || !this.#isMine(lock.user)) this.#show(lock);
    else if (this.state.get().kind === "other") this.state.set({ kind: "none" });
  }

  /** The stream begins anew: what happened to one's own lock meanwhile is in no event, so it is asked about. */
  resumed(lock: Lock | null): void {
    if (this.isHeld && !(lock && this.#isMine(lock.user))) this.tick(true);
    else this.observe(lock);
  }

  /** Takes it, also from somebody whose lock went stale. Raises ProblemError LOCK_HELD and network errors. */
  async acquire(): Promise<Lock> {
    const before = this.state.get();
    const regained = before.kind === "lost";
    this.#wanted = true;
    if (before.kind !== "held") this.state.set({ kind: "acquiring" });
    try {
      const lock = await this.options.acquire(this.options.taskId, this.#clientId);
      this.hold(lock, regained);
      return lock;
    } catch (error) {
      if (error instanceof ProblemError && error.code === "LOCK_HELD") {
        const lock = lockOf(error, this.options.taskId);
        if (before.kind === "held") this.options.onLost();
        if (lock && (regained || before.kind === "held")) this.state.set({ kind: "lost", lock, last: lock });
        else if (lock) this.state.set({ kind: "other", lock });
        else this.state.set(before);
      } else this.state.set(before);
      throw error;
    }
  }

  /** A claim brought the lock along. */
  hold(lock: Lock, regained = false): void {
    this.#wanted = true;
    this.#siblingLeft = false;
    this.#failures = 0;
    this.#planBeat(lock);
    this.state.set({ kind: "held", lock });
    this.options.onHeld(lock, regained);
  }

  /** Called by the worker's clock about once a second, and when the page becomes visible. */
  tick(force = false): void {
    const state = this.state.get();
    if (state.kind !== "held" || this.#beating) return;
    if (!force && this.options.clock.now() < this.#nextBeatAt) return;
    this.#planBeat(state.lock);
    if (this.options.beatBySocket(this.#clientId)) {
      this.#cancelAnswer?.();
      this.#cancelAnswer = this.options.clock.after(SOCKET_ANSWER_MS, () => void this.#beatByHttp());
    } else void this.#beatByHttp();
  }

  /** The socket's answer to a beat. */
  answered(state: "held" | "lost", expireAt: string | null): void {
    this.#cancelAnswer?.();
    this.#cancelAnswer = null;
    if (state === "held") this.#extended(expireAt);
    else void this.#reacquire();
  }

  /** `lock.changed` on the stream, of the moment `at`. */
  changed(lock: Lock | null, at: string | null = null): void {
    this.changes += 1;
    const state = this.state.get();
    // A stream that comes back tells first what was missed: older than the lock held now, it is history.
    if (at && state.kind === "held" && Date.parse(at) < Date.parse(state.lock.acquired_at)) return;
    if (lock && this.#isMine(lock.user)) {
      // Another page of the same person: they share the lock, and the newest page's id is on it.
      if (state.kind === "held")
        this.state.set({
          kind: "held",
          lock: { ...state.lock, ...lock, token: lock.token ?? state.lock.token },
        });
      else if (state.kind === "other") this.state.set({ kind: "none" });
      return;
    }
    if (state.kind === "held") {
      if (this.options.isGivingBack()) return;
      // Gone without another holder: a sibling page of ours has left, or an admin released it.
      if (!lock && this.#siblingLeft) void this.#reacquire();
      else this.#lose(lock);
    } else if (state.kind !== "acquiring") this.#show(lock);
  }

  /** Another page of the same person released the lock as it went: this one goes on with it. */
  siblingReleased(): void {
    const state = this.state.get();
    if (state.kind === "lost" && state.lock === null) void this.acquire().catch(() => undefined);
    else if (state.kind === "held") this.#siblingLeft = true;
  }

  /** An action (submit, approve…) gave the lock back on the server. */
  forget(): void {
    this.#wanted = false;
    this.#cancelAnswer?.();
    this.state.set({ kind: "none" });
  }

  /** The page goes: a request that outlives it. Only a lock of this very page is released. */
  release(): void {
    if (!this.#wanted || !this.isHeld) return;
    void this.options.release(this.options.taskId, this.#clientId).catch(() => undefined);
    this.forget();
  }

  /** The page came back from the back-forward cache: a new page load as far as the lock is concerned. */
  renew(clientId: string): void {
    this.#clientId = clientId;
  }

  async #beatByHttp(): Promise<void> {
    if (this.#beating || !this.isHeld) return;
    this.#beating = true;
    try {
      const reply = await this.options.heartbeat(this.options.taskId, this.#clientId);
      this.#extended(reply.expire_at);
    } catch (error) {
      if (error instanceof ProblemError && error.code === "LOCK_LOST") void this.#reacquire();
      else {
        this.#failures += 1;
        this.#nextBeatAt =
          this.options.clock.now() + backOff(this.#failures, this.options.random, 2000, 20_000);
      }
    } finally {
      this.#beating = false;
    }
  }

  /** The row is gone or not this page's: it may be free, or another page of ours has gone. Ask once. */
  async #reacquire(): Promise<void> {
    if (!this.isHeld) return;
    const before = this.token;
    const ended = await this.options.wasEnded?.().catch(() => false);
    // The stream told of the loss meanwhile: then it is the person's to take it again, or not.
    if (!this.isHeld) return;
    if (ended && this.token === before) {
      this.#lose(null);
      return;
    }
    try {
      const lock = await this.options.acquire(this.options.taskId, this.#clientId);
      // A new token means that somebody may have been in between: merge before going on.
      this.hold(lock, before !== undefined && lock.token !== before);
    } catch (error) {
      if (error instanceof ProblemError) this.#lose(lockOf(error, this.options.taskId));
      else this.#failures += 1;
    }
  }

  /** Who else holds it. What was lost stays lost until it is taken again: edits that are kept hang on that. */
  #show(lock: Lock | null): void {
    const state = this.state.get();
    if (state.kind === "lost") this.state.set({ kind: "lost", lock, last: lock ?? state.last ?? null });
    else this.state.set(lock ? { kind: "other", lock } : { kind: "none" });
  }

  #lose(lock: Lock | null): void {
    this.#cancelAnswer?.();
    this.state.set({ kind: "lost", lock, last: lock });
    this.options.onLost();
  }

  #extended(expireAt: string | null): void {
    const state = this.state.get();
    if (state.kind !== "held") return;
    this.#failures = 0;
    if (expireAt) this.state.set({ kind: "held", lock: { ...state.lock, expire_at: expireAt } });
  }

  #planBeat(lock: Lock): void {
    this.#nextBeatAt = this.options.clock.now() + (lock.heartbeat_seconds ?? 60) * 1000;
  }

  #isMine(user: UserRef): boolean {
    return String(user.id) === this.options.userId;
  }
}

/** The holder's lock as a LOCK_HELD problem tells it. */
export function lockOf(error: ProblemError, taskId: string): Lock | null {
  const { holder, acquired_at, heartbeat_at, stale_at, expire_at } = error.body;
  if (!holder) return null;
  const unknown = new Date(0).toISOString();
  return {
    task_id: taskId,
    user: holder,
    acquired_at: acquired_at ?? unknown,
    heartbeat_at: heartbeat_at ?? unknown,
    stale_at: stale_at ?? unknown,
    expire_at: expire_at ?? unknown,
  };
}
