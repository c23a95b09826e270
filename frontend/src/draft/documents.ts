import type { Item } from "../api/types";
import { ShapeDocument } from "../editor/editorDoc";
import { type EditorDocument, same } from "../session/document";
import { candidateOfShape, itemsOf, shapeOfCandidate, shapesOf } from "./itemShapes";

/** The draft and the candidates as shapes, with one history over both, and the document that they are saved as. */
export class Documents {
  readonly draft: ShapeDocument;
  readonly candidates: ShapeDocument;
  #showing = false;

  constructor(
    document: EditorDocument,
    confirmed: readonly Item[],
    /** The person changed a shape of either; `undone`: by undo or redo. */
    private readonly onEdited: (doc: ShapeDocument, undone: boolean) => void,
  ) {
    this.draft = new ShapeDocument("draft", shapesOf(document, confirmed));
    const shapes = document.candidates.map(shapeOfCandidate);
    this.candidates = new ShapeDocument("candidates", shapes, {}, this.draft);
    for (const doc of [this.draft, this.candidates]) {
      doc.store.listen((_changes, origin) => {
        if (origin !== "remote" && !this.#showing) this.onEdited(doc, origin === "undo");
      });
    }
  }

  /**
   * Makes both hold what `document` says. `undoable`: it is the person's own act, one step of the history; else it
   * came from elsewhere and is not theirs to take back.
   */
  show(document: EditorDocument, confirmed: readonly Item[], { undoable = false } = {}): void {
    this.#showing = true;
    try {
      if (undoable) this.draft.undo.mark();
      const origin = undoable ? "local" : "remote";
      this.draft.store.replace(shapesOf(document, confirmed), origin);
      this.candidates.store.replace(document.candidates.map(shapeOfCandidate), origin);
    } finally {
      this.#showing = false;
    }
  }

  /** What the shapes make of `before`, the document as it was. */
  documentAfter(before: EditorDocument): EditorDocument {
    const known = new Map(before.candidates.map((candidate) => [candidate.id, candidate]));
    const candidates = this.candidates.store.all().flatMap((shape) => {
      const old = known.get(shape.id);
      return old && same(shapeOfCandidate(old), shape) ? old : (candidateOfShape(shape) ?? []);
    });
    return { ...before, items: itemsOf(this.draft.store.all(), before.config.selection_mode), candidates };
  }
}
