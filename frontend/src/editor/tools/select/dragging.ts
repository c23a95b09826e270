import type { XY } from "../../../api/types";
import { movedInside } from "../../coordinates";
import type { ToolState } from "../../toolState";
import { idle } from "./idle";

/** A hand that trembles on a click must not move anything. */
const THRESHOLD = 3;

export const dragging = (from: XY, fromScreen: XY): ToolState => {
  let started = false;
  let originals: { id: string; geometry: Parameters<typeof movedInside>[0] }[] = [];
  return {
    name: "select.dragging",
    cursor: "move",
    busy: true,
    onMove(editor, { at, screen }) {
      if (!started) {
        if (Math.hypot(screen[0] - fromScreen[0], screen[1] - fromScreen[1]) < THRESHOLD) return;
        started = true;
        editor.mark();
        originals = editor
          .selectedShapes()
          .filter((shape) => !editor.isLocked(shape.id))
          .map(({ id, geometry }) => ({ id, geometry }));
      }
      for (const { id, geometry } of originals) {
        editor.update(id, {
          geometry: movedInside(geometry, at[0] - from[0], at[1] - from[1], editor.picture),
        });
      }
    },
    onUp(editor) {
      editor.toState(idle());
    },
    onCancel(editor) {
      if (started) editor.revert();
      editor.toState(idle());
    },
  };
};
