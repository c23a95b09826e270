import type { Shape } from "./shapes";

/** Who caused a change: the undo stack watches only the local ones. */
export type Origin = "local" | "remote" | "undo";

export interface Changes {
  created: { shape: Shape; index: number }[];
  updated: { before: Shape; after: Shape }[];
  deleted: { shape: Shape; index: number }[];
}

export type ChangeListener = (changes: Changes, origin: Origin) => void;

/** The shapes in their order. Every change is announced as `{created, updated, deleted}` with its origin. */
export class ShapeStore {
  #shapes: readonly Shape[];
  readonly #listeners = new Set<ChangeListener>();

  constructor(shapes: readonly Shape[] = []) {
    this.#shapes = shapes;
  }

  all(): readonly Shape[] {
    return this.#shapes;
  }

  get(id: string): Shape | undefined {
    return this.#shapes.find((shape) => shape.id === id);
  }

  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  create(shape: Shape, origin: Origin = "local"): void {
    if (this.get(shape.id)) throw new Error(`Shape ${shape.id} exists already.`);
    this.apply({ created: [{ shape, index: this.#shapes.length }], updated: [], deleted: [] }, origin);
  }

  update(id: string, part: Partial<Omit<Shape, "id">>, origin: Origin = "local"): void {
    const before = this.get(id);
    if (!before) return;
    this.apply({ created: [], updated: [{ before, after: { ...before, ...part } }], deleted: [] }, origin);
  }

  remove(ids: Iterable<string>, origin: Origin = "local"): void {
    const gone = new Set(ids);
    const deleted = this.#shapes
      .map((shape, index) => ({ shape, index }))
      .filter(({ shape }) => gone.has(shape.id));
    if (deleted.length) this.apply({ created: [], updated: [], deleted }, origin);
  }

  /** Puts a shape at another place of the order. */
  move(id: string, index: number, origin: Origin = "local"): void {
    const from = this.#shapes.findIndex((shape) => shape.id === id);
    const shape = this.#shapes[from];
    const to = Math.max(0, Math.min(this.#shapes.length - 1, index));
    if (!shape || to === from) return;
    this.apply({ created: [{ shape, index: to }], updated: [], deleted: [{ shape, index: from }] }, origin);
  }

  /** Makes the store hold exactly `shapes`, announcing only what differs. */
  replace(shapes: readonly Shape[], origin: Origin): void {
    const before = new Map(this.#shapes.map((shape, index) => [shape.id, { shape, index }]));
    const changes: Changes = { created: [], updated: [], deleted: [] };
    shapes.forEach((shape, index) => {
      const known = before.get(shape.id);
      if (!known) changes.created.push({ shape, index });
      else if (JSON.stringify(known.shape) !== JSON.stringify(shape)) {
        changes.updated.push({ before: known.shape, after: shape });
      }
      before.delete(shape.id);
    });
    changes.deleted.push(...before.values());
    const reordered = this.#shapes.filter((s) => !before.has(s.id)).some((s, i) => shapes[i]?.id !== s.id);
    if (!reordered && !changes.created.length && !changes.updated.length && !changes.deleted.length) return;
    this.#shapes = [...shapes];
    this.#announce(changes, origin);
  }

  apply(changes: Changes, origin: Origin): void {
    const gone = new Set(changes.deleted.map(({ shape }) => shape.id));
    const after = new Map(changes.updated.map((update) => [update.after.id, update.after]));
    const next = this.#shapes
      .filter((shape) => !gone.has(shape.id))
      .map((shape) => after.get(shape.id) ?? shape);
    for (const { shape, index } of [...changes.created].sort((a, b) => a.index - b.index)) {
      next.splice(Math.min(index, next.length), 0, shape);
    }
    this.#shapes = next;
    this.#announce(changes, origin);
  }

  #announce(changes: Changes, origin: Origin): void {
    for (const listener of [...this.#listeners]) listener(changes, origin);
  }
}

export function inverse(changes: Changes): Changes {
  return {
    created: changes.deleted,
    updated: changes.updated.map(({ before, after }) => ({ before: after, after: before })),
    deleted: changes.created,
  };
}
