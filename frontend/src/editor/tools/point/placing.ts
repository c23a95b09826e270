import type { XY } from "../../../api/types";
import { clampPoint } from "../../coordinates";
import { rounded } from "../../shapes";
import type { ToolState } from "../../toolState";
import { idle } from "./idle";

/** The point is set where the button goes up, so that the magnifier can be used to aim. */
export const placing = (from: XY): ToolState => {
  const show = (editor: Parameters<NonNullable<ToolState["onCancel"]>>[0], at: XY) =>
    editor.preview.set({ kind: "point", at: clampPoint(at, editor.picture) });
  let at = from;
  return {
    name: "point.placing",
    cursor: "crosshair",
    busy: true,
    onMove(editor, input) {
      at = input.at;
      show(editor, at);
    },
    onUp(editor, input) {
      const [x, y] = clampPoint(input.at, editor.picture);
      editor.preview.set(null);
      editor.toState(idle());
      editor.draw({ type: "point", x: rounded(x), y: rounded(y) });
    },
    onCancel(editor) {
      editor.preview.set(null);
      editor.toState(idle());
    },
  };
};
