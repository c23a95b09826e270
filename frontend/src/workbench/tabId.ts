const KEY = "countersign.tab";

/**
 * This tab's own name for its recovery copy. It survives a reload. A duplicated tab copies the storage along
 * with the name, so the name counts only while its browser-wide lock is free.
 */
export async function chooseTabId(
  storage: Storage,
  newId: () => string,
  locks: LockManager | undefined,
): Promise<string> {
  const kept = storage.getItem(KEY);
  if (kept && (await hold(kept, locks))) return kept;
  const fresh = newId();
  storage.setItem(KEY, fresh);
  await hold(fresh, locks);
  return fresh;
}

/** Names of tabs that are open now: their copies are work in progress, not work left behind. */
export async function openTabs(locks: LockManager | undefined): Promise<ReadonlySet<string>> {
  const state = await locks?.query().catch(() => null);
  return new Set((state?.held ?? []).map((lock) => (lock.name ?? "").replace(`${KEY}.`, "")));
}

function hold(id: string, locks: LockManager | undefined): Promise<boolean> {
  if (!locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    locks
      .request(`${KEY}.${id}`, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        // Held until the tab goes.
        return lock ? new Promise<void>(() => undefined) : undefined;
      })
      .catch(() => resolve(true));
  });
}
