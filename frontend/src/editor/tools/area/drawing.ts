import type { Bbox, XY } from "../../../api/types";
import { Areas } from "../../areas";
import { clampEdge, type PictureSize } from "../../coordinates";
import { boxBetween } from "../../shapes";
import type { ToolState } from "../../toolState";
import { idle } from "./idle";

export const drawing = (from: XY): ToolState => ({
  name: "area.drawing",
  cursor: "crosshair",
  busy: true,
  onMove(editor, { at }) {
    const bbox = between(from, at, editor.picture);
    editor.preview.set({ kind: "area", area: editor.areas.state.get().drawing, bbox });
  },
  onUp(editor, { at }) {
    const bbox = between(from, at, editor.picture);
    editor.preview.set(null);
    editor.toState(idle());
    // Smaller than a model takes: it was a click, or a slip.
    if (bbox[2] - bbox[0] < Areas.SMALLEST || bbox[3] - bbox[1] < Areas.SMALLEST) return;
    editor.areas.draw(bbox);
  },
  onCancel(editor) {
    editor.preview.set(null);
    editor.toState(idle());
  },
});

/** Whole pixels, left and top rounded down, right and bottom up, as the server cuts the crop. */
function between(from: XY, to: XY, picture: PictureSize): Bbox {
  const [left, top, right, bottom] = boxBetween(clampEdge(from, picture), clampEdge(to, picture));
  return [Math.floor(left), Math.floor(top), Math.ceil(right), Math.ceil(bottom)];
}
