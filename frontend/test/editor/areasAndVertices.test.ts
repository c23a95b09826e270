import { describe, expect, it } from "vitest";
import type { XY } from "../../src/api/types";
import { ShapeDocument } from "../../src/editor/editorDoc";
import type { Shape } from "../../src/editor/shapes";
import { addVertex, removeVertex } from "../../src/editor/vertices";
import { drag, moveTo, openEditor, press, shapeAt } from "../support/editors";

const corners: XY[] = [
  [10, 10],
  [50, 10],
  [50, 50],
  [10, 50],
];

function polygon(points: XY[] = corners): Shape {
  return { id: "p", label: "cup", geometry: { type: "polygon", points }, by: "person", score: null };
}

function pointsOf(editor: ReturnType<typeof openEditor>): XY[] {
  const shape = editor.doc.get().store.get("p");
  return shape?.geometry.type === "polygon" ? shape.geometry.points : [];
}

function opened(points?: XY[]) {
  const editor = openEditor([polygon(points)]);
  editor.select(["p"]);
  return editor;
}

describe("a polygon's corners", () => {
  it("a double click on an edge adds one there, a step of the history", () => {
    const editor = opened();
    editor.doubleClick({ at: [30, 11], screen: [30, 11], shift: false, ctrl: false, button: 0 });
    expect(pointsOf(editor)).toEqual([
      [10, 10],
      [30, 11],
      [50, 10],
      [50, 50],
      [10, 50],
    ]);
    expect(editor.grip.handle.get()).toBe("v1");
    editor.undo();
    expect(pointsOf(editor)).toEqual(corners);
  });

  it("away from the edges it adds nothing", () => {
    const editor = opened();
    expect(addVertex(editor, [30, 30])).toBe(false);
    expect(pointsOf(editor)).toEqual(corners);
  });

  it("by keyboard one is added after the held one and removed where it is held", () => {
    const editor = opened();
    editor.grip.next();
    editor.grip.next();
    expect(addVertex(editor)).toBe(true);
    expect(pointsOf(editor)[2]).toEqual([50, 30]);
    expect(removeVertex(editor)).toBe(true);
    expect(pointsOf(editor)).toEqual(corners);
  });

  it("a triangle keeps its three, and the key is used up so that the shape is not removed instead", () => {
    const editor = opened(corners.slice(0, 3));
    editor.grip.next();
    expect(removeVertex(editor)).toBe(true);
    expect(pointsOf(editor)).toHaveLength(3);
    editor.grip.release();
    expect(removeVertex(editor)).toBe(false);
  });

  it("a locked or read-only shape keeps its corners", () => {
    const editor = opened();
    editor.toggleLocked("p");
    expect(addVertex(editor, [30, 10])).toBe(false);
    editor.toggleLocked("p");
    editor.setEditable(true, []);
    expect(addVertex(editor, [30, 10])).toBe(false);
  });

  it("a click on a handle takes hold of it for the arrows", () => {
    const editor = opened();
    press(editor, [10, 10]);
    editor.up({ at: [10, 10], screen: [10, 10], shift: false, ctrl: false, button: 0 });
    expect(editor.grip.handle.get()).toBe("v0");
    editor.nudge(3, 0);
    expect(pointsOf(editor)[0]).toEqual([13, 10]);
  });
});

describe("the area tool", () => {
  const ready = () => {
    const editor = openEditor([shapeAt("a", 0, 0)]);
    editor.setEditable(false, ["bbox"], true);
    editor.setTool("area");
    return editor;
  };

  it("marks whole pixels, left and top rounded down, right and bottom up, inside the picture", () => {
    const editor = ready();
    drag(editor, [10.6, 20.4], [250, 60.1]);
    expect(editor.areas.state.get().region).toEqual([10, 20, 200, 61]);
    expect(editor.doc.get().store.all()).toHaveLength(1);
    expect(editor.doc.get().undo.canUndo).toBe(false);
  });

  it("a click or less than a model takes marks nothing", () => {
    const editor = ready();
    drag(editor, [10, 10], [16, 60]);
    expect(editor.areas.state.get().region).toBeNull();
  });

  it("draws the reference once that is chosen, and leaves the region", () => {
    const editor = ready();
    drag(editor, [10, 10], [40, 40]);
    editor.areas.choose("reference");
    drag(editor, [60, 10], [90, 40]);
    expect(editor.areas.state.get()).toMatchObject({ region: [10, 10, 40, 40], reference: [60, 10, 90, 40] });
  });

  it("by keyboard: Space sets both corners", () => {
    const editor = ready();
    editor.crosshair.set([20, 20]);
    editor.pressCrosshair();
    editor.moveCrosshair(30, 30);
    editor.pressCrosshair();
    expect(editor.areas.state.get().region).toEqual([20, 20, 50, 50]);
  });

  it("cannot be chosen where no model may be asked, and a gesture is taken back by Escape", () => {
    const editor = ready();
    press(editor, [10, 10]);
    moveTo(editor, [60, 60]);
    editor.cancel();
    expect(editor.preview.get()).toBeNull();
    expect(editor.areas.state.get().region).toBeNull();
    editor.setEditable(false, ["bbox"], false);
    expect(editor.toolProblem("area")).toBe("tool.noArea");
    expect(editor.toolName.get()).toBe("select");
  });
});

describe("one history over draft and candidates", () => {
  const both = () => {
    const draft = new ShapeDocument("draft", [shapeAt("item", 0, 0)]);
    const candidates = new ShapeDocument("candidates", [shapeAt("found", 50, 0)], {}, draft);
    return { draft, candidates };
  };

  it("a step takes back what it did in both", () => {
    const { draft, candidates } = both();
    draft.undo.mark();
    draft.store.update("item", { label: "spoon" });
    candidates.store.remove(["found"]);
    draft.undo.undo();
    expect(draft.store.get("item")?.label).toBe("cup");
    expect(candidates.store.get("found")).toBeDefined();
    candidates.undo.redo();
    expect(draft.store.get("item")?.label).toBe("spoon");
    expect(candidates.store.get("found")).toBeUndefined();
  });

  it("steps go back in the order in which they were made, whichever list is shown", () => {
    const { draft, candidates } = both();
    draft.undo.mark();
    draft.store.update("item", { label: "spoon" });
    candidates.undo.mark();
    candidates.store.update("found", { label: "fork" });
    draft.undo.undo();
    expect([draft.store.get("item")?.label, candidates.store.get("found")?.label]).toEqual(["spoon", "cup"]);
  });

  it("what comes from elsewhere is not taken back", () => {
    const { draft, candidates } = both();
    candidates.store.replace([shapeAt("other", 1, 1)], "remote");
    expect(draft.undo.canUndo).toBe(false);
  });
});

describe("the order of items", () => {
  it("one moves and comes back by undo, with everything else where it was", () => {
    const editor = openEditor([shapeAt("a", 0, 0), shapeAt("b", 20, 0), shapeAt("c", 40, 0)]);
    const ids = () => editor.shapes.get().map((shape) => shape.id);
    editor.select(["c"]);
    editor.moveInOrder(-1);
    expect(ids()).toEqual(["a", "c", "b"]);
    expect(editor.selection.get()).toEqual(["c"]);
    editor.moveInOrder(-1);
    editor.moveInOrder(-1);
    expect(ids()).toEqual(["c", "a", "b"]);
    editor.undo();
    editor.undo();
    expect(ids()).toEqual(["a", "b", "c"]);
    editor.redo();
    expect(ids()).toEqual(["a", "c", "b"]);
  });
});

describe("copy and paste", () => {
  it("leaves out kinds that may not be drawn here", () => {
    const editor = openEditor([polygon(), shapeAt("a", 60, 10)]);
    editor.selectAll();
    editor.clipboard.copy();
    editor.setEditable(false, ["bbox"]);
    editor.clipboard.paste();
    expect(editor.shapes.get().map((shape) => shape.geometry.type)).toEqual(["polygon", "bbox", "bbox"]);
    editor.setEditable(false, ["point"]);
    editor.clipboard.paste();
    expect(editor.shapes.get()).toHaveLength(3);
    editor.setEditable(false, ["bbox"]);
    editor.undo();
    expect(editor.shapes.get()).toHaveLength(2);
  });
});
