import type { Candidate } from "../api/types";
import { ShapeDocument } from "../editor/editorDoc";
import type { Shape } from "../editor/shapes";
import type { ShapeStore } from "../editor/store";
import { type EditorDocument, same } from "../session/document";
import { candidateOfShape, itemOfShape, itemsOf, shapeOfCandidate, shapesOf } from "./itemShapes";
import { isProposal, type Known, standingOf } from "./provenance";

/** The draft and the candidates as shapes, with one history over both, and the document that they are saved as. */
export class Documents {
  readonly draft: ShapeDocument;
  readonly candidates: ShapeDocument;
  #showing = false;
  #known: Known;

  constructor(
    document: EditorDocument,
    known: Known,
    /** The person changed a shape of either; `undone`: by undo or redo. */
    private readonly onEdited: (doc: ShapeDocument, undone: boolean) => void,
  ) {
    this.#known = known;
    this.draft = new ShapeDocument("draft", shapesOf(document, known));
    const shapes = document.candidates.map((candidate) => shapeOfCandidate(candidate, known));
    this.candidates = new ShapeDocument("candidates", shapes, {}, this.draft);
    for (const doc of [this.draft, this.candidates]) {
      doc.store.listen((changes, origin) => {
        if (origin === "remote" || this.#showing) return;
        const { created, updated } = changes;
        this.#settle(doc.store, [...created.map(({ shape }) => shape), ...updated.map(({ after }) => after)]);
        this.onEdited(doc, origin === "undo");
      });
    }
  }

  /**
   * Makes both hold what `document` says. `undoable`: it is the person's own act, one step of the history; else it
   * came from elsewhere and is not theirs to take back.
   */
  show(document: EditorDocument, known: Known, { undoable = false } = {}): void {
    this.#known = known;
    this.#showing = true;
    try {
      if (undoable) this.draft.undo.mark();
      const origin = undoable ? "local" : "remote";
      this.draft.store.replace(shapesOf(document, known), origin);
      const shapes = document.candidates.map((candidate) => shapeOfCandidate(candidate, known));
      this.candidates.store.replace(shapes, origin);
    } finally {
      this.#showing = false;
    }
  }

  /** The server knows more, while the person's own edits stay what is shown. */
  know(known: Known): void {
    this.#known = known;
    for (const { store } of [this.draft, this.candidates]) this.#settle(store, store.all());
  }

  /** Whether the candidate is as a model proposed it. */
  isProposal(candidate: Candidate): boolean {
    return isProposal(candidate, this.#known);
  }

  /** What the shapes make of `before`, the document as it was. */
  documentAfter(before: EditorDocument): EditorDocument {
    const known = new Map(before.candidates.map((candidate) => [candidate.id, candidate]));
    const candidates = this.candidates.store.all().flatMap((shape) => {
      const old = known.get(shape.id);
      return old && isLike(old, shape) ? old : (candidateOfShape(shape) ?? []);
    });
    return { ...before, items: itemsOf(this.draft.store.all(), before.config.selection_mode), candidates };
  }

  /** Whose these shapes are now: moved back, or undone, one is the model's again. */
  #settle(store: ShapeStore, shapes: readonly Shape[]): void {
    for (const shape of shapes) {
      const { by, changed } = { changed: false, ...this.#standing(store, shape) };
      if (shape.by !== by || (shape.changed ?? false) !== changed)
        store.update(shape.id, { by, changed }, "remote");
    }
  }

  #standing(store: ShapeStore, shape: Shape): Pick<Shape, "by" | "changed"> {
    if (store === this.draft.store) return standingOf(itemOfShape(shape), this.#known);
    const candidate = candidateOfShape(shape);
    return { by: candidate && this.isProposal(candidate) ? "model" : "person" };
  }
}

function isLike(candidate: Candidate, shape: Shape): boolean {
  const [x, y] = candidate.center;
  const geometry = candidate.bbox ? { type: "bbox", bbox: candidate.bbox } : { type: "point", x, y };
  return candidate.label === shape.label && candidate.score === shape.score && same(geometry, shape.geometry);
}
