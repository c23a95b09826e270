import { describe, expect, it } from "vitest";
import { isTyping, movesControl } from "../../src/editor/keymap";
import { bboxOf, openEditor, shapeAt } from "../support/editors";

const press = (key: string, target: object = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  target,
});

describe("the handle that the keyboard holds", () => {
  it("walks the corners and edges, and the arrows move what is held", () => {
    const editor = openEditor([shapeAt("a", 10, 10)]);
    editor.select(["a"]);
    editor.grip.next();
    expect(editor.grip.handle.get()).toBe("nw");
    editor.nudge(-2, 3);
    expect(bboxOf(editor, "a")).toEqual([8, 13, 50, 50]);
    for (let turn = 0; turn < 4; turn += 1) editor.grip.next();
    expect(editor.grip.handle.get()).toBe("n");
    editor.nudge(5, -1);
    expect(bboxOf(editor, "a")).toEqual([8, 12, 50, 50]);
    editor.undo();
    expect(bboxOf(editor, "a")).toEqual([8, 13, 50, 50]);
  });

  it("moves one vertex of a polygon, kept inside the picture", () => {
    const points: [number, number][] = [
      [1, 1],
      [30, 1],
      [30, 30],
    ];
    const editor = openEditor([{ ...shapeAt("p", 0, 0), geometry: { type: "polygon", points } }]);
    editor.select(["p"]);
    editor.grip.next();
    editor.nudge(-10, 4);
    expect(editor.doc.get().store.get("p")?.geometry).toEqual({
      type: "polygon",
      points: [
        [0, 5],
        [30, 1],
        [30, 30],
      ],
    });
  });

  it("is let go by Escape before anything else, by the last step and by another selection", () => {
    const editor = openEditor([shapeAt("a", 10, 10), shapeAt("b", 80, 10)]);
    editor.select(["a"]);
    editor.grip.next();
    editor.cancel();
    expect([editor.grip.handle.get(), editor.selection.get()]).toEqual([null, ["a"]]);
    for (let turn = 0; turn < 9; turn += 1) editor.grip.next();
    expect(editor.grip.handle.get()).toBeNull();
    editor.nudge(1, 0);
    expect(bboxOf(editor, "a")).toEqual([11, 10, 51, 50]);
    editor.grip.next();
    editor.select(["b"]);
    expect(editor.grip.handle.get()).toBeNull();
  });

  it("holds nothing of a locked shape, of several, or where nothing can be changed", () => {
    const editor = openEditor([shapeAt("a", 10, 10), shapeAt("b", 80, 10)]);
    editor.select(["a", "b"]);
    editor.grip.next();
    editor.select(["a"]);
    editor.toggleLocked("a");
    editor.grip.next();
    expect(editor.grip.handle.get()).toBeNull();
    editor.toggleLocked("a");
    editor.setEditable(true, []);
    editor.grip.next();
    expect(editor.grip.handle.get()).toBeNull();
  });
});

describe("a slider's keys", () => {
  it("are the slider's own, and letters on it are still commands", () => {
    const slider = { tagName: "INPUT", type: "range" };
    expect(["ArrowLeft", "PageUp", "Home"].map((key) => movesControl(press(key, slider)))).toEqual([
      true,
      true,
      true,
    ]);
    expect(movesControl(press("b", slider))).toBe(false);
    expect(isTyping(press("b", slider))).toBe(false);
    expect(movesControl(press("ArrowLeft", { tagName: "DIV" }))).toBe(false);
  });
});
