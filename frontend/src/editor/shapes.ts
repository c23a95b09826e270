import type { Bbox, Geometry, ItemSource, TargetPolicy, XY } from "../api/types";

/** One thing on the picture: a draft's item or a pause's box. */
export interface Shape {
  id: string;
  label: string | null;
  geometry: Geometry;
  /** Dashed is what a model proposed, solid is what a person made, changed or confirmed. */
  by: "model" | "person";
  /** It came from a model and is not as it was proposed any more. */
  changed?: boolean;
  score: number | null;
  order?: number | null;
  source?: ItemSource | null;
  policy?: TargetPolicy;
}

export function boundsOf(geometry: Geometry): Bbox {
  if (geometry.type === "bbox") return geometry.bbox;
  if (geometry.type === "point") return [geometry.x, geometry.y, geometry.x, geometry.y];
  const xs = geometry.points.map((point) => point[0]);
  const ys = geometry.points.map((point) => point[1]);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

export function moved(geometry: Geometry, dx: number, dy: number): Geometry {
  if (geometry.type === "point")
    return { type: "point", x: rounded(geometry.x + dx), y: rounded(geometry.y + dy) };
  if (geometry.type === "bbox") {
    const [x1, y1, x2, y2] = geometry.bbox;
    return { type: "bbox", bbox: [rounded(x1 + dx), rounded(y1 + dy), rounded(x2 + dx), rounded(y2 + dy)] };
  }
  return {
    type: "polygon",
    points: geometry.points.map(([x, y]): XY => [rounded(x + dx), rounded(y + dy)]),
  };
}

/** The box between two corners, whichever way it was drawn. */
export function boxBetween(a: XY, b: XY): Bbox {
  return [
    rounded(Math.min(a[0], b[0])),
    rounded(Math.min(a[1], b[1])),
    rounded(Math.max(a[0], b[0])),
    rounded(Math.max(a[1], b[1])),
  ];
}

/** The contract's precision: hundredths of a pixel. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
