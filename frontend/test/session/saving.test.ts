import { describe, expect, it } from "vitest";
import { DEBOUNCE_MS } from "../../src/session/editorSession";
import { FlushBlocked } from "../../src/session/sessionState";
import { settle } from "../support/fakeClock";
import { box, FakeServer, problem, QUESTION } from "../support/fakeServer";
import { openSession } from "../support/sessions";

describe("debounce and flight", () => {
  it("sends once, 900 ms after the last edit, only what changed", async () => {
    const server = new FakeServer([box("a")]);
    const { clock, edit, session } = openSession(server);
    edit([box("a", 11)]);
    await clock.pass(DEBOUNCE_MS - 1);
    edit([box("a", 12)]);
    await clock.pass(DEBOUNCE_MS - 1);
    expect(server.sent).toHaveLength(0);
    expect(session.state.get()).toMatchObject({ phase: "dirty", edits: 1 });
    await clock.pass(1);
    expect(server.sent).toHaveLength(1);
    expect(server.sent[0]?.draft).toEqual({ expected_version: 7, items: [box("a", 12)] });
    expect(server.sent[0]).not.toHaveProperty("candidates");
    expect(session.state.get().phase).toBe("clean");
  });

  it("a late reply never touches what the person sees, and the next save starts from its version", async () => {
    const server = new FakeServer([box("a", 100)]);
    const { clock, edit, session, shown } = openSession(server);
    server.hold();
    edit([box("a", 110)]);
    await clock.pass(DEBOUNCE_MS);
    edit([box("a", 120)]);
    await clock.pass(5_000);
    expect(server.sent).toHaveLength(1);
    server.release();
    await settle();
    expect(shown().items).toEqual([box("a", 120)]);
    expect(session.base.document.items).toEqual([box("a", 110)]);
    await clock.pass(DEBOUNCE_MS);
    expect(server.sent[1]?.draft).toEqual({ expected_version: 8, items: [box("a", 120)] });
    expect(server.items).toEqual([box("a", 120)]);
  });

  it("what is in flight cannot be reached by later edits, not even in place", async () => {
    const server = new FakeServer([box("a")]);
    server.fates = ["lost-request"];
    const { clock, session } = openSession(server);
    const items = [box("a", 20)];
    session.edit({ items, candidates: [], config: QUESTION });
    await clock.pass(DEBOUNCE_MS);
    items.push(box("sneaked in"));
    await clock.pass(5_000);
    expect(server.received[0]?.draft?.items).toEqual([box("a", 20)]);
  });

  it("an edit taken back before the debounce sends nothing", async () => {
    const server = new FakeServer([box("a")]);
    const { clock, edit, session } = openSession(server);
    edit([box("a", 50)]);
    edit([box("a")]);
    await clock.pass(10_000);
    expect(server.sent).toHaveLength(0);
    expect(session.state.get().phase).toBe("clean");
  });

  it("candidates and draft travel in one request", async () => {
    const server = new FakeServer([box("a")]);
    server.candidates = [{ id: "c1", label: "cup", center: [1, 1], bbox: null, score: 0.5 }];
    const { clock, session } = openSession(server);
    session.edit({ items: [box("b")], candidates: [], config: QUESTION });
    await clock.pass(DEBOUNCE_MS);
    expect(server.sent).toHaveLength(1);
    expect(server.sent[0]).toMatchObject({
      draft: { expected_version: 7 },
      candidates: { expected_set_id: "set-1" },
    });
    expect(session.base.versions).toEqual({ config: 1, candidateSetId: "set-2", draft: 8 });
  });
});

describe("the network fails", () => {
  it("a lost request goes again, the very same one, while edits go on", async () => {
    const server = new FakeServer([box("a")]);
    server.fates = ["lost-request", "lost-request"];
    const { clock, edit, session } = openSession(server);
    edit([box("a", 20)]);
    await clock.pass(DEBOUNCE_MS);
    expect(session.state.get()).toMatchObject({ phase: "offline", edits: 1 });
    edit([box("a", 30), box("b")]);
    expect(session.state.get().edits).toBe(2);
    await clock.pass(10_000);
    expect(server.sent[1]).toEqual(server.sent[0]);
    expect(server.sent[2]).toEqual(server.sent[0]);
    expect(server.items).toEqual([box("a", 30), box("b")]);
    expect(server.writes).toBe(2);
  });

  it("a lost reply is asked for again and written once", async () => {
    const server = new FakeServer([box("a")]);
    server.fates = ["lost-reply"];
    const { clock, edit, session } = openSession(server);
    edit([box("a", 20)]);
    await clock.pass(10_000);
    expect(server.received).toHaveLength(2);
    expect(server.received[1]).toEqual(server.received[0]);
    expect(server.writes).toBe(1);
    expect(session.state.get().phase).toBe("clean");
    expect(session.base.versions.draft).toBe(8);
  });

  it("a retry keeps its id though the lock's token is a new one by then", async () => {
    const server = new FakeServer([box("a")]);
    server.lockToken = 1;
    server.fates = ["lost-reply"];
    const opened = openSession(server, { lockToken: 1 });
    opened.edit([box("a", 20)]);
    await opened.clock.pass(DEBOUNCE_MS);
    server.lockToken = 2;
    opened.credentials.lock_token = 2;
    await opened.clock.pass(5_000);
    expect(server.received[1]?.request_id).toBe(server.received[0]?.request_id);
    expect(server.received[1]?.lock_token).toBe(2);
    expect(opened.session.state.get().phase).toBe("clean");
  });

  it("an hour offline: no hammering, nothing lost, one write at the end", async () => {
    const server = new FakeServer([box("a")]);
    server.fates = Array.from({ length: 1000 }, () => "lost-request" as const);
    const { clock, edit, session } = openSession(server);
    edit([box("a", 20)]);
    await clock.pass(30 * 60_000);
    edit([box("a", 20), box("b")]);
    await clock.pass(30 * 60_000);
    expect(server.sent.length).toBeLessThan(140);
    expect(server.sent.length).toBeGreaterThan(100);
    expect(new Set(server.sent.map((body) => body.request_id)).size).toBe(1);
    expect(session.state.get()).toMatchObject({ phase: "offline", edits: 2 });
    server.fates = [];
    session.online();
    await clock.pass(5_000);
    expect(server.items).toEqual([box("a", 20), box("b")]);
    expect(session.state.get()).toMatchObject({ phase: "clean", edits: 0 });
  });

  it("a busy server is asked again when it said so", async () => {
    const server = new FakeServer([box("a")]);
    const busy = problem(409, "BUSY");
    server.fates = [Object.assign(busy, { retryAfter: 7 })];
    const { clock, edit } = openSession(server);
    edit([box("a", 20)]);
    await clock.pass(DEBOUNCE_MS + 6_900);
    expect(server.sent).toHaveLength(1);
    await clock.pass(200);
    expect(server.sent[1]?.request_id).toBe(server.sent[0]?.request_id);
  });
});

describe("the server says no", () => {
  it("422 stops, keeps the edit, and goes on with the correction", async () => {
    const server = new FakeServer([box("a")]);
    const errors = [{ field: "draft.items.0.geometry", message: "Outside the picture.", code: "outside" }];
    server.fates = [problem(422, "VALIDATION_FAILED", { errors })];
    const { clock, edit, session } = openSession(server);
    edit([box("a", 5000)]);
    await clock.pass(60_000);
    expect(server.sent).toHaveLength(1);
    expect(session.state.get()).toMatchObject({ phase: "invalid", errors, edits: 1 });
    edit([box("a", 50)]);
    await clock.pass(DEBOUNCE_MS);
    expect(server.items).toEqual([box("a", 50)]);
    expect(server.sent[1]?.request_id).not.toBe(server.sent[0]?.request_id);
  });

  it("401 waits for the sign-in, then sends the same request", async () => {
    const server = new FakeServer([box("a")]);
    server.fates = [problem(401, "NOT_AUTHENTICATED")];
    const { clock, edit, session } = openSession(server);
    edit([box("a", 20)]);
    await clock.pass(60_000);
    expect(server.sent).toHaveLength(1);
    expect(session.state.get().phase).toBe("signed_out");
    session.signedIn();
    await settle();
    expect(server.sent[1]).toEqual(server.sent[0]);
    expect(server.items).toEqual([box("a", 20)]);
  });

  it("a refusal of another kind stops without a loop and keeps a backup", async () => {
    const server = new FakeServer([box("a")]);
    server.fates = [problem(409, "ILLEGAL_TRANSITION")];
    const { clock, edit, session, store } = openSession(server);
    edit([box("a", 20)]);
    await clock.pass(60_000);
    expect(server.sent).toHaveLength(1);
    expect(session.state.get()).toMatchObject({ phase: "refused", message: "ILLEGAL_TRANSITION" });
    expect((await store.backups("task:100x80:abc"))[0]?.document.items).toEqual([box("a", 20)]);
  });
});

describe("flush", () => {
  it("waits for the flight and for what was edited meanwhile", async () => {
    const server = new FakeServer([box("a")]);
    const { clock, edit, session } = openSession(server);
    server.hold();
    edit([box("a", 20)]);
    await clock.pass(DEBOUNCE_MS);
    edit([box("a", 30)]);
    let done = false;
    const flushed = session.flush().then(() => {
      done = true;
    });
    await clock.pass(5_000);
    expect(done).toBe(false);
    server.release();
    await clock.pass(0);
    await flushed;
    expect(server.items).toEqual([box("a", 30)]);
  });

  it("does not wait for the debounce and is at once done when all is saved", async () => {
    const server = new FakeServer([box("a")]);
    const { clock, edit, session } = openSession(server);
    await session.flush();
    edit([box("a", 20)]);
    const flushed = session.flush();
    await clock.pass(0);
    await flushed;
    expect(server.writes).toBe(1);
  });

  it("fails when somebody has to act first, and nothing is sent after", async () => {
    const server = new FakeServer([box("a")]);
    server.fates = [problem(422, "VALIDATION_FAILED")];
    const { clock, edit, session } = openSession(server);
    edit([box("a", 20)]);
    const flushed = session.flush();
    const failure = expect(flushed).rejects.toBeInstanceOf(FlushBlocked);
    await clock.pass(0);
    await failure;
    expect(server.sent).toHaveLength(1);
  });
});
