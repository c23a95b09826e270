import { describe, expect, it } from "vitest";
import type { Lock, PastAct } from "../src/api/types";
import { translator } from "../src/i18n";
import { lostWords, reasonWords } from "../src/workbench/LockBanner";
import { endOf, type LockEnd } from "../src/workbench/lockEnd";

const ANNA = { id: "anna", username: "anna", name: "Anna" };
const OLGA = { id: "olga", username: "olga", name: "Olga" };
const ABEL = { id: "abel", username: "abel", name: "Abel" };
const act = (action: string, more: Partial<PastAct> = {}): PastAct => ({
  at: "2026-01-01T09:00:00Z",
  kind: "lock",
  number: 1,
  role: "",
  action,
  actor: null,
  reason: "",
  before: null,
  after: null,
  ...more,
});
const mine = act("lock.acquire", { after: { holder: "anna", token: 1 } });

describe("what ended the lock, by the task's history", () => {
  it("somebody released it, with a reason", () => {
    const released = act("lock.force_release", {
      actor: OLGA,
      reason: "needed elsewhere",
      before: { holder: "anna" },
    });
    expect(endOf([mine, released, act("task.config")], "anna")).toEqual({
      kind: "released",
      by: OLGA,
      at: released.at,
      reason: "needed elsewhere",
    });
  });

  it("of another's lock, or before the last time that it was held, is not it", () => {
    const before = act("lock.force_release", { before: { holder: "anna" } });
    expect(endOf([before, mine], "anna")).toMatchObject({ kind: "expired", at: null });
    expect(endOf([act("lock.force_release", { before: { holder: "abel" } })], "anna")).toBeNull();
  });

  it("it ran out when it did, not when that was noticed", () => {
    const ranOut = act("lock.expire", { before: { holder: "anna", expire_at: "2026-01-01T08:00:00Z" } });
    expect(endOf([mine, ranOut], "anna")).toMatchObject({ kind: "expired", at: "2026-01-01T08:00:00Z" });
  });

  it("it was taken over, or given back on another page", () => {
    const takeover = act("lock.takeover", { actor: ABEL, before: { holder: "anna" } });
    expect(endOf([mine, takeover], "anna")).toMatchObject({ kind: "taken", by: ABEL });
    const left = act("lock.release", { actor: ANNA, before: { holder: "anna" } });
    expect(endOf([mine, left], "anna")?.kind).toBe("left");
  });

  it("a correction ends when others decide the review: nobody has given that back", () => {
    const reason = "the review was decided";
    const decided = act("lock.release", { actor: OLGA, reason, before: { holder: "anna" } });
    expect(endOf([mine, decided], "anna")).toMatchObject({ kind: "released", by: OLGA, reason });
  });
});

describe("the banner says who, when and why", () => {
  const at = "2026-01-01T09:00:00Z";
  const lock = { user: ABEL, acquired_at: at } as Lock;
  const words = (end: LockEnd | null, now: Lock | null = null, last: Lock | null = null) =>
    lostWords({ kind: "lost", lock: now, last }, end, translator("en"), () => "14:02").join(" ");

  it("whoever released it, and whose it is now", () => {
    const end: LockEnd = { kind: "released", by: OLGA, at, reason: "needed elsewhere" };
    expect(words(end)).toBe(
      "Olga ended your hold on this task at 14:02: “needed elsewhere”. Nobody holds it now.",
    );
    expect(words(end, lock)).toBe(
      "Olga ended your hold on this task at 14:02: “needed elsewhere”. Abel holds this task now, since 14:02.",
    );
  });

  it("nobody released what ran out", () => {
    expect(words({ kind: "expired", by: null, at, reason: "" })).toContain("ran out at 14:02");
    expect(words({ kind: "expired", by: null, at: null, reason: "" })).toContain("has run out");
  });

  it("without the history it says what the lock says", () => {
    expect(words(null)).toBe("You no longer hold this task; nobody else does.");
    expect(words(null, lock)).toBe("Abel holds this task now, since 14:02.");
    expect(words(null, null, lock)).toBe("Abel took this task over at 14:02. Nobody holds it now.");
  });
});

it("a reason of the system's own is said in the reader's language, a person's as typed", () => {
  const zh = translator("zh-hans");
  expect(reasonWords("batch on hold: light: too dark", zh)).toBe("批次已暂停：light: too dark");
  expect(reasonWords("no longer a member", zh)).toBe("不再是成员");
  expect(reasonWords("role changed: viewer", zh)).toBe("角色已更改：观察者");
  expect(reasonWords("Lunch: back at two", zh)).toBe("Lunch: back at two");
});
