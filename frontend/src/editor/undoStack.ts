import { type Changes, inverse, type ShapeStore } from "./store";

const LIMIT = 200;

/**
 * Undo and redo over one store. Every gesture marks the history on entry; all local changes up to the next
 * mark go back together. Changes of other origins pass by.
 */
export class UndoStack {
  #undo: Changes[][] = [];
  #redo: Changes[][] = [];
  #open: Changes[] | null = null;
  readonly #stop: () => void;

  constructor(private readonly store: ShapeStore) {
    this.#stop = store.listen((changes, origin) => {
      if (origin !== "local") return;
      this.#redo = [];
      if (!this.#open) this.mark();
      this.#open?.push(changes);
    });
  }

  get canUndo(): boolean {
    return this.#undo.some((entry) => entry.length > 0);
  }

  get canRedo(): boolean {
    return this.#redo.length > 0;
  }

  /** From here on changes belong to a new step. */
  mark(): void {
    if (this.#open && this.#open.length === 0) return;
    this.#open = [];
    this.#undo.push(this.#open);
    if (this.#undo.length > LIMIT) this.#undo.shift();
  }

  undo(): boolean {
    const entry = this.#takeFilled();
    if (!entry) return false;
    for (const changes of [...entry].reverse()) this.#replay(inverse(changes));
    this.#redo.push(entry);
    return true;
  }

  redo(): boolean {
    const entry = this.#redo.pop();
    if (!entry) return false;
    for (const changes of entry) this.#replay(changes);
    this.#undo.push(entry);
    this.#open = null;
    return true;
  }

  /** Takes the step in progress back and forgets it: a gesture that was cancelled. */
  revert(): void {
    const entry = this.#open;
    this.#open = null;
    if (!entry) return;
    for (const changes of [...entry].reverse()) this.#replay(inverse(changes));
    this.#undo = this.#undo.filter((step) => step !== entry);
  }

  dispose(): void {
    this.#stop();
  }

  #takeFilled(): Changes[] | null {
    this.#open = null;
    for (let entry = this.#undo.pop(); entry; entry = this.#undo.pop()) if (entry.length) return entry;
    return null;
  }

  /** A merge may have removed or brought a shape meanwhile: only what still fits is replayed. */
  #replay(changes: Changes): void {
    const has = (id: string) => this.store.get(id) !== undefined;
    this.store.apply(
      {
        created: changes.created.filter(({ shape }) => !has(shape.id)),
        updated: changes.updated.filter(({ after }) => has(after.id)),
        deleted: changes.deleted.filter(({ shape }) => has(shape.id)),
      },
      "undo",
    );
  }
}
