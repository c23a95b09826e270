import { type Changes, inverse, type ShapeStore } from "./store";

const LIMIT = 200;

/** One change, and the store that it was made in. */
interface Step {
  store: ShapeStore;
  changes: Changes;
}

/**
 * Undo and redo over one store or several together. Every gesture marks the history on entry; all local changes
 * up to the next mark go back together. Changes of other origins pass by.
 */
export class UndoStack {
  #undo: Step[][] = [];
  #redo: Step[][] = [];
  #open: Step[] | null = null;
  #stops: (() => void)[] = [];

  constructor(store: ShapeStore) {
    this.watch(store);
  }

  /** Changes of this store belong to the same history from now on. */
  watch(store: ShapeStore): void {
    this.#stops.push(
      store.listen((changes, origin) => {
        if (origin !== "local") return;
        this.#redo = [];
        if (!this.#open) this.mark();
        this.#open?.push({ store, changes });
      }),
    );
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
    for (const { store, changes } of [...entry].reverse()) replay(store, inverse(changes));
    this.#redo.push(entry);
    return true;
  }

  redo(): boolean {
    const entry = this.#redo.pop();
    if (!entry) return false;
    for (const { store, changes } of entry) replay(store, changes);
    this.#undo.push(entry);
    this.#open = null;
    return true;
  }

  /** Takes the step in progress back for good: a gesture that was cancelled. */
  revert(): void {
    const entry = this.#open;
    this.#open = null;
    if (!entry) return;
    for (const { store, changes } of [...entry].reverse()) replay(store, inverse(changes));
    this.#undo = this.#undo.filter((step) => step !== entry);
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
  }

  #takeFilled(): Step[] | null {
    this.#open = null;
    for (let entry = this.#undo.pop(); entry; entry = this.#undo.pop()) if (entry.length) return entry;
    return null;
  }
}

/** A merge may have removed or brought a shape meanwhile: only what still fits is replayed. */
function replay(store: ShapeStore, changes: Changes): void {
  const has = (id: string) => store.get(id) !== undefined;
  const deleted = changes.deleted.filter(({ shape }) => has(shape.id));
  // What one change takes out and puts in again has only changed its place.
  const leaving = new Set(deleted.map(({ shape }) => shape.id));
  const moved = new Set(changes.deleted.map(({ shape }) => shape.id));
  store.apply(
    {
      created: changes.created.filter(({ shape }) =>
        moved.has(shape.id) ? leaving.has(shape.id) : !has(shape.id),
      ),
      updated: changes.updated.filter(({ after }) => has(after.id)),
      deleted,
    },
    "undo",
  );
}
