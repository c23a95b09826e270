import type { EditorSnapshot, Job, StreamEvent, UserRef } from "../api/types";
import { backOff, type Clock } from "../clock";
import { Observable } from "../observable";

/** The part of a WebSocket that the stream uses. */
export interface Socket {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((message: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  onerror: ((event: unknown) => void) | null;
}

export type StreamState = "connecting" | "open" | "waiting" | "ended";

/** Close codes after which connecting again is useless until somebody acts. */
const ENDED = new Map<number, "signed_out" | "forbidden" | "not_found">([
  [4401, "signed_out"],
  [4403, "forbidden"],
  [4404, "not_found"],
]);

export interface StreamSnapshot {
  job?: Job | null;
  editor?: EditorSnapshot | null;
  last_event_id?: number;
}

export interface TaskStreamOptions {
  connect: () => Socket;
  clock: Clock;
  random: () => number;
  onEvent: (event: StreamEvent) => void;
  onSnapshot: (snapshot: StreamSnapshot) => void;
  onPresence: (users: UserRef[]) => void;
  onLock: (state: "held" | "lost", expireAt: string | null) => void;
  /** Events may have been missed for good: read everything anew. */
  onGap: () => void;
  onEnded: (reason: "signed_out" | "forbidden" | "not_found") => void;
}

/** How long a resume may stay without the missing events before the page reads everything anew. */
const RESUME_ANSWER_MS = 5_000;

/**
 * The live line of one task. Events reach `onEvent` once each and in order: an event that came before is
 * dropped, one that comes too early makes the stream ask for those between.
 */
export class TaskStream {
  readonly state = new Observable<StreamState>("connecting");
  #last: number | null;
  #socket: Socket | null = null;
  #attempt = 0;
  #closed = false;
  #cancelRetry: (() => void) | null = null;
  #cancelGap: (() => void) | null = null;

  constructor(
    private readonly options: TaskStreamOptions,
    after: number | null = null,
  ) {
    this.#last = after;
  }

  get lastSeq(): number | null {
    return this.#last;
  }

  open(): void {
    if (this.#closed || this.#socket) return;
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    this.state.set("connecting");
    const socket = this.options.connect();
    this.#socket = socket;
    socket.onopen = () => {
      this.#attempt = 0;
      this.state.set("open");
      if (this.#last !== null) this.#resume();
    };
    socket.onmessage = ({ data }) => this.#receive(data);
    socket.onerror = () => undefined;
    socket.onclose = ({ code }) => {
      // A socket that was replaced may still report its end.
      if (this.#socket === socket) this.#ended(code);
    };
  }

  /** After signing in again: the line that may still be open belongs to the session that has ended. */
  renew(): void {
    const before = this.#socket;
    this.#socket = null;
    before?.close();
    this.state.set("waiting");
    this.reconnect();
  }

  /** When the browser is back online: do not wait for the back-off. */
  reconnect(): void {
    if (this.state.get() === "open" || this.state.get() === "connecting") return;
    this.#attempt = 0;
    this.#closed = false;
    this.open();
  }

  /** False when there is no open line. */
  heartbeat(clientId: string): boolean {
    return this.#send({ type: "heartbeat", client_id: clientId });
  }

  close(): void {
    this.#closed = true;
    this.#cancelRetry?.();
    this.#cancelGap?.();
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.state.set("ended");
  }

  #send(message: object): boolean {
    if (!this.#socket || this.state.get() !== "open") return false;
    try {
      this.#socket.send(JSON.stringify(message));
      return true;
    } catch {
      return false;
    }
  }

  #resume(): void {
    this.#send({ type: "resume", after: this.#last });
  }

  #receive(data: unknown): void {
    let message: Record<string, unknown>;
    try {
      message = JSON.parse(String(data)) as Record<string, unknown>;
    } catch {
      return;
    }
    if (message.type === "event") this.#event(message.event as StreamEvent);
    else if (message.type === "snapshot") this.#snapshot(message as StreamSnapshot);
    else if (message.type === "presence") this.options.onPresence((message.users as UserRef[]) ?? []);
    else if (message.type === "lock") {
      const expireAt = typeof message.expire_at === "string" ? message.expire_at : null;
      this.options.onLock(message.state === "lost" ? "lost" : "held", expireAt);
    }
  }

  #event(event: StreamEvent): void {
    if (this.#last !== null && event.seq <= this.#last) return;
    if (this.#last !== null && event.seq > this.#last + 1) {
      this.#missed(event);
      return;
    }
    this.#accept(event);
  }

  #accept(event: StreamEvent): void {
    this.#last = event.seq;
    this.#cancelGap?.();
    this.#cancelGap = null;
    this.options.onEvent(event);
  }

  /** Ask for what lies between; when the server no longer has it, start from this event and read anew. */
  #missed(event: StreamEvent): void {
    if (this.#cancelGap) return;
    this.#resume();
    this.#cancelGap = this.options.clock.after(RESUME_ANSWER_MS, () => {
      this.#cancelGap = null;
      if (this.#last === null || event.seq <= this.#last) return;
      this.#accept(event);
      this.options.onGap();
    });
  }

  #snapshot(snapshot: StreamSnapshot): void {
    const at = snapshot.last_event_id ?? snapshot.job?.last_event_id ?? null;
    // Also backwards: a server that was restored from a backup counts on from an older number.
    if (at !== null) this.#last = at;
    this.options.onSnapshot(snapshot);
  }

  #ended(code: number): void {
    this.#socket = null;
    const reason = ENDED.get(code);
    if (reason) {
      this.#closed = true;
      this.state.set("ended");
      this.options.onEnded(reason);
      return;
    }
    if (this.#closed) return;
    this.#attempt += 1;
    this.state.set("waiting");
    this.#cancelRetry = this.options.clock.after(
      backOff(this.#attempt, this.options.random, 500, 20_000),
      () => {
        this.#cancelRetry = null;
        this.open();
      },
    );
  }
}
