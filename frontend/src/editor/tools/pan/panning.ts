import type { XY } from "../../../api/types";
import type { ToolState } from "../../toolState";
import { idle } from "./idle";

export const panning = (from: XY): ToolState => {
  let last = from;
  return {
    name: "pan.panning",
    cursor: "grabbing",
    busy: true,
    onMove(editor, { screen }) {
      editor.camera.pan(screen[0] - last[0], screen[1] - last[1]);
      last = screen;
    },
    onUp(editor) {
      editor.toState(idle());
    },
    onCancel(editor) {
      editor.toState(idle());
    },
  };
};
