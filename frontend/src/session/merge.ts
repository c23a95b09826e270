import { type ConfigEntry, configEntries, configOf, type EditorDocument, same } from "./document";

export type Choice = "mine" | "theirs";

/** One item, candidate or part of the question that both sides changed in ways that do not fit together; `null` means "removed". */
export interface MergeConflict {
  part: keyof EditorDocument;
  id: string;
  base: Entry | null;
  mine: Entry | null;
  theirs: Entry | null;
}

export type Entry = EditorDocument["items"][number] | EditorDocument["candidates"][number] | ConfigEntry;

export interface MergeResult {
  /** Everything that joins by itself; open conflicts stand as the person's own version. */
  document: EditorDocument;
  conflicts: MergeConflict[];
}

/** Three-way merge, item by item and field by field. Nothing is dropped: what does not join is a conflict. */
export function mergeDocuments(
  base: EditorDocument,
  mine: EditorDocument,
  theirs: EditorDocument,
): MergeResult {
  const items = mergeList("items", base.items, mine.items, theirs.items);
  const candidates = mergeList("candidates", base.candidates, mine.candidates, theirs.candidates);
  const [was, own, others] = [base, mine, theirs].map(({ config }) => configEntries(config));
  const config = mergeList("config", was ?? [], own ?? [], others ?? []);
  return {
    document: { items: items.list, candidates: candidates.list, config: configOf(config.list) },
    conflicts: [...items.conflicts, ...candidates.conflicts, ...config.conflicts],
  };
}

/** Replaces the conflicts of `document` by the chosen sides. */
export function applyChoices(
  document: EditorDocument,
  conflicts: MergeConflict[],
  choices: ReadonlyMap<string, Choice>,
): EditorDocument {
  const lists = {
    items: [...document.items] as Entry[],
    candidates: [...document.candidates] as Entry[],
    config: configEntries(document.config) as Entry[],
  };
  for (const conflict of conflicts) {
    if (choices.get(conflict.id) !== "theirs") continue;
    const list = lists[conflict.part];
    const index = list.findIndex((entry) => entry.id === conflict.id);
    if (conflict.theirs === null) {
      if (index >= 0) list.splice(index, 1);
    } else if (index >= 0) list[index] = conflict.theirs;
    else list.push(conflict.theirs);
  }
  return {
    items: lists.items as EditorDocument["items"],
    candidates: lists.candidates as EditorDocument["candidates"],
    config: configOf(lists.config as ConfigEntry[]),
  };
}

function mergeList<T extends Entry>(
  part: keyof EditorDocument,
  base: T[],
  mine: T[],
  theirs: T[],
): { list: T[]; conflicts: MergeConflict[] } {
  const inBase = byId(base);
  const inMine = byId(mine);
  const inTheirs = byId(theirs);
  const conflicts: MergeConflict[] = [];
  const merged = new Map<string, T>();
  for (const id of new Set([...inBase.keys(), ...inMine.keys(), ...inTheirs.keys()])) {
    const [b, m, t] = [inBase.get(id) ?? null, inMine.get(id) ?? null, inTheirs.get(id) ?? null];
    let entry: T | null;
    if (same(m, b)) entry = t;
    else if (same(t, b) || same(m, t)) entry = m;
    else {
      const joined = b && m && t ? joinFields(b, m, t) : null;
      if (!joined) conflicts.push({ part, id, base: b, mine: m, theirs: t });
      entry = joined ?? m;
    }
    if (entry) merged.set(id, entry);
  }
  const reordered = !same(order(base, inMine), order(mine, inBase));
  return { list: arrange(merged, reordered ? [mine, theirs] : [theirs, mine]), conflicts };
}

/** One side moved it and the other renamed it: both hold. `null` when one field was changed by both. */
function joinFields<T extends Entry>(base: T, mine: T, theirs: T): T | null {
  const joined: Record<string, unknown> = {};
  const [b, m, t] = [base, mine, theirs] as unknown as Record<string, unknown>[];
  if (!b || !m || !t) return null;
  for (const key of new Set([...Object.keys(b), ...Object.keys(m), ...Object.keys(t)])) {
    if (same(m[key], b[key])) joined[key] = t[key];
    else if (same(t[key], b[key]) || same(m[key], t[key])) joined[key] = m[key];
    else return null;
  }
  return joined as unknown as T;
}

function arrange<T extends Entry>(merged: Map<string, T>, orders: T[][]): T[] {
  const left = new Map(merged);
  const list: T[] = [];
  for (const order of orders) {
    for (const { id } of order) {
      const entry = left.get(id);
      if (!entry) continue;
      list.push(entry);
      left.delete(id);
    }
  }
  return list;
}

function byId<T extends Entry>(list: T[]): Map<string, T> {
  return new Map(list.map((entry) => [entry.id, entry]));
}

function order(list: Entry[], within: Map<string, Entry>): string[] {
  return list.map((entry) => entry.id).filter((id) => within.has(id));
}
