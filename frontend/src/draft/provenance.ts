import type { Candidate, EditorSnapshot, Item, Proposed, Role } from "../api/types";
import { same } from "../session/document";

/**
 * Whose an item is, decided here and nowhere else. Dashed (`model`) is what a model proposed, solid (`person`) what a
 * person made, changed or confirmed. `changed`: it came from a model and is not as it was proposed any more.
 */
export interface Standing {
  by: "model" | "person";
  changed: boolean;
}

/** What the server knows that the decision rests on: facts of saved work, so that a reload decides the same. */
export interface Known {
  /** By the item's id. */
  confirmed: ReadonlyMap<string, Item>;
  /** By set and candidate: a candidate's id means something only together with its set's. */
  proposed: ReadonlyMap<string, Proposed>;
  activeSet: string | null;
}

export const NOTHING_KNOWN: Known = { confirmed: new Map(), proposed: new Map(), activeSet: null };

export function knownOf(snapshot: EditorSnapshot, role?: Role): Known {
  // What was confirmed for another question is to be confirmed anew; a viewer sees confirmed work only.
  const counts = snapshot.has_confirmed_snapshot || role === "viewer";
  const confirmed = counts ? (snapshot.annotation?.items ?? []) : [];
  const { proposed = [], set_id: activeSet } = snapshot.candidates;
  return {
    confirmed: new Map(confirmed.map((item) => [item.id, item])),
    proposed: new Map(proposed.map((each) => [keyOf(each.set_id, each.id), each])),
    activeSet,
  };
}

export function standingOf(item: Item, known: Known): Standing {
  if (!item.source) return { by: "person", changed: false };
  const proposal = proposalOf(item, known);
  const changed = !proposal || proposal.label !== item.label || !isAt(item, proposal);
  const confirmed = isSameMark(known.confirmed.get(item.id), item);
  return { by: changed || confirmed ? "person" : "model", changed };
}

/** The candidate that the item came from, as the model proposed it. */
export function proposalOf({ source }: Item, known: Known): Proposed | undefined {
  return source ? known.proposed.get(keyOf(source.candidate_set_id, source.candidate_id)) : undefined;
}

/** Whether a candidate of the present list is a model's own, neither moved nor renamed. */
export function isProposal(candidate: Candidate, known: Known): boolean {
  const proposal = known.proposed.get(keyOf(known.activeSet, candidate.id));
  if (!proposal || proposal.label !== candidate.label) return false;
  return candidate.bbox
    ? same(candidate.bbox, proposal.bbox)
    : !proposal.bbox && same(candidate.center, proposal.center);
}

export function isAt(item: Pick<Item, "geometry">, candidate: Pick<Candidate, "bbox" | "center">): boolean {
  const { geometry } = item;
  if (geometry.type === "bbox") return candidate.bbox !== null && same(geometry.bbox, candidate.bbox);
  return geometry.type === "point" && same([geometry.x, geometry.y], candidate.center);
}

function isSameMark(one: Item | undefined, other: Item): boolean {
  return one !== undefined && one.label === other.label && same(one.geometry, other.geometry);
}

function keyOf(setId: string | null, candidateId: string): string {
  return `${setId} ${candidateId}`;
}
