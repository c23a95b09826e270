import type { Bbox, Box, SubjectAnswer } from "../api/types";
import type { Shape } from "../editor/shapes";

/** A box of the shown list, as a shape on the picture. Boxes without a place are listed, not drawn. */
export function shapeOfBox(box: Box): Shape {
  const [x, y] = box.center;
  return {
    id: box.box_id,
    label: box.label,
    geometry: box.bbox ? { type: "bbox", bbox: box.bbox } : { type: "point", x, y },
    by: box.source === "model" && !box.edited ? "model" : "person",
    score: box.score,
    policy: box.target_policy,
  };
}

/** A shape as the answer carries it; null for one without a box, which cannot go to cut-out. */
export function subjectOfShape(shape: Shape): SubjectAnswer | null {
  if (shape.geometry.type !== "bbox") return null;
  return {
    box_id: shape.id,
    label: shape.label?.trim() || null,
    bbox: [...shape.geometry.bbox] as Bbox,
    target_policy: shape.policy ?? "segment",
  };
}
