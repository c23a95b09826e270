import "fake-indexeddb/auto";
import { describe, expect, it } from "vitest";
import { documentChanges } from "../../src/session/changes";
import { joinedWith } from "../../src/session/copies";
import { DEBOUNCE_MS } from "../../src/session/editorSession";
import { openIndexedDbStore } from "../../src/session/indexedDbStore";
import {
  BACKUPS_PER_PICTURE,
  createMemoryStore,
  type RecoveryStore,
  signatureOf,
} from "../../src/session/recovery";
import { settle } from "../support/fakeClock";
import { box, FakeServer, QUESTION } from "../support/fakeServer";
import { openSession } from "../support/sessions";

const SIGNATURE = "task:100x80:abc";
let databases = 0;
const stores: [string, () => Promise<RecoveryStore>][] = [
  ["memory", async () => createMemoryStore()],
  [
    "IndexedDB",
    () => {
      databases += 1;
      return openIndexedDbStore(`test-${databases}`);
    },
  ],
];

describe.each(stores)("recovery copies in %s", (_name, open) => {
  it("keeps the last 20 backups of a picture, and each picture's own", async () => {
    const store = await open();
    const document = { items: [], candidates: [], config: QUESTION };
    for (let n = 0; n < 25; n += 1) {
      await store.addBackup({ signature: SIGNATURE, savedAt: n, reason: "conflict", document });
    }
    await store.addBackup({ signature: "other", savedAt: 99, reason: "conflict", document });
    const kept = await store.backups(SIGNATURE);
    expect(kept.map((backup) => backup.savedAt)).toEqual(
      Array.from({ length: BACKUPS_PER_PICTURE }, (_, n) => n + 5),
    );
    expect(await store.backups("other")).toHaveLength(1);
  });

  it("finds only other tabs' copies of the same picture", async () => {
    const store = await open();
    const base = {
      document: { items: [], candidates: [], config: QUESTION },
      versions: { config: 1, candidateSetId: null, draft: 0 },
    };
    const record = { base, working: base.document, pending: null, conflicts: [], savedAt: 1 };
    await store.save({ ...record, tabId: "one", signature: SIGNATURE });
    await store.save({ ...record, tabId: "two", signature: SIGNATURE });
    await store.save({ ...record, tabId: "three", signature: "task:100x80:other" });
    expect((await store.others("one", SIGNATURE)).map((copy) => copy.tabId)).toEqual(["two"]);
    await store.remove("two", SIGNATURE);
    expect(await store.others("one", SIGNATURE)).toEqual([]);
    expect(await store.load("three", SIGNATURE)).toBeNull();
  });
});

describe("a page that comes back", () => {
  it("finds the stroke that was made just before it was left", async () => {
    const server = new FakeServer([box("a")]);
    const before = openSession(server);
    before.edit([box("a", 20)]);
    before.session.leave();
    before.session.dispose();
    await settle();

    const after = openSession(server, { store: before.store });
    await after.session.start();
    expect(after.shown().items).toEqual([box("a", 20)]);
  });

  it("resumes between request and reply with the same request; it is written once", async () => {
    const server = new FakeServer([box("a")]);
    server.hold();
    const before = openSession(server);
    before.edit([box("a", 20)]);
    await before.clock.pass(DEBOUNCE_MS);
    before.edit([box("a", 30)]);
    await before.clock.pass(300);
    expect(server.writes).toBe(1);
    before.session.dispose();
    server.release();

    const after = openSession(server, { store: before.store });
    await after.session.start();
    expect(after.shown().items).toEqual([box("a", 30)]);
    await after.clock.pass(10_000);
    expect(server.received[1]).toEqual(server.received[0]);
    expect(server.items).toEqual([box("a", 30)]);
    expect(server.writes).toBe(2);
    expect(after.session.state.get().phase).toBe("clean");
  });

  it("resumes with a request that never arrived", async () => {
    const server = new FakeServer([box("a")]);
    server.fates = ["lost-request"];
    const before = openSession(server);
    before.edit([box("a", 20)]);
    await before.clock.pass(DEBOUNCE_MS);
    before.session.dispose();
    const after = openSession(server, { store: before.store });
    await after.session.start();
    await settle();
    expect(server.sent[1]).toEqual(server.sent[0]);
    expect(server.items).toEqual([box("a", 20)]);
  });

  it("brings back edits that were never sent, merged with what happened meanwhile", async () => {
    const server = new FakeServer([box("a"), box("b")]);
    const before = openSession(server);
    before.edit([box("a", 20), box("b")]);
    await before.clock.pass(300);
    before.session.dispose();
    server.change([box("a"), box("b", 70)]);
    const after = openSession(server, { store: before.store });
    await after.session.start();
    await after.clock.pass(1);
    expect(server.items).toEqual([box("a", 20), box("b", 70)]);
    expect((await after.store.backups(SIGNATURE)).map((backup) => backup.reason)).toContain("restore");
  });

  it("an open conflict is still open after a reload", async () => {
    const server = new FakeServer([box("a")]);
    const before = openSession(server);
    server.change([box("a", 70)]);
    before.edit([box("a", 20)]);
    await before.clock.pass(5_000);
    expect(before.session.state.get().phase).toBe("conflict");
    before.session.dispose();
    const after = openSession(server, { store: before.store });
    await after.session.start();
    await after.clock.pass(60_000);
    expect(after.session.state.get()).toMatchObject({ phase: "conflict", conflicts: [{ id: "a" }] });
    expect(server.items).toEqual([box("a", 70)]);
    after.session.resolve(new Map([["a", "mine"]]));
    await after.clock.pass(1);
    expect(server.items).toEqual([box("a", 20)]);
  });

  it("never loads a copy of another picture", async () => {
    const server = new FakeServer([box("a")]);
    const before = openSession(server);
    before.edit([box("a", 20)]);
    await before.clock.pass(300);
    before.session.dispose();
    const after = openSession(server, { store: before.store, signature: "task:100x80:different" });
    await after.session.start();
    await after.clock.pass(10_000);
    expect(after.shown().items).toEqual([box("a")]);
    expect(server.sent).toHaveLength(0);
    expect(await after.session.otherCopies()).toEqual([]);
  });

  it("offers another tab's unsaved work and joins it in on request", async () => {
    const server = new FakeServer([box("a"), box("b")]);
    const gone = openSession(server, { tabId: "gone" });
    gone.edit([box("a", 20), box("b")]);
    await gone.clock.pass(300);
    gone.session.dispose();
    const here = openSession(server, { tabId: "here", store: gone.store });
    await here.session.start();
    expect(here.shown().items).toEqual([box("a"), box("b")]);
    const [copy] = await here.session.otherCopies();
    here.edit([box("a"), box("b", 40)]);
    if (copy) await here.session.restore(copy);
    await here.clock.pass(DEBOUNCE_MS);
    expect(server.items).toEqual([box("a", 20), box("b", 40)]);
    expect(await here.session.otherCopies()).toEqual([]);
  });

  it("offers no copy that would change nothing: its save got through after all", async () => {
    const server = new FakeServer([box("a")]);
    server.fates = ["lost-reply"];
    const gone = openSession(server, { tabId: "gone" });
    gone.edit([box("a", 20)]);
    await gone.clock.pass(1000);
    expect(server.items).toEqual([box("a", 20)]);
    gone.session.dispose();
    const here = openSession(server, { tabId: "here", store: gone.store });
    await here.session.start();
    expect(await here.session.otherCopies()).toEqual([]);
    expect(await gone.store.load("gone", SIGNATURE)).toBeNull();
  });

  it("a copy that conflicts with the present state is offered, with what it would bring", async () => {
    const server = new FakeServer([box("a"), box("b")]);
    const gone = openSession(server, { tabId: "gone" });
    gone.edit([box("a", 20), box("b"), box("c")]);
    await gone.clock.pass(300);
    gone.session.dispose();
    server.change([box("a", 70), box("b")]);
    const here = openSession(server, { tabId: "here", store: gone.store });
    await here.session.start();
    const [copy] = await here.session.otherCopies();
    const joined = copy && joinedWith(copy, here.session.working);
    expect(joined?.conflicts.map(({ id }) => id)).toEqual(["a"]);
    const changes = joined ? documentChanges(here.session.working, joined.document) : [];
    expect(changes.map(({ kind, entry }) => [kind, entry?.id])).toEqual([
      ["changed", "a"],
      ["added", "c"],
    ]);
  });

  it("an earlier state is brought back as a change of the person's own", async () => {
    const server = new FakeServer([box("a"), box("b")]);
    const { session, clock, edit, shown } = openSession(server);
    edit([box("a")]);
    await clock.pass(DEBOUNCE_MS);
    await session.lockLost();
    edit([box("z")]);
    session.lockRegained(server.snapshot());
    await clock.pass(DEBOUNCE_MS);
    const [backup] = await session.backups();
    expect(backup?.reason).toBe("conflict");
    if (backup) await session.bringBack({ ...backup, document: { ...backup.document, items: [box("b")] } });
    expect(shown().items).toEqual([box("b")]);
    await clock.pass(DEBOUNCE_MS);
    expect(server.items).toEqual([box("b")]);
    // One of another picture stays where it is.
    if (backup) await session.bringBack({ ...backup, signature: "another" });
    expect(shown().items).toEqual([box("b")]);
  });

  it("leaves no copy behind when everything is saved", async () => {
    const server = new FakeServer([box("a")]);
    const { clock, edit, store } = openSession(server);
    edit([box("a", 20)]);
    await clock.pass(DEBOUNCE_MS);
    expect(await store.load("tab-1", SIGNATURE)).toBeNull();
  });

  it("a browser without storage costs the copy, never the save", async () => {
    const server = new FakeServer([box("a")]);
    const refused = () => Promise.reject(new Error("no storage"));
    const store: RecoveryStore = {
      load: refused,
      save: refused,
      remove: refused,
      others: refused,
      addBackup: refused,
      backups: refused,
    };
    const { clock, edit, session } = openSession(server, { store });
    await session.start();
    edit([box("a", 20)]);
    await clock.pass(DEBOUNCE_MS);
    expect(server.items).toEqual([box("a", 20)]);
  });
});

it("the signature tells task, size and content", () => {
  const task = { id: "t", asset: { width: 1, height: 2, sha256: "x" } };
  const others = [
    { ...task, id: "u" },
    { ...task, asset: { ...task.asset, width: 3 } },
    { ...task, asset: { ...task.asset, sha256: "y" } },
  ];
  for (const other of others) expect(signatureOf(other)).not.toBe(signatureOf(task));
});
