import { type ConfigEntry, configEntries, type EditorDocument, same } from "./document";
import type { Entry } from "./merge";

/** One thing that differs between two documents. `entry` is how it is after; for a removed one, how it was. */
export interface DocumentChange {
  part: keyof EditorDocument;
  kind: "added" | "changed" | "removed" | "reordered";
  entry: Entry | null;
}

/** What `after` would bring, told one by one: nobody joins in what they have not seen. */
export function documentChanges(before: EditorDocument, after: EditorDocument): DocumentChange[] {
  return [
    ...listChanges("items", before.items, after.items),
    ...listChanges("candidates", before.candidates, after.candidates),
    ...configChanges(configEntries(before.config), configEntries(after.config)),
  ];
}

function listChanges(part: "items" | "candidates", before: Entry[], after: Entry[]): DocumentChange[] {
  const known = new Map(before.map((entry) => [entry.id, entry]));
  const changes: DocumentChange[] = [];
  for (const entry of after) {
    const old = known.get(entry.id);
    known.delete(entry.id);
    if (!old) changes.push({ part, kind: "added", entry });
    else if (!same(old, entry)) changes.push({ part, kind: "changed", entry });
  }
  for (const entry of known.values()) changes.push({ part, kind: "removed", entry });
  if (!changes.length && !same(before, after)) changes.push({ part, kind: "reordered", entry: null });
  return changes;
}

function configChanges(before: ConfigEntry[], after: ConfigEntry[]): DocumentChange[] {
  const known = new Map(before.map((entry) => [entry.id, entry]));
  return after
    .filter((entry) => !same(known.get(entry.id), entry))
    .map((entry) => ({ part: "config", kind: "changed", entry }));
}
