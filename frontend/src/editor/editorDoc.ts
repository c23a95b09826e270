import type { Shape } from "./shapes";
import { ShapeStore } from "./store";
import { UndoStack } from "./undoStack";

/** Shapes with a history: the draft and its candidates share one, a pause's boxes have another. */
export interface EditorDoc {
  readonly name: "draft" | "candidates" | "panel" | "review";
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
    /** The document whose history this one shares. */
    together?: EditorDoc,
  ) {
    this.store = new ShapeStore(shapes);
    this.undo = together?.undo ?? new UndoStack(this.store);
    if (together) this.undo.watch(this.store);
  }
}
