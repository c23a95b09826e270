import type { Geometry, XY } from "../../../api/types";
import { clampEdge, type PictureSize } from "../../coordinates";
import type { HandleName } from "../../hitTest";
import { boxBetween, rounded, type Shape } from "../../shapes";
import type { ToolState } from "../../toolState";
import { idle } from "./idle";

export const resizing = (shape: Shape, handle: HandleName): ToolState => {
  let started = false;
  return {
    name: "select.resizing",
    cursor: cursorOf(handle),
    busy: true,
    onMove(editor, { at }) {
      if (!started) editor.mark();
      started = true;
      editor.update(shape.id, { geometry: resized(shape.geometry, handle, at, editor.picture) });
    },
    onUp(editor) {
      // A click on it takes hold of it for the arrows.
      if (!started) editor.grip.handle.set(handle);
      editor.toState(idle());
    },
    onCancel(editor) {
      if (started) editor.revert();
      editor.toState(idle());
    },
  };
};

/** The geometry with one handle at `at`; a side pulled over its opposite turns the box around. */
export function resized(geometry: Geometry, handle: HandleName, at: XY, picture: PictureSize): Geometry {
  const [x, y] = clampEdge(at, picture);
  if (geometry.type === "polygon") {
    const index = Number(handle.slice(1));
    return {
      type: "polygon",
      points: geometry.points.map((point, i): XY => (i === index ? [rounded(x), rounded(y)] : point)),
    };
  }
  if (geometry.type !== "bbox") return geometry;
  const [x1, y1, x2, y2] = geometry.bbox;
  const a: XY = [handle.includes("w") ? x : x1, handle.includes("n") ? y : y1];
  const b: XY = [handle.includes("e") ? x : x2, handle.includes("s") ? y : y2];
  const bbox = boxBetween(a, b);
  // A box without area is no box: keep the last good one.
  return bbox[2] - bbox[0] < 1 || bbox[3] - bbox[1] < 1 ? geometry : { type: "bbox", bbox };
}

function cursorOf(handle: HandleName): string {
  return handle.startsWith("v") ? "grabbing" : `${handle}-resize`;
}
