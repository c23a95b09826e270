import type { Shape } from "./shapes";
import { ShapeStore } from "./store";
import { UndoStack } from "./undoStack";

/** Shapes with their own history: the draft is one, a pause's boxes are another. */
export interface EditorDoc {
  readonly name: "draft" | "panel" | "review";
  readonly store: ShapeStore;
  readonly undo: UndoStack;
  /** What a new shape carries from the start. */
  readonly defaults: Partial<Shape>;
}

export class ShapeDocument implements EditorDoc {
  readonly store: ShapeStore;
  readonly undo: UndoStack;

  constructor(
    readonly name: EditorDoc["name"],
    shapes: readonly Shape[] = [],
    readonly defaults: Partial<Shape> = {},
  ) {
    this.store = new ShapeStore(shapes);
    this.undo = new UndoStack(this.store);
  }
}
