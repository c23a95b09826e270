import type { Bbox, XY } from "../api/types";
import { boundsOf, type Shape } from "./shapes";

export type HandleName = "nw" | "n" | "ne" | "e" | "se" | "s" | "sw" | "w" | `v${number}`;

export interface Handle {
  name: HandleName;
  at: XY;
}

/** Half of the smallest hit area, in screen pixels: WCAG 2.2 asks for 24 × 24. */
export const HANDLE_RADIUS = 12;
const EDGE_TOLERANCE = 6;

export function handlesOf(shape: Shape): Handle[] {
  const { geometry } = shape;
  if (geometry.type === "point") return [];
  if (geometry.type === "polygon") {
    return geometry.points.map((at, index) => ({ name: `v${index}` as const, at }));
  }
  const [x1, y1, x2, y2] = geometry.bbox;
  const [cx, cy] = [(x1 + x2) / 2, (y1 + y2) / 2];
  return [
    { name: "nw", at: [x1, y1] },
    { name: "ne", at: [x2, y1] },
    { name: "se", at: [x2, y2] },
    { name: "sw", at: [x1, y2] },
    { name: "n", at: [cx, y1] },
    { name: "e", at: [x2, cy] },
    { name: "s", at: [cx, y2] },
    { name: "w", at: [x1, cy] },
  ];
}

/** The handle nearest to `at` within reach; corners win over edges when they are equally near. */
export function hitHandle(shape: Shape, at: XY, scale: number): HandleName | null {
  const reach = HANDLE_RADIUS / scale;
  // A box too small to show its middle between the handles is moved by its inside.
  const [x1, y1, x2, y2] = boundsOf(shape.geometry);
  const core = Math.min(reach, (x2 - x1) / 4, (y2 - y1) / 4);
  const inCore = at[0] > x1 + core && at[0] < x2 - core && at[1] > y1 + core && at[1] < y2 - core;
  if (inCore && (x2 - x1 < reach * 3 || y2 - y1 < reach * 3)) return null;
  let best: HandleName | null = null;
  let nearest = reach;
  for (const handle of handlesOf(shape)) {
    const distance = Math.max(Math.abs(at[0] - handle.at[0]), Math.abs(at[1] - handle.at[1]));
    if (distance < nearest || (best === null && distance <= nearest)) {
      best = handle.name;
      nearest = distance;
    }
  }
  return best;
}

/** The shape that a click at `at` means: a near point first, then the smallest area around it. */
export function hitShape(shapes: readonly Shape[], at: XY, scale: number): Shape | null {
  let best: Shape | null = null;
  let bestRank = Number.POSITIVE_INFINITY;
  for (const shape of shapes) {
    if (!contains(shape, at, scale)) continue;
    const rank = shape.geometry.type === "point" ? 0 : area(boundsOf(shape.geometry));
    // Of equals the later one lies on top.
    if (rank <= bestRank) {
      best = shape;
      bestRank = rank;
    }
  }
  return best;
}

/** Shapes that lie wholly inside a rubber band. */
export function shapesInside(shapes: readonly Shape[], [x1, y1, x2, y2]: Bbox): Shape[] {
  return shapes.filter((shape) => {
    const [a, b, c, d] = boundsOf(shape.geometry);
    return a >= x1 && b >= y1 && c <= x2 && d <= y2;
  });
}

function contains(shape: Shape, at: XY, scale: number): boolean {
  const { geometry } = shape;
  if (geometry.type === "point") {
    return Math.hypot(at[0] - geometry.x, at[1] - geometry.y) <= HANDLE_RADIUS / scale;
  }
  const tolerance = EDGE_TOLERANCE / scale;
  const [x1, y1, x2, y2] = boundsOf(geometry);
  const near =
    at[0] >= x1 - tolerance && at[0] <= x2 + tolerance && at[1] >= y1 - tolerance && at[1] <= y2 + tolerance;
  if (!near || geometry.type === "bbox") return near;
  return insidePolygon(geometry.points, at) || edgeDistance(geometry.points, at) <= tolerance;
}

function insidePolygon(points: XY[], [x, y]: XY): boolean {
  let inside = false;
  points.forEach((a, index) => {
    const b = points[(index + 1) % points.length] ?? a;
    const crosses = a[1] > y !== b[1] > y;
    if (crosses && x < ((b[0] - a[0]) * (y - a[1])) / (b[1] - a[1]) + a[0]) inside = !inside;
  });
  return inside;
}

/** Distance from `at` to the nearest edge of the closed line through `points`. */
export function edgeDistance(points: XY[], at: XY): number {
  let nearest = Number.POSITIVE_INFINITY;
  points.forEach((a, index) => {
    const b = points[(index + 1) % points.length] ?? a;
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const length = dx * dx + dy * dy;
    const t = length ? Math.max(0, Math.min(1, ((at[0] - a[0]) * dx + (at[1] - a[1]) * dy) / length)) : 0;
    nearest = Math.min(nearest, Math.hypot(at[0] - a[0] - t * dx, at[1] - a[1] - t * dy));
  });
  return nearest;
}

function area([x1, y1, x2, y2]: Bbox): number {
  return (x2 - x1) * (y2 - y1);
}
