import type { XY } from "../../../api/types";
import { shapesInside } from "../../hitTest";
import { boxBetween } from "../../shapes";
import type { ToolState } from "../../toolState";
import { idle } from "./idle";

export const brushing = (from: XY, keep: boolean): ToolState => {
  let before: readonly string[] | null = null;
  return {
    name: "select.brushing",
    cursor: "default",
    busy: true,
    onMove(editor, { at }) {
      before ??= keep ? editor.selection.get() : [];
      const band = boxBetween(from, at);
      editor.preview.set({ kind: "band", bbox: band });
      const inside = shapesInside(editor.visibleShapes(), band).map((shape) => shape.id);
      editor.select([...new Set([...before, ...inside])]);
    },
    onUp(editor) {
      editor.preview.set(null);
      editor.toState(idle());
    },
    onCancel(editor) {
      editor.preview.set(null);
      if (before) editor.select(before);
      editor.toState(idle());
    },
  };
};
