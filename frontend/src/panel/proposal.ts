import type { Shape } from "../editor/shapes";
import { isChanged } from "./boxRows";

/** A person's edits apart from the list that they were made on. */
export interface Proposal {
  added: Shape[];
  changed: { before: Shape; after: Shape }[];
  removed: string[];
}

export function proposalOf(shown: readonly Shape[], now: readonly Shape[]): Proposal {
  const before = new Map(shown.map((shape) => [shape.id, shape]));
  const present = new Set(now.map((shape) => shape.id));
  const proposal: Proposal = { added: [], changed: [], removed: [] };
  for (const after of now) {
    const known = before.get(after.id);
    if (!known) proposal.added.push(after);
    else if (isChanged(known, after) || known.policy !== after.policy) {
      proposal.changed.push({ before: known, after });
    }
  }
  proposal.removed = shown.filter((shape) => !present.has(shape.id)).map((shape) => shape.id);
  return proposal;
}

export function isEmptyProposal({ added, changed, removed }: Proposal): boolean {
  return added.length + changed.length + removed.length === 0;
}

/**
 * Puts the edits on another list. A box that is gone there takes its edit along as a box of the person's
 * own (nothing drawn is lost); a removal of a box that is not there has nothing left to do.
 */
export function applyProposal(shown: readonly Shape[], proposal: Proposal, newId: () => string): Shape[] {
  const removed = new Set(proposal.removed);
  const edits = new Map(proposal.changed.map(({ before, after }) => [before.id, { before, after }]));
  const result: Shape[] = [];
  for (const shape of shown) {
    const edit = edits.get(shape.id);
    edits.delete(shape.id);
    if (removed.has(shape.id)) continue;
    result.push(edit ? joined(shape, edit.before, edit.after) : shape);
  }
  const taken = new Set(shown.map((shape) => shape.id));
  for (const { before, after } of edits.values()) {
    if (isChanged(before, after)) result.push({ ...after, id: newId(), by: "person", score: null });
  }
  for (const shape of proposal.added) result.push(taken.has(shape.id) ? { ...shape, id: newId() } : shape);
  return result;
}

/** Only what the person touched comes from the person. */
function joined(shape: Shape, before: Shape, after: Shape): Shape {
  const moved = JSON.stringify(before.geometry) !== JSON.stringify(after.geometry);
  const named = before.label !== after.label;
  return {
    ...shape,
    geometry: moved ? after.geometry : shape.geometry,
    label: named ? after.label : shape.label,
    policy: before.policy !== after.policy ? after.policy : shape.policy,
    by: moved || named ? "person" : shape.by,
  };
}
