import type { XY } from "../../../api/types";
import { clampEdge } from "../../coordinates";
import { boxBetween } from "../../shapes";
import type { ToolState } from "../../toolState";
import { idle } from "./idle";

/** Below this (screen pixels) it was a click, not a box. */
const SMALLEST = 4;

export const drawing = (from: XY): ToolState => ({
  name: "box.drawing",
  cursor: "crosshair",
  busy: true,
  onMove(editor, { at }) {
    const bbox = boxBetween(clampEdge(from, editor.picture), clampEdge(at, editor.picture));
    editor.preview.set({ kind: "box", bbox });
  },
  onUp(editor, { at }) {
    const bbox = boxBetween(clampEdge(from, editor.picture), clampEdge(at, editor.picture));
    editor.preview.set(null);
    editor.toState(idle());
    const least = Math.max(1, SMALLEST / editor.camera.scale);
    if (bbox[2] - bbox[0] < least || bbox[3] - bbox[1] < least) return;
    editor.draw({ type: "bbox", bbox });
  },
  onCancel(editor) {
    editor.preview.set(null);
    editor.toState(idle());
  },
});
