import type { XY } from "../../../api/types";
import { clampEdge } from "../../coordinates";
import type { Editor } from "../../editor";
import { HANDLE_RADIUS } from "../../hitTest";
import { rounded } from "../../shapes";
import type { ToolState } from "../../toolState";
import { idle } from "./idle";

/** Each click sets a corner; a click on the first one, a double click or Enter closes. */
export const drawing = (start: XY[]): ToolState => {
  const points = [...start];
  const close = (editor: Editor) => {
    editor.preview.set(null);
    editor.toState(idle());
    if (points.length < 3) return;
    editor.draw({ type: "polygon", points: points.map(([x, y]): XY => [rounded(x), rounded(y)]) });
  };
  return {
    name: "polygon.drawing",
    cursor: "crosshair",
    busy: true,
    onMove(editor, { at }) {
      editor.preview.set({ kind: "polygon", points: [...points, clampEdge(at, editor.picture)] });
    },
    onDown(editor, { at }) {
      const [first] = points;
      const reach = HANDLE_RADIUS / editor.camera.scale;
      if (first && points.length > 2 && Math.hypot(at[0] - first[0], at[1] - first[1]) <= reach) {
        close(editor);
        return;
      }
      points.push(clampEdge(at, editor.picture));
      editor.preview.set({ kind: "polygon", points: [...points] });
    },
    onDoubleClick(editor) {
      // The second click of the pair has set the last corner twice.
      points.pop();
      close(editor);
    },
    onComplete: close,
    onCancel(editor) {
      // Escape takes one corner back; the last one ends the drawing.
      points.pop();
      if (points.length) editor.preview.set({ kind: "polygon", points: [...points] });
      else {
        editor.preview.set(null);
        editor.toState(idle());
      }
    },
  };
};
