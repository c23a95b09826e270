import { clampEdge } from "../../coordinates";
import type { ToolState } from "../../toolState";
import { drawing } from "./drawing";

export const idle = (): ToolState => ({
  name: "polygon.idle",
  cursor: "crosshair",
  onDown(editor, { at }) {
    if (!editor.readOnly) editor.toState(drawing([clampEdge(at, editor.picture)]));
  },
});
