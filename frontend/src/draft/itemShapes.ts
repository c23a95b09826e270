import type { Candidate, GeometryKind, Item, SelectionMode } from "../api/types";
import { rounded, type Shape } from "../editor/shapes";
import type { EditorDocument } from "../session/document";
import { isAt, isProposal, type Known, proposalOf, standingOf } from "./provenance";

/** A draft's item as a shape. */
export function shapeOfItem(item: Item, candidates: readonly Candidate[], known: Known): Shape {
  const candidate = item.source ? candidates.find(({ id }) => id === item.source?.candidate_id) : undefined;
  return {
    id: item.id,
    label: item.label,
    geometry: item.geometry,
    ...standingOf(item, known),
    score: (proposalOf(item, known) ?? candidate)?.score ?? null,
    order: item.order ?? null,
    source: item.source ?? null,
  };
}

export function itemOfShape(shape: Shape): Item {
  return {
    id: shape.id,
    label: shape.label,
    geometry: shape.geometry,
    ...(shape.order == null ? {} : { order: shape.order }),
    ...(shape.source ? { source: shape.source } : {}),
  };
}

/** The draft's shapes in the order of the list; where the question asks for an order, in that one. */
export function shapesOf(document: EditorDocument, known: Known): Shape[] {
  const shapes = document.items.map((item) => shapeOfItem(item, document.candidates, known));
  if (document.config.selection_mode !== "ordered") return shapes;
  // What carries no number stands behind, as it was drawn.
  return shapes.sort((a, b) => (a.order ?? Number.POSITIVE_INFINITY) - (b.order ?? Number.POSITIVE_INFINITY));
}

/** The draft's items; where the question asks for an order, the list's order is it. */
export function itemsOf(shapes: readonly Shape[], mode: SelectionMode): Item[] {
  const items = shapes.map(itemOfShape);
  return mode === "ordered" ? items.map((item, index) => ({ ...item, order: index + 1 })) : items;
}

/** A candidate as a shape of its own list, to be corrected before it is judged or adopted. */
export function shapeOfCandidate(candidate: Candidate, known: Known): Shape {
  const [x, y] = candidate.center;
  return {
    id: candidate.id,
    label: candidate.label,
    geometry: candidate.bbox ? { type: "bbox", bbox: candidate.bbox } : { type: "point", x, y },
    by: isProposal(candidate, known) ? "model" : "person",
    score: candidate.score,
  };
}

/** Null for a kind of shape that no candidate has. The centre beside a box is computed as the server does. */
export function candidateOfShape({ id, label, geometry, score }: Shape): Candidate | null {
  if (geometry.type === "polygon") return null;
  if (geometry.type === "point") return { id, label, center: [geometry.x, geometry.y], bbox: null, score };
  const [x1, y1, x2, y2] = geometry.bbox;
  return { id, label, center: [rounded((x1 + x2) / 2), rounded((y1 + y2) / 2)], bbox: geometry.bbox, score };
}

/** The new item that adopts a candidate: its box where the task takes boxes, else its centre. */
export function adopted(
  candidate: Candidate,
  setId: string,
  id: string,
  kinds: readonly GeometryKind[] = ["bbox", "point"],
): Shape {
  const [x, y] = candidate.center;
  const boxed = candidate.bbox !== null && (kinds.includes("bbox") || !kinds.includes("point"));
  return {
    id,
    label: candidate.label,
    geometry: boxed && candidate.bbox ? { type: "bbox", bbox: candidate.bbox } : { type: "point", x, y },
    by: "model",
    score: candidate.score,
    source: { candidate_set_id: setId, candidate_id: candidate.id },
  };
}

/** What the model found and the draft does not hold yet, neither by its source nor in the very same place. */
export function openCandidates(candidates: readonly Candidate[], shapes: readonly Shape[]): Candidate[] {
  const adoptedIds = new Set(shapes.map((shape) => shape.source?.candidate_id));
  return candidates.filter(
    (candidate) => !adoptedIds.has(candidate.id) && !shapes.some((shape) => isAt(shape, candidate)),
  );
}
