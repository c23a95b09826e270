import type { ToolState } from "../../toolState";
import { drawing } from "./drawing";

export const idle = (): ToolState => ({
  name: "box.idle",
  cursor: "crosshair",
  onDown(editor, { at }) {
    if (!editor.readOnly) editor.toState(drawing(at));
  },
});
