import type { Geometry, XY } from "../api/types";
import { boundsOf, moved } from "./shapes";

export interface PictureSize {
  width: number;
  height: number;
}

/** A point lies in 0…width−1: there is no pixel number `width`. */
export function clampPoint([x, y]: XY, size: PictureSize): XY {
  return [clamp(x, 0, size.width - 1), clamp(y, 0, size.height - 1)];
}

/** Edges and vertices lie in 0…width: they stand between pixels. */
export function clampEdge([x, y]: XY, size: PictureSize): XY {
  return [clamp(x, 0, size.width), clamp(y, 0, size.height)];
}

/**
 * Moves by (dx, dy), but not out of the picture. Only the person's own drag is clamped: a coordinate that
 * came from anywhere else stays as it is, so that a wrong one is seen.
 */
export function movedInside(geometry: Geometry, dx: number, dy: number, size: PictureSize): Geometry {
  const [x1, y1, x2, y2] = boundsOf(geometry);
  const right = geometry.type === "point" ? size.width - 1 : size.width;
  const bottom = geometry.type === "point" ? size.height - 1 : size.height;
  return moved(geometry, clampShift(dx, x1, x2, right), clampShift(dy, y1, y2, bottom));
}

function clampShift(shift: number, low: number, high: number, limit: number): number {
  // A shape that already reaches outside may move back in, never further out.
  return clamp(shift, Math.min(0, -low), Math.max(0, limit - high));
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
