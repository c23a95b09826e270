import { movedInside } from "./coordinates";
import type { Editor } from "./editor";
import type { Shape } from "./shapes";

/** Copies of shapes, within the page: also from one task's draft into a pause's boxes. */
export class Clipboard {
  #copied: readonly Shape[] = [];

  constructor(
    private readonly editor: Editor,
    private readonly newId: () => string,
  ) {}

  copy(): void {
    this.#copied = this.editor.selectedShapes();
  }

  /** A little beside the copied ones, as the person's own; kinds that may not be drawn here stay out. */
  paste(): void {
    const { editor } = this;
    const { kinds, readOnly } = editor.editable.get();
    const copied = this.#copied.filter((shape) => kinds.includes(shape.geometry.type));
    if (readOnly || !copied.length) return;
    const shift = Math.max(4, Math.round(12 / editor.camera.scale));
    const { store, defaults } = editor.doc.get();
    editor.mark();
    const copies = copied.map(
      (shape): Shape => ({
        ...shape,
        ...defaults,
        id: this.newId(),
        by: "person",
        changed: false,
        score: null,
        source: null,
        order: null,
        geometry: movedInside(shape.geometry, shift, shift, editor.picture),
      }),
    );
    for (const copy of copies) store.create(copy);
    editor.select(copies.map((copy) => copy.id));
    this.#copied = copies;
  }
}
