import type { Candidate, Item } from "../api/types";
import type { Shape } from "../editor/shapes";
import type { EditorDocument } from "../session/document";

/** A draft's item as a shape: dashed as long as it lies where the model put it and nobody confirmed it. */
export function shapeOfItem(item: Item, candidates: readonly Candidate[], confirmed: boolean): Shape {
  const candidate = item.source ? candidates.find(({ id }) => id === item.source?.candidate_id) : undefined;
  const untouched =
    item.source && (!candidate || (candidate.label === item.label && isAtCandidate(item, candidate)));
  return {
    id: item.id,
    label: item.label,
    geometry: item.geometry,
    by: untouched && !confirmed ? "model" : "person",
    score: candidate?.score ?? null,
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

export function shapesOf(document: EditorDocument, confirmed: boolean): Shape[] {
  return document.items.map((item) => shapeOfItem(item, document.candidates, confirmed));
}

/** The new item that adopts a candidate. */
export function adopted(candidate: Candidate, setId: string, id: string): Shape {
  const [x, y] = candidate.center;
  return {
    id,
    label: candidate.label,
    geometry: candidate.bbox ? { type: "bbox", bbox: candidate.bbox } : { type: "point", x, y },
    by: "model",
    score: candidate.score,
    source: { candidate_set_id: setId, candidate_id: candidate.id },
  };
}

/** What the model found and the draft does not hold yet, neither by its source nor in the very same place. */
export function openCandidates(candidates: readonly Candidate[], shapes: readonly Shape[]): Candidate[] {
  const adoptedIds = new Set(shapes.map((shape) => shape.source?.candidate_id));
  return candidates.filter(
    (candidate) => !adoptedIds.has(candidate.id) && !shapes.some((shape) => isAtCandidate(shape, candidate)),
  );
}

function isAtCandidate(item: Pick<Item, "geometry">, candidate: Candidate): boolean {
  if (item.geometry.type === "bbox")
    return JSON.stringify(item.geometry.bbox) === JSON.stringify(candidate.bbox);
  if (item.geometry.type !== "point") return false;
  return item.geometry.x === candidate.center[0] && item.geometry.y === candidate.center[1];
}
