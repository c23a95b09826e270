import { hitHandle } from "../../hitTest";
import type { ToolState } from "../../toolState";
import { addVertex } from "../../vertices";
import { brushing } from "./brushing";
import { dragging } from "./dragging";
import { resizing } from "./resizing";

export const idle = (): ToolState => ({
  name: "select.idle",
  cursor: "default",
  onMove(editor, { at }) {
    editor.hover(editor.hitShape(at)?.id ?? null);
  },
  onDoubleClick(editor, { at }) {
    addVertex(editor, at);
  },
  onDown(editor, input) {
    const selected = editor.singleSelected();
    if (selected && !editor.isLocked(selected.id) && !editor.readOnly) {
      const handle = hitHandle(selected, input.at, editor.camera.scale);
      if (handle) {
        editor.toState(resizing(selected, handle));
        return;
      }
    }
    const hit = editor.hitShape(input.at);
    if (!hit) {
      if (!input.shift) editor.select([]);
      editor.toState(brushing(input.at, input.shift));
      return;
    }
    if (input.shift || input.ctrl) {
      editor.toggleSelected(hit.id);
      return;
    }
    if (!editor.selection.get().includes(hit.id)) editor.select([hit.id]);
    if (!editor.readOnly) editor.toState(dragging(input.at, input.screen));
  },
});
