import type { Instant, PastAct, UserRef } from "../api/types";
import type { LockState } from "../session/lockKeeper";
import type { WorkbenchPage } from "./page";

/** What ended the person's hold on the task, as its history tells. */
export interface LockEnd {
  kind: "released" | "expired" | "left" | "taken";
  by: UserRef | null;
  /** Null where nobody noted it: the lock ran out, and nobody has looked since. */
  at: Instant | null;
  reason: string;
}

const KINDS: Record<string, LockEnd["kind"]> = {
  "lock.force_release": "released",
  "lock.expire": "expired",
  "lock.release": "released",
  "lock.takeover": "taken",
};

/** The newest entry about `username`'s lock; without one after it was taken last, it ran out by itself. */
export function endOf(history: readonly PastAct[], username: string): LockEnd | null {
  for (const { action, before, after, actor, at, reason } of [...history].reverse()) {
    if (!action.startsWith("lock.")) continue;
    if (after?.holder === username) return { kind: "expired", by: null, at: null, reason: "" };
    const byOneself = action === "lock.release" && actor?.username === username;
    const kind = byOneself ? "left" : KINDS[action];
    if (!kind || before?.holder !== username) continue;
    const ranOutAt = typeof before.expire_at === "string" ? before.expire_at : at;
    return { kind, by: actor, at: kind === "expired" ? ranOutAt : at, reason };
  }
  return null;
}

/** Keeps the page told of why its lock is gone: asked once for each loss, forgotten when the task is held again. */
export function watchLockEnd(page: WorkbenchPage): void {
  let before: LockState["kind"] = "none";
  page.lock.state.subscribe(() => {
    const { kind } = page.lock.state.get();
    if (kind === "lost" && before !== "lost") void ask(page);
    else if (kind === "held") page.state.patch({ lockEnd: null });
    before = kind;
  });
}

/** What ended it, for who may (still) read the history; else the lock itself says all there is to say. */
export async function readEnd(page: WorkbenchPage): Promise<LockEnd | null> {
  const history = await page.deps.api.history(page.taskId).catch(() => null);
  return history ? endOf(history.items, page.state.get().me.username) : null;
}

async function ask(page: WorkbenchPage): Promise<void> {
  const lockEnd = await readEnd(page);
  if (lockEnd && page.lock.state.get().kind === "lost") page.state.patch({ lockEnd });
}
