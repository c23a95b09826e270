import { Editor } from "../../src/editor/editor";
import { ShapeDocument } from "../../src/editor/editorDoc";
import type { Shape } from "../../src/editor/shapes";

/** An editor over a 200 × 100 picture at 100 %, its picture's corner at the stage's. */
export function openEditor(shapes: Shape[] = []): Editor {
  let ids = 0;
  const editor = new Editor({
    picture: { width: 200, height: 100 },
    newId: () => {
      ids += 1;
      return `new-${ids}`;
    },
  });
  editor.open(new ShapeDocument("draft", shapes));
  editor.setEditable(false, ["bbox", "point", "polygon"]);
  editor.camera.viewport.set({ scale: 1, x: 0, y: 0 });
  return editor;
}

export function shapeAt(id: string, x: number, y: number, size = 40, more: Partial<Shape> = {}): Shape {
  return {
    id,
    label: "cup",
    geometry: { type: "bbox", bbox: [x, y, x + size, y + size] },
    by: "model",
    score: 0.9,
    ...more,
  };
}

type At = [number, number];

function input(editor: Editor, at: At, keys: { shift?: boolean; ctrl?: boolean } = {}) {
  return {
    at,
    screen: editor.camera.toScreen(at),
    shift: keys.shift ?? false,
    ctrl: keys.ctrl ?? false,
    button: 0,
  };
}

export function drag(editor: Editor, from: At, to: At): void {
  editor.down(input(editor, from));
  editor.move(input(editor, [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]));
  editor.move(input(editor, to));
  editor.up(input(editor, to));
}

export function click(editor: Editor, at: At, keys: { shift?: boolean; ctrl?: boolean } = {}): void {
  editor.down(input(editor, at, keys));
  editor.up(input(editor, at, keys));
}

export function press(editor: Editor, at: At): void {
  editor.down(input(editor, at));
}

export function moveTo(editor: Editor, at: At): void {
  editor.move(input(editor, at));
}

export function lift(editor: Editor, at: At): void {
  editor.up(input(editor, at));
}

export function bboxOf(editor: Editor, id: string): number[] | null {
  const shape = editor.doc.get().store.get(id);
  return shape?.geometry.type === "bbox" ? shape.geometry.bbox : null;
}
