import type { Candidate, EditorSnapshot, Item, SaveReply, TaskConfig } from "../api/types";

/** What of the task's config a person may change here; its labels belong to the project. */
export type Question = Pick<TaskConfig, "question" | "selection_mode" | "targets" | "geometries">;

/** What a person edits: the draft's items, the candidates and the question, always saved together. */
export interface EditorDocument {
  items: Item[];
  candidates: Candidate[];
  config: Question;
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
  config?: { expected_version: number } & Question;
}

export function baseOf(snapshot: EditorSnapshot): Base {
  return {
    document: {
      items: snapshot.draft.items,
      candidates: snapshot.candidates.items,
      config: questionOf(snapshot.config),
    },
    versions: {
      config: snapshot.config.version,
      candidateSetId: snapshot.candidates.set_id,
      draft: snapshot.draft.version,
    },
  };
}

export function questionOf({ question, selection_mode, targets, geometries }: TaskConfig): Question {
  return { question, selection_mode, targets, geometries };
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
  if (!same(base.document.config, working.config)) {
    body.config = { expected_version: base.versions.config, ...document.config };
  }
  return Object.freeze({ requestId, body, document });
}

/**
 * The base after a save's reply: the parts that the request carried, at the versions that the server gave. A part
 * that it did not carry keeps its version: what the server has of it now may be somebody else's, not yet read here.
 */
export function baseAfter(base: Base, pending: Pending, reply: SaveReply): Base {
  return {
    document: {
      items: pending.body.draft ? pending.document.items : base.document.items,
      candidates: pending.body.candidates ? pending.document.candidates : base.document.candidates,
      config: pending.body.config ? pending.document.config : base.document.config,
    },
    versions: {
      config: pending.body.config ? reply.config_version : base.versions.config,
      candidateSetId: pending.body.candidates ? reply.candidate_set_id : base.versions.candidateSetId,
      draft: pending.body.draft ? reply.draft_version : base.versions.draft,
    },
  };
}

/** A copy that an older page left knows no question: it gets the present one. */
export function withQuestion(document: EditorDocument, config: Question): EditorDocument {
  return document.config ? document : { ...document, config };
}

/** How many items, candidates and parts of the question differ: "3 edits wait". */
export function countEdits(base: EditorDocument, working: EditorDocument): number {
  return (
    countPart(base.items, working.items) +
    countPart(base.candidates, working.candidates) +
    countPart(configEntries(base.config), configEntries(working.config))
  );
}

/** One part of the question, so that parts are compared and joined like items. */
export interface ConfigEntry {
  id: keyof Question;
  value: unknown;
}

export function configEntries(config: Question): ConfigEntry[] {
  return (Object.keys(config) as (keyof Question)[]).map((id) => ({ id, value: config[id] }));
}

export function configOf(entries: readonly ConfigEntry[]): Question {
  return Object.fromEntries(entries.map(({ id, value }) => [id, value])) as unknown as Question;
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
