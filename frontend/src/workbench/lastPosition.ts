import type { Editor } from "../editor/editor";
import type { Viewport } from "../editor/viewport";

interface Position {
  view: Viewport;
  stage: { width: number; height: number };
  selection: string[];
}

const KEY = "countersign.position.";

/** A reload brings the last working position back: zoom, place and selection of this task. */
export function restorePosition(editor: Editor, taskId: string, storage: Storage): void {
  try {
    const kept = JSON.parse(storage.getItem(KEY + taskId) ?? "null") as Position | null;
    if (!kept || !Number.isFinite(kept.view.scale)) return;
    editor.camera.restore(kept.view, kept.stage);
    editor.select(kept.selection.filter((id) => editor.doc.get().store.get(id)));
  } catch {
    // A broken entry costs the position only.
  }
}

export function keepPosition(editor: Editor, taskId: string, storage: Storage): void {
  const position: Position = {
    view: editor.camera.viewport.get(),
    stage: editor.camera.stage.get(),
    selection: [...editor.selection.get()],
  };
  try {
    storage.setItem(KEY + taskId, JSON.stringify(position));
  } catch {
    // Full or forbidden storage: the position is a convenience.
  }
}
