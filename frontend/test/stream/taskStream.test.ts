import { describe, expect, it } from "vitest";
import type { StreamEvent } from "../../src/api/types";
import { type Socket, TaskStream } from "../../src/stream/taskStream";
import { FakeClock } from "../support/fakeClock";

class FakeSocket implements Socket {
  sent: Record<string, unknown>[] = [];
  closed = false;
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  onerror: ((event: unknown) => void) | null = null;

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    this.closed = true;
  }

  tell(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  event(seq: number, type = "draft.saved"): void {
    this.tell({ type: "event", event: { seq, type, task_id: "t", job_id: null, at: "" } });
  }
}

function open(after: number | null = null) {
  const clock = new FakeClock();
  const sockets: FakeSocket[] = [];
  const events: number[] = [];
  const log: string[] = [];
  const stream = new TaskStream(
    {
      connect: () => {
        const socket = new FakeSocket();
        sockets.push(socket);
        return socket;
      },
      clock,
      random: () => 0,
      onEvent: (event: StreamEvent) => events.push(event.seq),
      onSnapshot: () => log.push("snapshot"),
      onPresence: (users) => log.push(`presence ${users.length}`),
      onLock: (state, expireAt) => log.push(`lock ${state} ${expireAt}`),
      onGap: () => log.push("gap"),
      onEnded: (reason) => log.push(reason),
    },
    after,
  );
  stream.open();
  const socket = (n: number): FakeSocket => {
    const found = sockets[n];
    if (!found) throw new Error(`No connection number ${n}.`);
    return found;
  };
  return { stream, clock, sockets, socket, events, log };
}

describe("the live line", () => {
  it("begins anew with a new session: the old line's end is no sign-out any more", () => {
    const { stream, socket, sockets, log } = open(4);
    socket(0).onopen?.();
    stream.renew();
    expect([sockets.length, socket(0).closed]).toEqual([2, true]);
    socket(1).onopen?.();
    expect(socket(1).sent).toEqual([{ type: "resume", after: 4 }]);
    socket(0).onclose?.({ code: 4401 });
    expect(log).toEqual([]);
    expect(stream.state.get()).toBe("open");
  });

  it("resumes after the last event that it has seen, and drops what it has", async () => {
    const { clock, socket, sockets, events } = open(4);
    socket(0).onopen?.();
    expect(socket(0).sent).toEqual([{ type: "resume", after: 4 }]);
    socket(0).event(5);
    socket(0).event(6);
    socket(0).onclose?.({ code: 1006 });
    await clock.pass(499);
    expect(sockets).toHaveLength(1);
    await clock.pass(1);
    socket(1).onopen?.();
    expect(socket(1).sent).toEqual([{ type: "resume", after: 6 }]);
    for (const seq of [5, 6, 7]) socket(1).event(seq);
    expect(events).toEqual([5, 6, 7]);
  });

  it("a new page says nothing and begins with the snapshot", () => {
    const { socket, events, log, stream } = open();
    socket(0).onopen?.();
    expect(socket(0).sent).toEqual([]);
    socket(0).tell({ type: "snapshot", last_event_id: 12, editor: {} });
    for (const seq of [11, 12, 13]) socket(0).event(seq);
    expect(log).toEqual(["snapshot"]);
    expect(events).toEqual([13]);
    expect(stream.lastSeq).toBe(13);
  });

  it("a gap asks once for what is missing, and everything comes in order", () => {
    const { socket, events } = open(4);
    socket(0).onopen?.();
    socket(0).event(5);
    socket(0).event(8);
    socket(0).event(9);
    expect(events).toEqual([5]);
    expect(socket(0).sent.slice(1)).toEqual([{ type: "resume", after: 5 }]);
    for (const seq of [6, 7, 8, 9]) socket(0).event(seq);
    expect(events).toEqual([5, 6, 7, 8, 9]);
  });

  it("a gap that stays makes the page read everything anew", async () => {
    const { socket, events, log, clock } = open(4);
    socket(0).onopen?.();
    socket(0).event(9);
    await clock.pass(5_000);
    expect(events).toEqual([9]);
    expect(log).toEqual(["gap"]);
    socket(0).event(10);
    expect(events).toEqual([9, 10]);
  });

  it("backs off up to 20 s while the server is away", async () => {
    const { socket, sockets, clock } = open(1);
    for (let n = 0; n < 12; n += 1) {
      socket(n).onclose?.({ code: 1006 });
      await clock.pass(20_000);
    }
    expect(sockets).toHaveLength(13);
    socket(12).onclose?.({ code: 1006 });
    await clock.pass(19_999);
    expect(sockets).toHaveLength(13);
  });

  it("online reconnects at once", () => {
    const { stream, socket, sockets } = open(1);
    socket(0).onclose?.({ code: 1006 });
    stream.reconnect();
    expect(sockets).toHaveLength(2);
  });

  it.each([
    [4401, "signed_out"],
    [4403, "forbidden"],
    [4404, "not_found"],
  ])("%i ends it: %s", async (code, reason) => {
    const { socket, sockets, clock, log, stream } = open(1);
    socket(0).onopen?.();
    socket(0).onclose?.({ code });
    await clock.pass(60_000);
    expect(sockets).toHaveLength(1);
    expect(log).toEqual([reason]);
    stream.reconnect();
    expect(sockets).toHaveLength(2);
  });

  it("carries presence, the lock's answers and heartbeats", () => {
    const { socket, stream, log } = open(1);
    expect(stream.heartbeat("page")).toBe(false);
    socket(0).onopen?.();
    expect(stream.heartbeat("page")).toBe(true);
    expect(socket(0).sent.at(-1)).toEqual({ type: "heartbeat", client_id: "page" });
    socket(0).tell({ type: "presence", users: [{}, {}] });
    socket(0).tell({ type: "lock", state: "lost", expire_at: null });
    socket(0).onmessage?.({ data: "no json" });
    expect(log).toEqual(["presence 2", "lock lost null"]);
  });

  it("a replaced connection's end is not the line's", () => {
    const { stream, socket, sockets } = open(1);
    socket(0).onopen?.();
    stream.close();
    socket(0).onclose?.({ code: 1006 });
    expect(stream.state.get()).toBe("ended");
    expect(sockets).toHaveLength(1);
  });
});
