import { describe, expect, it } from "vitest";
import { clampEdge, clampPoint, movedInside } from "../../src/editor/coordinates";
import { hitHandle } from "../../src/editor/hitTest";
import { commandOf, isTyping, type KeyPress, keymap, withOverrides } from "../../src/editor/keymap";
import { type Changes, ShapeStore } from "../../src/editor/store";
import { UndoStack } from "../../src/editor/undoStack";
import { fitted, keepInSight, oneToOne, toPicture, toScreen, zoomAt } from "../../src/editor/viewport";
import { shapeAt } from "../support/editors";

describe("store and history", () => {
  it("announces created, updated and deleted with the origin", () => {
    const store = new ShapeStore([shapeAt("a", 0, 0)]);
    const seen: [Changes, string][] = [];
    store.listen((changes, origin) => seen.push([changes, origin]));
    store.replace([shapeAt("a", 5, 0), shapeAt("b", 9, 9)], "remote");
    store.remove(["a"]);
    expect(seen[0]?.[1]).toBe("remote");
    expect(seen[0]?.[0].updated[0]?.after).toEqual(shapeAt("a", 5, 0));
    expect(seen[0]?.[0].created[0]?.shape.id).toBe("b");
    expect(seen[1]?.[0].deleted[0]?.shape.id).toBe("a");
    store.replace([shapeAt("b", 9, 9)], "remote");
    expect(seen).toHaveLength(2);
  });

  it("undo takes back local changes only, and a removed shape returns to its place", () => {
    const store = new ShapeStore([shapeAt("a", 0, 0), shapeAt("b", 50, 0), shapeAt("c", 90, 0)]);
    const undo = new UndoStack(store);
    undo.mark();
    store.remove(["b"]);
    store.replace([shapeAt("a", 7, 7), shapeAt("c", 90, 0)], "remote");
    undo.undo();
    expect(store.all().map((shape) => shape.id)).toEqual(["a", "b", "c"]);
    expect(store.get("a")).toEqual(shapeAt("a", 7, 7));
    expect(undo.undo()).toBe(false);
    undo.redo();
    expect(store.get("b")).toBeUndefined();
  });

  it("undo survives that a merge removed the shape meanwhile", () => {
    const store = new ShapeStore([shapeAt("a", 0, 0)]);
    const undo = new UndoStack(store);
    undo.mark();
    store.update("a", { label: "x" });
    store.replace([], "remote");
    undo.undo();
    expect(store.all()).toEqual([]);
  });

  it("a new change ends the redo", () => {
    const store = new ShapeStore([shapeAt("a", 0, 0)]);
    const undo = new UndoStack(store);
    store.update("a", { label: "x" });
    undo.undo();
    store.update("a", { label: "y" });
    expect(undo.canRedo).toBe(false);
  });
});

describe("viewport and coordinates", () => {
  it("zooming keeps the pixel under the cursor", () => {
    const view = { scale: 1.3, x: 17, y: -9 };
    const before = toPicture(view, [200, 120]);
    const after = toPicture(zoomAt(view, [200, 120], 1.7), [200, 120]);
    expect(after[0]).toBeCloseTo(before[0], 9);
    expect(after[1]).toBeCloseTo(before[1], 9);
    expect(toPicture(view, toScreen(view, [33, 44]))).toEqual([33, 44]);
  });

  it("fit shows all of it; 100 % is one to one; it cannot be lost", () => {
    const stage = { width: 800, height: 600 };
    const picture = { width: 4000, height: 1000 };
    const view = fitted(stage, picture);
    const [left, top] = toScreen(view, [0, 0]);
    const [right, bottom] = toScreen(view, [4000, 1000]);
    expect(left).toBeGreaterThanOrEqual(0);
    expect(top).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(800);
    expect(bottom).toBeLessThanOrEqual(600);
    expect(oneToOne(view, stage).scale).toBeCloseTo(1);
    const lost = keepInSight({ scale: 1, x: 99_999, y: -99_999 }, stage, picture);
    expect(lost.x).toBeLessThan(800);
    expect(lost.y + 1000).toBeGreaterThan(0);
  });

  it("a point ends at the last pixel, an edge at the side", () => {
    const size = { width: 320, height: 200 };
    expect(clampPoint([500, -3], size)).toEqual([319, 0]);
    expect(clampEdge([500, 201], size)).toEqual([320, 200]);
  });

  it("what lies outside may come in, never further out", () => {
    const size = { width: 100, height: 100 };
    const outside = { type: "bbox" as const, bbox: [90, 10, 130, 30] as [number, number, number, number] };
    expect(movedInside(outside, 20, 0, size)).toEqual(outside);
    expect(movedInside(outside, -30, 0, size)).toEqual({ type: "bbox", bbox: [60, 10, 100, 30] });
  });

  it("handles are hit within 24 px on the screen at any zoom; a small box can still be moved", () => {
    const shape = shapeAt("a", 100, 100, 100);
    expect(hitHandle(shape, [206, 206], 2)).toBe("se");
    expect(hitHandle(shape, [207, 207], 2)).toBeNull();
    expect(hitHandle(shape, [220, 220], 0.5)).toBe("se");
    expect(hitHandle(shapeAt("b", 0, 0, 20), [10, 10], 1)).toBeNull();
    expect(hitHandle(shapeAt("b", 0, 0, 20), [0, 0], 1)).toBe("nw");
  });
});

describe("keys", () => {
  const key = (name: string, more: Partial<KeyPress> = {}): KeyPress => ({
    key: name,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    ...more,
  });

  it.each([
    [key("b"), "tool.box"],
    [key("ArrowLeft"), "nudge.left"],
    [key("ArrowLeft", { shiftKey: true }), "jump.left"],
    [key("ArrowLeft", { altKey: true }), "grow.left"],
    [key("z", { ctrlKey: true }), "undo"],
    [key("Z", { ctrlKey: true, shiftKey: true }), "redo"],
    [key("z", { metaKey: true }), "undo"],
    [key("?", { shiftKey: true }), "help"],
    [key("+", { shiftKey: true }), "view.in"],
    [key(" "), "press"],
    [key("n"), "task.next"],
    [key("b", { ctrlKey: true }), null],
  ])("%o is %s", (press, command) => {
    expect(commandOf(press)).toBe(command);
  });

  it("no two commands share a key", () => {
    const keys = keymap.flatMap((binding) => binding.keys);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("nothing fires while typing or composing", () => {
    expect(isTyping(key("b", { target: { tagName: "INPUT", type: "text" } }))).toBe(true);
    expect(isTyping(key("b", { target: { tagName: "INPUT", type: "range" } }))).toBe(false);
    expect(isTyping(key("b", { target: { tagName: "TEXTAREA" } }))).toBe(true);
    expect(isTyping(key("b", { target: { tagName: "DIV", isContentEditable: true } }))).toBe(true);
    expect(isTyping(key("Enter", { isComposing: true }))).toBe(true);
    expect(isTyping(key("Enter", { keyCode: 229 }))).toBe(true);
    expect(isTyping(key("b", { target: { tagName: "BUTTON" } }))).toBe(false);
  });

  it("can be changed by a person", () => {
    expect(commandOf(key("x"), withOverrides({ delete: ["X"] }))).toBe("delete");
    expect(commandOf(key("Delete"), withOverrides({ delete: ["X"] }))).toBeNull();
  });
});
