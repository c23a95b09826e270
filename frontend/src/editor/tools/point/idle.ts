import type { ToolState } from "../../toolState";
import { placing } from "./placing";

export const idle = (): ToolState => ({
  name: "point.idle",
  cursor: "crosshair",
  onDown(editor, { at }) {
    if (!editor.readOnly) editor.toState(placing(at));
  },
});
