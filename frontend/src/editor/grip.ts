import { Observable } from "../observable";
import type { Editor } from "./editor";
import { type HandleName, handlesOf } from "./hitTest";
import { resized } from "./tools/select/resizing";

/** The handle that the keyboard has taken hold of: what a mouse does by dragging a corner, the arrows do with it. */
export class Grip {
  readonly handle = new Observable<HandleName | null>(null);

  constructor(private readonly editor: Editor) {
    editor.selection.subscribe(() => this.handle.set(null));
  }

  /** The next corner, edge or vertex of the one selected shape; after the last one none. */
  next(): void {
    const shape = this.editor.singleSelected();
    if (!shape || this.editor.readOnly || this.editor.isLocked(shape.id)) return;
    const names = handlesOf(shape).map((handle) => handle.name);
    const current = this.handle.get();
    this.handle.set(names[current === null ? 0 : names.indexOf(current) + 1] ?? null);
  }

  release(): boolean {
    if (this.handle.get() === null) return false;
    this.handle.set(null);
    return true;
  }

  /** Moves the handle by whole pixels; false when none is held. */
  move(dx: number, dy: number): boolean {
    const name = this.handle.get();
    const shape = this.editor.singleSelected();
    const handle = shape && handlesOf(shape).find((candidate) => candidate.name === name);
    if (!shape || !handle) return false;
    const [x, y] = handle.at;
    const geometry = resized(shape.geometry, handle.name, [x + dx, y + dy], this.editor.picture);
    if (this.editor.readOnly || geometry === shape.geometry) return true;
    this.editor.mark();
    this.editor.update(shape.id, { geometry });
    return true;
  }
}
