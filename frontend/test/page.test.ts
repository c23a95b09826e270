import { describe, expect, it } from "vitest";
import type { Api } from "../src/api/calls";
import type { EditorSnapshot, Lock } from "../src/api/types";
import type { Config } from "../src/config";
import { createMemoryStore } from "../src/session/recovery";
import { WorkbenchPage } from "../src/workbench/page";
import { takeOver } from "../src/workbench/taskActions";
import { FakeClock, settle } from "./support/fakeClock";

const ABEL = { id: "abel", username: "abel", name: "Abel" };
const AT = "2026-01-01T09:00:00Z";

function lockOf(user = ABEL): Lock {
  return { task_id: "t", user, acquired_at: AT, heartbeat_at: AT, stale_at: AT, expire_at: AT };
}

function snapshot(draftVersion: number, lock: Lock | null): EditorSnapshot {
  return {
    task: { id: "t", status: "in_progress", asset: { width: 100, height: 80, sha256: "abc" } },
    config: { version: 1, question: "", selection_mode: "free", targets: [], labels: [], geometries: [] },
    candidates: { set_id: null, revision: 0, items: [] },
    draft: { version: draftVersion, items: [] },
    is_confirmed: false,
    lock,
  } as unknown as EditorSnapshot;
}

/** A page whose readings of the editor are answered when, and as, the test says. */
function openPage(first = snapshot(1, null), more: Partial<Api> = {}) {
  const readings: ((snapshot: EditorSnapshot) => void)[] = [];
  const editor = () => new Promise<EditorSnapshot>((resolve) => readings.push(resolve));
  const page = new WorkbenchPage(
    {
      config: {
        taskId: "t",
        user: { id: "anna", username: "anna", name: "Anna" },
        role: "annotator",
      } as Config,
      api: { editor, ...more } as unknown as Api,
      clock: new FakeClock(),
      random: () => 0,
      newId: () => "id",
      store: createMemoryStore(),
      panelStorage: { get: () => null, set: () => undefined, remove: () => undefined },
      tabId: "tab",
      clientId: "page",
      t: (key) => key,
      beatBySocket: () => false,
    },
    first,
    null,
  );
  const answer = async (which: number, with_: EditorSnapshot) => {
    readings[which]?.(with_);
    await settle();
  };
  return { page, answer };
}

describe("what is read and what is told, in any order", () => {
  it("a lock that was read before the stream told of its end is not shown again", async () => {
    const { page, answer } = openPage();
    page.lock.changed(lockOf());
    void page.reloadEditor();
    page.lock.changed(null);
    await answer(0, snapshot(2, lockOf()));
    expect(page.lock.state.get().kind).toBe("none");
  });

  it("and one that was read free before the stream told of a holder takes no banner away", async () => {
    const { page, answer } = openPage();
    void page.reloadEditor();
    page.lock.changed(lockOf());
    await answer(0, snapshot(2, null));
    expect(page.lock.state.get()).toMatchObject({ kind: "other", lock: { user: ABEL } });
  });

  it("without anything told meanwhile the lock that was read is shown", async () => {
    const { page, answer } = openPage();
    void page.reloadEditor();
    await answer(0, snapshot(2, lockOf()));
    expect(page.lock.state.get()).toMatchObject({ kind: "other", lock: { user: ABEL } });
  });

  it("what was confirmed without the edits of this page does not count as confirmed", async () => {
    const { page, answer } = openPage();
    const { working } = page.session;
    const item = { id: "a", label: "cup", geometry: { type: "bbox", bbox: [1, 1, 9, 9] } };
    page.session.edit({ ...working, items: [item] as unknown as typeof working.items });
    void page.reloadEditor();
    await answer(0, { ...snapshot(1, null), is_confirmed: true });
    expect(page.state.get().editor.is_confirmed).toBe(false);
  });

  it("what is confirmed and unchanged here is shown so", async () => {
    const { page, answer } = openPage();
    void page.reloadEditor();
    await answer(0, { ...snapshot(2, null), is_confirmed: true });
    expect(page.state.get().editor.is_confirmed).toBe(true);
  });

  it("what was confirmed while the lock was away is seen when it is held again", async () => {
    const source = { candidate_set_id: "set", candidate_id: "c" };
    const item = { id: "a", label: "cup", geometry: { type: "bbox", bbox: [1, 1, 9, 9] }, source };
    const found = { id: "c", set_id: "set", label: "cup", bbox: [1, 1, 9, 9], center: [5, 5], score: 0.9 };
    const first = {
      ...snapshot(1, null),
      draft: { version: 1, items: [item] },
      candidates: { set_id: "set", revision: 1, items: [found], proposed: [found] },
    } as unknown as EditorSnapshot;
    const { page, answer } = openPage(first);
    expect(page.draft.store.get("a")?.by).toBe("model");
    page.lock.hold(lockOf(), true);
    const annotation = { revision: 1, items: [item] } as unknown as EditorSnapshot["annotation"];
    await answer(0, { ...first, annotation, has_confirmed_snapshot: true });
    expect(page.draft.store.get("a")?.by).toBe("person");
  });

  it("a lost task that was given back meanwhile is claimed, and the edits go on", async () => {
    const anna = { id: "anna", username: "anna", name: "Anna" };
    const first = snapshot(1, lockOf(anna));
    const claim = async () => ({ task: first.task, lock: lockOf(anna) });
    const history = async () => ({ items: [] });
    const { page, answer } = openPage(first, { claim, history } as unknown as Partial<Api>);
    page.lock.hold(lockOf(anna));
    page.lock.changed(null);
    await page.session.lockLost();
    page.setTask({ ...first.task, status: "pending" });
    const taken = takeOver(page);
    await settle();
    await answer(0, first);
    await answer(1, first);
    await taken;
    expect(page.lock.isHeld).toBe(true);
    expect(page.session.state.get().phase).toBe("clean");
  });

  it("a reading that comes after a later one is dropped", async () => {
    const { page, answer } = openPage();
    void page.reloadEditor();
    void page.reloadEditor();
    await answer(1, snapshot(3, null));
    await answer(0, snapshot(2, null));
    expect(page.state.get().editor.draft.version).toBe(3);
  });
});
