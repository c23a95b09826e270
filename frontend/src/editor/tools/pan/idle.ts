import type { ToolState } from "../../toolState";
import { panning } from "./panning";

export const idle = (): ToolState => ({
  name: "pan.idle",
  cursor: "grab",
  onDown(editor, { screen }) {
    editor.toState(panning(screen));
  },
});
