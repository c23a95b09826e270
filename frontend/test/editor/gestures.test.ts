import { describe, expect, it } from "vitest";
import { ShapeDocument } from "../../src/editor/editorDoc";
import { bboxOf, click, drag, lift, moveTo, openEditor, press, shapeAt } from "../support/editors";

describe("drawing", () => {
  it("a box, whichever way it is drawn, is the person's, selected, and cut at the picture's edge", () => {
    const editor = openEditor();
    editor.activeLabel.set("spoon");
    editor.setTool("box");
    drag(editor, [150, 60], [-30, 500]);
    expect(editor.shapes.get()).toEqual([
      {
        id: "new-1",
        label: "spoon",
        geometry: { type: "bbox", bbox: [0, 60, 150, 100] },
        by: "person",
        score: null,
      },
    ]);
    expect(editor.selection.get()).toEqual(["new-1"]);
  });

  it("a click is no box", () => {
    const editor = openEditor();
    editor.setTool("box");
    drag(editor, [50, 50], [52, 52]);
    expect(editor.shapes.get()).toEqual([]);
  });

  it("a point is clamped to the last pixel, an edge to the picture's side", () => {
    const editor = openEditor();
    editor.setTool("point");
    click(editor, [300, 300]);
    expect(editor.shapes.get()[0]?.geometry).toEqual({ type: "point", x: 199, y: 99 });
  });

  it("a polygon closes on its first corner, by Enter or a double click; Escape takes a corner back", () => {
    const editor = openEditor();
    editor.setTool("polygon");
    for (const at of [
      [10, 10],
      [90, 10],
      [90, 80],
      [40, 90],
    ] as [number, number][])
      click(editor, at);
    editor.cancel();
    click(editor, [12, 12]);
    expect(editor.shapes.get()[0]?.geometry).toEqual({
      type: "polygon",
      points: [
        [10, 10],
        [90, 10],
        [90, 80],
      ],
    });
    for (const at of [
      [110, 10],
      [190, 10],
    ] as [number, number][])
      click(editor, at);
    expect(editor.complete()).toBe(true);
    expect(editor.shapes.get()).toHaveLength(1);
  });

  it("works without a mouse: arrows move the crosshair, Space sets corners", () => {
    const editor = openEditor();
    editor.setTool("box");
    editor.crosshair.set([20, 20]);
    editor.pressCrosshair();
    editor.moveCrosshair(30, 40);
    editor.pressCrosshair();
    expect(bboxOf(editor, "new-1")).toEqual([20, 20, 50, 60]);
    editor.setTool("point");
    editor.pressCrosshair();
    expect(editor.shapes.get()[1]?.geometry).toEqual({ type: "point", x: 50, y: 60 });
  });

  it("a kind that the task does not ask for cannot be drawn", () => {
    const editor = openEditor();
    editor.setEditable(false, ["bbox"]);
    editor.setTool("polygon");
    expect(editor.toolName.get()).toBe("select");
    expect(editor.toolProblem("polygon")).toBe("tool.kindNotAllowed");
  });
});

describe("select", () => {
  it("means the smallest box under the click", () => {
    const editor = openEditor([shapeAt("small", 60, 30, 20), shapeAt("large", 10, 5, 90)]);
    click(editor, [70, 40]);
    expect(editor.selection.get()).toEqual(["small"]);
    click(editor, [30, 20], { shift: true });
    expect(editor.selection.get()).toEqual(["small", "large"]);
    click(editor, [195, 95]);
    expect(editor.selection.get()).toEqual([]);
  });

  it("drags what is selected, never out of the picture, as one step of the history", () => {
    const editor = openEditor([shapeAt("a", 10, 10), shapeAt("b", 60, 10)]);
    editor.select(["a", "b"]);
    drag(editor, [20, 20], [220, 20]);
    expect(bboxOf(editor, "a")).toEqual([160, 10, 200, 50]);
    expect(editor.doc.get().store.get("a")?.by).toBe("person");
    editor.undo();
    expect([bboxOf(editor, "a"), bboxOf(editor, "b")]).toEqual([
      [10, 10, 50, 50],
      [60, 10, 100, 50],
    ]);
    expect(editor.doc.get().store.get("a")?.by).toBe("model");
    editor.redo();
    expect(bboxOf(editor, "b")).toEqual([160, 10, 200, 50]);
  });

  it("a trembling click moves nothing and leaves no step", () => {
    const editor = openEditor([shapeAt("a", 10, 10)]);
    drag(editor, [20, 20], [22, 21]);
    expect(bboxOf(editor, "a")).toEqual([10, 10, 50, 50]);
    expect(editor.doc.get().undo.canUndo).toBe(false);
  });

  it("Escape takes a gesture back", () => {
    const editor = openEditor([shapeAt("a", 10, 10)]);
    press(editor, [20, 20]);
    moveTo(editor, [80, 60]);
    expect(bboxOf(editor, "a")).toEqual([70, 50, 110, 90]);
    editor.cancel();
    expect(bboxOf(editor, "a")).toEqual([10, 10, 50, 50]);
    expect(editor.doc.get().undo.canUndo).toBe(false);
  });

  it("a handle within 12 px resizes; pulled over, the box turns around", () => {
    const editor = openEditor([shapeAt("a", 60, 20)]);
    editor.select(["a"]);
    drag(editor, [108, 68], [120, 70]);
    expect(bboxOf(editor, "a")).toEqual([60, 20, 120, 70]);
    drag(editor, [60, 45], [150, 45]);
    expect(bboxOf(editor, "a")).toEqual([120, 20, 150, 70]);
  });

  it("a rubber band takes what lies wholly inside", () => {
    const editor = openEditor([shapeAt("a", 10, 10, 20), shapeAt("b", 40, 10, 20), shapeAt("c", 70, 10, 90)]);
    drag(editor, [2, 2], [90, 80]);
    expect(editor.selection.get()).toEqual(["a", "b"]);
  });

  it("what is hidden or locked is not hit, and what is locked stays", () => {
    const editor = openEditor([shapeAt("a", 10, 10), shapeAt("b", 60, 10)]);
    editor.toggleHidden("a");
    click(editor, [20, 20]);
    expect(editor.selection.get()).toEqual([]);
    editor.toggleLocked("b");
    editor.select(["b"]);
    editor.nudge(5, 0);
    editor.remove();
    expect(bboxOf(editor, "b")).toEqual([60, 10, 100, 50]);
  });

  it("read only looks, but changes nothing", () => {
    const editor = openEditor([shapeAt("a", 10, 10)]);
    editor.setEditable(true, ["bbox"]);
    click(editor, [20, 20]);
    expect(editor.selection.get()).toEqual(["a"]);
    drag(editor, [20, 20], [80, 60]);
    editor.nudge(1, 1);
    editor.remove();
    editor.setLabel("x");
    expect(editor.shapes.get()).toEqual([shapeAt("a", 10, 10)]);
  });
});

describe("commands", () => {
  it("nudge by one, grow the far edges, both stop at the picture's side", () => {
    const editor = openEditor([shapeAt("a", 159, 10)]);
    editor.select(["a"]);
    editor.nudge(1, 0);
    editor.nudge(1, 0);
    expect(bboxOf(editor, "a")).toEqual([160, 10, 200, 50]);
    editor.grow(-10, 5);
    expect(bboxOf(editor, "a")).toEqual([160, 10, 190, 55]);
  });

  it("removing selects the next one", () => {
    const editor = openEditor([shapeAt("a", 0, 0), shapeAt("b", 50, 0), shapeAt("c", 100, 0)]);
    editor.select(["b"]);
    editor.remove();
    expect(editor.selection.get()).toEqual(["c"]);
  });

  it("a copy is the person's own, with no score and no source", () => {
    const source = { candidate_set_id: "s", candidate_id: "c" };
    const editor = openEditor([shapeAt("a", 10, 10, 40, { source })]);
    editor.select(["a"]);
    editor.clipboard.copy();
    editor.clipboard.paste();
    expect(editor.shapes.get()[1]).toMatchObject({ id: "new-1", by: "person", score: null, source: null });
    expect(bboxOf(editor, "new-1")).toEqual([22, 22, 62, 62]);
  });

  it("one label for all selected is one step", () => {
    const editor = openEditor([shapeAt("a", 0, 0), shapeAt("b", 50, 0)]);
    editor.selectAll();
    editor.setLabel("spoon");
    expect(editor.shapes.get().map((shape) => shape.label)).toEqual(["spoon", "spoon"]);
    editor.undo();
    expect(editor.shapes.get().map((shape) => shape.label)).toEqual(["cup", "cup"]);
  });
});

describe("documents", () => {
  it("another document waits for the end of a gesture and keeps zoom and place", () => {
    const editor = openEditor([shapeAt("a", 10, 10)]);
    editor.camera.viewport.set({ scale: 2, x: 5, y: 6 });
    const panel = new ShapeDocument("panel", [shapeAt("box", 50, 10)]);
    press(editor, [20, 20]);
    moveTo(editor, [40, 30]);
    editor.open(panel);
    expect(editor.doc.get().name).toBe("draft");
    lift(editor, [40, 30]);
    expect(editor.doc.get()).toBe(panel);
    expect(editor.camera.viewport.get()).toEqual({ scale: 2, x: 5, y: 6 });
    expect(editor.shapes.get().map((shape) => shape.id)).toEqual(["box"]);
  });

  it("each has its own history", () => {
    const editor = openEditor([shapeAt("a", 10, 10)]);
    const draft = editor.doc.get();
    editor.select(["a"]);
    editor.nudge(5, 0);
    editor.open(new ShapeDocument("panel", [shapeAt("box", 50, 10)]));
    editor.undo();
    expect(editor.shapes.get()).toEqual([shapeAt("box", 50, 10)]);
    editor.open(draft);
    editor.undo();
    expect(bboxOf(editor, "a")).toEqual([10, 10, 50, 50]);
  });
});

it("another document also waits while somebody types into a shape's field", () => {
  const editor = openEditor([shapeAt("a", 10, 10)]);
  const release = editor.hold();
  const panel = new ShapeDocument("panel", []);
  editor.open(panel);
  expect(editor.doc.get().name).toBe("draft");
  release();
  release();
  expect(editor.doc.get()).toBe(panel);
  editor.open(new ShapeDocument("draft", []));
  expect(editor.doc.get().name).toBe("draft");
});
