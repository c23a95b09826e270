import type { Candidate, EditorSnapshot, Item, SaveReply } from "../api/types";

/** What a person edits: the draft's items and the candidates, always saved together. */
export interface EditorDocument {
  items: Item[];
  candidates: Candidate[];
}

/** The server's versions that a save expects. */
export interface Versions {
  config: number;
  candidateSetId: string | null;
  draft: number;
}

export interface Base {
  document: EditorDocument;
  versions: Versions;
}

/** The one request in flight. Never changed once made: only its reply ends it. */
export interface Pending {
  readonly requestId: string;
  readonly body: SaveBody;
  readonly document: EditorDocument;
}

export interface SaveBody {
  request_id: string;
  draft?: { expected_version: number; items: Item[] };
  candidates?: { expected_set_id: string | null; items: Candidate[] };
}

export function baseOf(snapshot: EditorSnapshot): Base {
  return {
    document: { items: snapshot.draft.items, candidates: snapshot.candidates.items },
    versions: {
      config: snapshot.config.version,
      candidateSetId: snapshot.candidates.set_id,
      draft: snapshot.draft.version,
    },
  };
}

/** Equality of JSON values that ignores key order and treats a missing field like `null`. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (a == null || b == null) return a == null && b == null;
  if (typeof a !== "object" || typeof b !== "object") return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((value, index) => same(value, b[index]));
  }
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].every((key) => same(left[key], right[key]));
}

/** A frozen request that holds only the parts that differ from the base. */
export function buildPending(base: Base, working: EditorDocument, requestId: string): Pending {
  const body: SaveBody = { request_id: requestId };
  const document = structuredClone(working);
  if (!same(base.document.items, working.items)) {
    body.draft = { expected_version: base.versions.draft, items: document.items };
  }
  if (!same(base.document.candidates, working.candidates)) {
    body.candidates = { expected_set_id: base.versions.candidateSetId, items: document.candidates };
  }
  return Object.freeze({ requestId, body, document });
}

/** The base after a save's reply: the parts that the request carried, at the versions that the server gave. */
export function baseAfter(base: Base, pending: Pending, reply: SaveReply): Base {
  return {
    document: {
      items: pending.body.draft ? pending.document.items : base.document.items,
      candidates: pending.body.candidates ? pending.document.candidates : base.document.candidates,
    },
    versions: {
      config: reply.config_version,
      candidateSetId: reply.candidate_set_id,
      draft: reply.draft_version,
    },
  };
}

/** How many items and candidates differ: "3 edits wait". */
export function countEdits(base: EditorDocument, working: EditorDocument): number {
  return countPart(base.items, working.items) + countPart(base.candidates, working.candidates);
}

function countPart(before: { id: string }[], after: { id: string }[]): number {
  const known = new Map(before.map((entry) => [entry.id, entry]));
  let count = 0;
  for (const entry of after) {
    if (!same(known.get(entry.id), entry)) count += 1;
    known.delete(entry.id);
  }
  count += known.size;
  // The same entries in another order are one edit.
  return count || (same(before, after) ? 0 : 1);
}
