import type { Polygon, XY } from "../api/types";
import type { Editor } from "./editor";
import { edgeDistance, HANDLE_RADIUS } from "./hitTest";
import { rounded, type Shape } from "./shapes";

/** Removes the held corner of a polygon, a triangle keeps its three; false where no corner is held. */
export function removeVertex(editor: Editor): boolean {
  const shape = polygonIn(editor);
  const held = editor.grip.handle.get();
  if (!shape || !held) return false;
  const { points } = shape.geometry;
  if (points.length <= 3) return true;
  const gone = Number(held.slice(1));
  editor.mark();
  setPoints(
    editor,
    shape,
    points.filter((_point, index) => index !== gone),
  );
  editor.grip.handle.set(`v${gone % (points.length - 1)}`);
  return true;
}

/** A new corner of the selected polygon: halfway after the held one, or on the edge nearest to `at`. */
export function addVertex(editor: Editor, at?: XY): boolean {
  const shape = polygonIn(editor);
  if (!shape) return false;
  const { points } = shape.geometry;
  const held = Number((editor.grip.handle.get() ?? "v0").slice(1));
  const after = at ? nearestEdge(points, at, editor.camera.scale) : held;
  const [a, b] = after === null ? [] : [points[after], points[(after + 1) % points.length]];
  if (after === null || !a || !b) return false;
  const [x, y] = at ?? [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  editor.mark();
  setPoints(editor, shape, points.toSpliced(after + 1, 0, [rounded(x), rounded(y)]));
  editor.grip.handle.set(`v${after + 1}`);
  return true;
}

/** The one selected shape, where it is a polygon that may be changed. */
function polygonIn(editor: Editor): (Shape & { geometry: Polygon }) | null {
  const shape = editor.singleSelected();
  if (editor.readOnly || shape?.geometry.type !== "polygon" || editor.isLocked(shape.id)) return null;
  return shape as Shape & { geometry: Polygon };
}

function setPoints(editor: Editor, shape: Shape, points: XY[]): void {
  editor.update(shape.id, { geometry: { type: "polygon", points } });
}

/** The edge within reach of a hand; its number is that of the corner where it begins. */
function nearestEdge(points: XY[], at: XY, scale: number): number | null {
  let best: number | null = null;
  let nearest = HANDLE_RADIUS / scale;
  points.forEach((a, index) => {
    const distance = edgeDistance([a, points[(index + 1) % points.length] ?? a], at);
    if (distance >= nearest) return;
    best = index;
    nearest = distance;
  });
  return best;
}
