import type { ToolState } from "../../toolState";
import { drawing } from "./drawing";

export const idle = (): ToolState => ({
  name: "area.idle",
  cursor: "crosshair",
  onDown(editor, { at }) {
    if (editor.editable.get().areas) editor.toState(drawing(at));
  },
});
