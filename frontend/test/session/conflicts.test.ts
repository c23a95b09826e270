import { describe, expect, it } from "vitest";
import { DEBOUNCE_MS } from "../../src/session/editorSession";
import { mergeDocuments } from "../../src/session/merge";
import { settle } from "../support/fakeClock";
import { box, FakeServer, problem, QUESTION } from "../support/fakeServer";
import { openSession } from "../support/sessions";

describe("three-way merge", () => {
  const doc = (...items: ReturnType<typeof box>[]) => ({ items, candidates: [], config: QUESTION });

  it("joins changes of different items, additions and removals of both sides", () => {
    const merged = mergeDocuments(
      doc(box("a"), box("b"), box("c"), box("d")),
      doc(box("a", 20), box("b"), box("d"), box("mine")),
      doc(box("a"), box("b", 30), box("c"), box("theirs")),
    );
    expect(merged.conflicts).toEqual([]);
    expect(new Set(merged.document.items.map((item) => item.id))).toEqual(
      new Set(["a", "b", "theirs", "mine"]),
    );
    expect(merged.document.items.find(({ id }) => id === "a")).toEqual(box("a", 20));
    expect(merged.document.items.find(({ id }) => id === "b")).toEqual(box("b", 30));
  });

  it("joins a move here with a new label there", () => {
    const merged = mergeDocuments(doc(box("a")), doc(box("a", 20)), doc(box("a", 10, "mug")));
    expect(merged).toEqual({ document: doc(box("a", 20, "mug")), conflicts: [] });
  });

  it.each([
    ["moved on both sides", [box("a", 20)], [box("a", 30)]],
    ["moved here, removed there", [box("a", 20)], []],
    ["removed here, moved there", [], [box("a", 30)]],
  ])("shows what does not fit: %s", (_name, mine, theirs) => {
    const merged = mergeDocuments(doc(box("a")), doc(...mine), doc(...theirs));
    expect(merged.conflicts).toHaveLength(1);
    expect(merged.conflicts[0]).toMatchObject({ id: "a", mine: mine[0] ?? null, theirs: theirs[0] ?? null });
    expect(merged.document.items).toEqual(mine);
  });

  it("the same change on both sides is none", () => {
    expect(mergeDocuments(doc(box("a")), doc(box("a", 20)), doc(box("a", 20))).conflicts).toEqual([]);
  });

  it("keeps the order that one side changed", () => {
    const merged = mergeDocuments(
      doc(box("a"), box("b")),
      doc(box("b"), box("a")),
      doc(box("a"), box("b"), box("c")),
    );
    expect(merged.document.items.map(({ id }) => id)).toEqual(["b", "a", "c"]);
  });
});

describe("409 on a save", () => {
  it("joins by itself what does not overlap and saves on the new version", async () => {
    const server = new FakeServer([box("a"), box("b")]);
    const { clock, edit, session, shown } = openSession(server);
    server.change([box("a"), box("b", 70)]);
    edit([box("a", 20), box("b")]);
    await clock.pass(DEBOUNCE_MS + 1);
    await clock.pass(DEBOUNCE_MS);
    expect(shown().items).toEqual([box("a", 20), box("b", 70)]);
    expect(server.items).toEqual([box("a", 20), box("b", 70)]);
    expect(session.state.get().phase).toBe("clean");
  });

  it("pauses on an overlap until the person has chosen; edits made meanwhile stay", async () => {
    const server = new FakeServer([box("a"), box("b")]);
    const { clock, edit, session, store } = openSession(server);
    server.change([box("a", 70), box("b")]);
    edit([box("a", 20), box("b")]);
    await clock.pass(60_000);
    expect(server.received).toHaveLength(1);
    expect(session.state.get().phase).toBe("conflict");
    edit([box("a", 20), box("b"), box("c")]);
    await clock.pass(60_000);
    expect(server.received).toHaveLength(1);
    expect((await store.backups("task:100x80:abc")).at(-1)?.reason).toBe("conflict");
    session.resolve(new Map([["a", "theirs"]]));
    await clock.pass(1);
    expect(server.items).toEqual([box("a", 70), box("b"), box("c")]);
    expect(session.state.get().phase).toBe("clean");
  });

  it("mine can win, also over a removal", async () => {
    const server = new FakeServer([box("a")]);
    const { clock, edit, session } = openSession(server);
    server.change([]);
    edit([box("a", 20)]);
    await clock.pass(DEBOUNCE_MS + 1);
    session.resolve(new Map([["a", "mine"]]));
    await clock.pass(1);
    expect(server.items).toEqual([box("a", 20)]);
  });

  it("two tabs of one person end with the edits of both", async () => {
    const server = new FakeServer([box("a"), box("b")]);
    const one = openSession(server, { tabId: "one" });
    const two = openSession(server, { tabId: "two", clock: one.clock, store: one.store });
    one.edit([box("a", 20), box("b")]);
    two.edit([box("a"), box("b", 30)]);
    await one.clock.pass(10_000);
    expect(server.items).toEqual([box("a", 20), box("b", 30)]);
    expect(two.shown().items).toEqual([box("a", 20), box("b", 30)]);
    one.session.adopt(server.snapshot());
    expect(one.shown().items).toEqual([box("a", 20), box("b", 30)]);
    expect(one.session.state.get().phase).toBe("clean");
  });

  it("an editor that was read before our last save does not take it back", async () => {
    const server = new FakeServer([box("a")]);
    const { clock, edit, session, shown } = openSession(server);
    const stale = server.snapshot();
    edit([box("a", 20)]);
    await clock.pass(DEBOUNCE_MS);
    session.adopt(stale);
    await clock.pass(10_000);
    expect(shown().items).toEqual([box("a", 20)]);
    expect(server.items).toEqual([box("a", 20)]);
    expect(server.sent).toHaveLength(1);
  });

  it("a newer editor is joined under unsaved edits, but not under a request in flight", async () => {
    const server = new FakeServer([box("a"), box("b")]);
    const { clock, edit, session, shown } = openSession(server);
    server.hold();
    edit([box("a", 20), box("b")]);
    await clock.pass(DEBOUNCE_MS);
    const other = new FakeServer([box("x")], 99).snapshot();
    session.adopt(other);
    expect(shown().items).toEqual([box("a", 20), box("b")]);
    server.release();
    await settle();
    expect(session.base.versions.draft).toBe(8);
  });
});

describe("the lock is lost", () => {
  it("stops at once, keeps a copy, and merges when it is held again", async () => {
    const server = new FakeServer([box("a")]);
    server.lockToken = 2;
    const opened = openSession(server, { lockToken: 1 });
    opened.edit([box("a", 20), box("mine")]);
    await opened.clock.pass(60_000);
    expect(server.received).toHaveLength(1);
    expect(opened.session.state.get()).toMatchObject({ phase: "lock_lost", edits: 2 });
    expect(opened.lockLost).toHaveLength(1);
    expect((await opened.store.backups("task:100x80:abc"))[0]?.reason).toBe("lock_lost");
    server.change([box("a"), box("theirs")]);
    server.lockToken = 3;
    opened.credentials.lock_token = 3;
    opened.session.lockRegained(server.snapshot());
    await opened.clock.pass(1);
    expect(new Set(server.items.map(({ id }) => id))).toEqual(new Set(["a", "mine", "theirs"]));
    expect(opened.session.state.get().phase).toBe("clean");
  });

  it("a request of unknown outcome is asked for first, and not written twice", async () => {
    const server = new FakeServer([box("a")]);
    server.lockToken = 1;
    server.fates = ["lost-reply"];
    const opened = openSession(server, { lockToken: 1 });
    opened.edit([box("a", 20)]);
    await opened.clock.pass(DEBOUNCE_MS);
    await opened.session.lockLost();
    await opened.clock.pass(60_000);
    expect(server.received).toHaveLength(1);
    server.lockToken = 5;
    opened.credentials.lock_token = 5;
    opened.session.lockRegained(server.snapshot());
    await settle();
    expect(server.received[1]?.request_id).toBe(server.received[0]?.request_id);
    expect(server.writes).toBe(1);
    expect(opened.session.state.get().phase).toBe("clean");
  });

  it("held by somebody else counts as lost", async () => {
    const server = new FakeServer([box("a")]);
    server.fates = [problem(409, "LOCK_HELD", { holder: { id: "r", username: "rita", name: "Rita" } })];
    const { clock, edit, session } = openSession(server);
    edit([box("a", 20)]);
    await clock.pass(60_000);
    expect(session.state.get().phase).toBe("lock_lost");
    expect(server.sent).toHaveLength(1);
  });
});
