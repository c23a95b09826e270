import type { Geometry, GeometryKind, XY } from "../api/types";
import { Observable } from "../observable";
import { Areas } from "./areas";
import { Camera } from "./camera";
import { Clipboard } from "./clipboard";
import { clampEdge, movedInside, type PictureSize } from "./coordinates";
import { type EditorDoc, ShapeDocument } from "./editorDoc";
import { Grip } from "./grip";
import { hitShape } from "./hitTest";
import { boundsOf, type Shape } from "./shapes";
import type { PointerInput, Preview, Tool, ToolName, ToolState } from "./toolState";
import { tools } from "./tools";

export interface EditorOptions {
  picture: PictureSize;
  newId: () => string;
}

/** What may be drawn in the present document; `areas`: a region for a local detection may be marked. */
export interface Editable {
  readOnly: boolean;
  kinds: readonly GeometryKind[];
  areas: boolean;
}

const KIND: Partial<Record<ToolName, GeometryKind>> = { point: "point", box: "bbox", polygon: "polygon" };

/** The editor without a page: documents, selection, tools, viewport. Knows neither React nor Konva. */
export class Editor {
  readonly picture: PictureSize;
  readonly camera: Camera;
  readonly selection = new Observable<readonly string[]>([]);
  readonly hovered = new Observable<string | null>(null);
  readonly preview = new Observable<Preview | null>(null);
  readonly toolName = new Observable<ToolName>("select");
  readonly toolState: Observable<ToolState>;
  /** Where the pointer or the keyboard's crosshair is, in picture pixels. */
  readonly crosshair = new Observable<XY | null>(null);
  readonly hidden = new Observable<ReadonlySet<string>>(new Set());
  readonly locked = new Observable<ReadonlySet<string>>(new Set());
  /** The label that the next shape gets. */
  readonly activeLabel = new Observable<string | null>(null);
  readonly doc: Observable<EditorDoc>;
  /** The present document's shapes. */
  readonly shapes = new Observable<readonly Shape[]>([]);
  readonly editable = new Observable<Editable>({ readOnly: true, kinds: [], areas: false });
  /** Where a local detection is to look. */
  readonly areas = new Areas();
  /** The selected shape's handle that the arrows move. */
  readonly grip: Grip;
  readonly clipboard: Clipboard;
  #tool: Tool = tools.select;
  #waiting: (() => void)[] = [];
  #holds = 0;
  #stopWatching: () => void = () => undefined;

  constructor(private readonly options: EditorOptions) {
    this.picture = options.picture;
    this.camera = new Camera(options.picture);
    this.toolState = new Observable<ToolState>(this.#tool.idle());
    this.doc = new Observable<EditorDoc>(new ShapeDocument("draft"));
    this.grip = new Grip(this);
    this.clipboard = new Clipboard(this, options.newId);
    this.#watch(this.doc.get());
  }

  get readOnly(): boolean {
    return this.editable.get().readOnly;
  }

  // Documents

  /** Shows another document once no gesture is on. Zoom and place stay as they are. */
  open(doc: EditorDoc): void {
    this.whenIdle(() => {
      if (doc === this.doc.get()) return;
      this.#stopWatching();
      this.selection.set([]);
      this.hovered.set(null);
      this.doc.set(doc);
      this.#watch(doc);
    });
  }

  setEditable(readOnly: boolean, kinds: readonly GeometryKind[], areas = false): void {
    this.editable.set({ readOnly, kinds, areas });
    if (readOnly && this.toolState.get().busy && this.#tool.name !== "pan") this.cancel();
    if (this.toolProblem(this.toolName.get())) this.setTool("select");
  }

  whenIdle(action: () => void): void {
    if (this.toolState.get().busy || this.#holds) this.#waiting.push(action);
    else action();
  }

  /** While somebody types into a shape's field its document stays; the result lets go. */
  hold(): () => void {
    this.#holds += 1;
    let held = true;
    return () => {
      if (held) this.#holds -= 1;
      held = false;
      this.#drain();
    };
  }

  // Tools

  /** Why the tool cannot be chosen now, as a message key; null when it can. */
  toolProblem(name: ToolName): "tool.readOnly" | "tool.kindNotAllowed" | "tool.noArea" | null {
    if (name === "area" && !this.editable.get().areas) return "tool.noArea";
    const kind = KIND[name];
    if (!kind) return null;
    if (this.readOnly) return "tool.readOnly";
    return this.editable.get().kinds.includes(kind) ? null : "tool.kindNotAllowed";
  }

  setTool(name: ToolName): void {
    if (this.toolProblem(name)) return;
    while (this.toolState.get().busy) this.cancel();
    this.#tool = tools[name];
    this.toolName.set(name);
    // With nothing selected the arrows move the crosshair; once something is drawn they nudge it.
    if (this.isDrawingTool) this.select([]);
    this.toState(this.#tool.idle());
  }

  toState(state: ToolState): void {
    this.toolState.set(state);
    this.#drain();
  }

  down(input: PointerInput): void {
    this.crosshair.set(input.at);
    this.toolState.get().onDown?.(this, input);
  }

  move(input: PointerInput): void {
    this.crosshair.set(input.at);
    this.toolState.get().onMove?.(this, input);
  }

  up(input: PointerInput): void {
    this.toolState.get().onUp?.(this, input);
  }

  doubleClick(input: PointerInput): void {
    this.toolState.get().onDoubleClick?.(this, input);
  }

  /** Enter: ends a drawing that waits for its end. False when there is none. */
  complete(): boolean {
    const state = this.toolState.get();
    if (!state.onComplete) return false;
    state.onComplete(this);
    return true;
  }

  /** Escape: the gesture, then the handle, then the tool, then the selection. */
  cancel(): void {
    const state = this.toolState.get();
    if (state.busy) state.onCancel?.(this);
    else if (this.grip.release()) return;
    else if (this.#tool.name !== "select") this.setTool("select");
    else this.select([]);
  }

  // Drawing without a mouse: arrows move a crosshair, Space is the button

  get isDrawingTool(): boolean {
    return this.#tool.name === "area" || KIND[this.#tool.name] !== undefined;
  }

  moveCrosshair(dx: number, dy: number): void {
    const at = this.crosshair.get() ?? [this.picture.width / 2, this.picture.height / 2];
    this.move(this.#keyInput(clampEdge([at[0] + dx, at[1] + dy], this.picture)));
  }

  pressCrosshair(): void {
    const input = this.#keyInput(
      this.crosshair.get() ?? [Math.round(this.picture.width / 2), Math.round(this.picture.height / 2)],
    );
    const hasTwoCorners = this.#tool.name === "box" || this.#tool.name === "area";
    if (hasTwoCorners && this.toolState.get().busy) this.up(input);
    else {
      this.down(input);
      if (this.#tool.name === "point") this.up(input);
    }
  }

  // Shapes

  visibleShapes(): Shape[] {
    const hidden = this.hidden.get();
    return this.shapes.get().filter((shape) => !hidden.has(shape.id));
  }

  selectedShapes(): Shape[] {
    const ids = new Set(this.selection.get());
    return this.shapes.get().filter((shape) => ids.has(shape.id));
  }

  singleSelected(): Shape | null {
    const [shape, ...others] = this.selectedShapes();
    return shape && others.length === 0 ? shape : null;
  }

  isLocked(id: string): boolean {
    return this.locked.get().has(id);
  }

  hitShape(at: XY): Shape | null {
    const free = this.visibleShapes().filter((shape) => !this.isLocked(shape.id));
    return hitShape(free, at, this.camera.scale);
  }

  select(ids: readonly string[]): void {
    const before = this.selection.get();
    if (ids.length !== before.length || ids.some((id, index) => id !== before[index])) {
      this.selection.set([...ids]);
    }
  }

  toggleSelected(id: string): void {
    const ids = this.selection.get();
    this.select(ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]);
  }

  hover(id: string | null): void {
    this.hovered.set(id);
  }

  /** The person's new shape. */
  draw(geometry: Geometry): Shape | null {
    if (this.readOnly) return null;
    const shape: Shape = {
      id: this.options.newId(),
      label: this.activeLabel.get(),
      geometry,
      by: "person",
      score: null,
      ...this.doc.get().defaults,
    };
    this.mark();
    this.doc.get().store.create(shape);
    this.select([shape.id]);
    return shape;
  }

  /** The person's change; what a model found becomes a person's once its place or name is changed. */
  update(id: string, part: Partial<Omit<Shape, "id">>): void {
    if (this.readOnly) return;
    const changesWhat = part.geometry !== undefined || part.label !== undefined;
    this.doc.get().store.update(id, changesWhat ? { by: "person", ...part } : part);
  }

  /** One step: the same change to every selected shape that is not locked. */
  updateSelected(part: Partial<Omit<Shape, "id">>): void {
    const shapes = this.selectedShapes().filter((shape) => !this.isLocked(shape.id));
    if (this.readOnly || !shapes.length) return;
    this.mark();
    for (const shape of shapes) this.update(shape.id, part);
  }

  setLabel(label: string | null): void {
    this.activeLabel.set(label);
    this.updateSelected({ label });
  }

  nudge(dx: number, dy: number): void {
    if (this.grip.move(dx, dy)) return;
    const shapes = this.selectedShapes().filter((shape) => !this.isLocked(shape.id));
    if (this.readOnly || !shapes.length) return;
    this.mark();
    for (const { id, geometry } of shapes)
      this.update(id, { geometry: movedInside(geometry, dx, dy, this.picture) });
  }

  /** Moves the right and bottom edges: the keyboard's way to change a box's size. */
  grow(dx: number, dy: number): void {
    const shape = this.singleSelected();
    if (this.readOnly || shape?.geometry.type !== "bbox" || this.isLocked(shape.id)) return;
    const [x1, y1, x2, y2] = shape.geometry.bbox;
    const [right, bottom] = clampEdge([x2 + dx, y2 + dy], this.picture);
    if (right - x1 < 1 || bottom - y1 < 1) return;
    this.mark();
    this.update(shape.id, { geometry: { type: "bbox", bbox: [x1, y1, right, bottom] } });
  }

  remove(ids: readonly string[] = this.selection.get()): void {
    const free = ids.filter((id) => !this.isLocked(id));
    if (this.readOnly || !free.length) return;
    const index = this.shapes.get().findIndex((shape) => shape.id === free[0]);
    this.mark();
    this.doc.get().store.remove(free);
    const rest = this.shapes.get();
    const next = rest[Math.min(index, rest.length - 1)];
    this.select(next ? [next.id] : []);
  }

  selectAll(): void {
    this.select(this.visibleShapes().map((shape) => shape.id));
  }

  /** Puts the selected shape one place earlier or later in the list. */
  moveInOrder(by: 1 | -1): void {
    const shape = this.singleSelected();
    if (this.readOnly || !shape || this.isLocked(shape.id)) return;
    this.mark();
    this.doc.get().store.move(shape.id, this.shapes.get().indexOf(shape) + by);
  }

  /** The next or previous shape in the list's order. */
  step(direction: 1 | -1): void {
    const shapes = this.visibleShapes();
    if (!shapes.length) return;
    const at = shapes.findIndex((shape) => shape.id === this.selection.get().at(-1));
    const next =
      at < 0 ? (direction > 0 ? 0 : shapes.length - 1) : (at + direction + shapes.length) % shapes.length;
    const shape = shapes[next];
    if (shape) this.select([shape.id]);
  }

  toggleHidden(id: string): void {
    this.hidden.set(toggled(this.hidden.get(), id));
  }

  toggleLocked(id: string): void {
    this.locked.set(toggled(this.locked.get(), id));
  }

  mark(): void {
    this.doc.get().undo.mark();
  }

  revert(): void {
    this.doc.get().undo.revert();
  }

  undo(): void {
    if (!this.readOnly && !this.toolState.get().busy) this.doc.get().undo.undo();
  }

  redo(): void {
    if (!this.readOnly && !this.toolState.get().busy) this.doc.get().undo.redo();
  }

  bringIntoSight(id: string): void {
    const shape = this.doc.get().store.get(id);
    if (!shape) return;
    const [x1, y1, x2, y2] = boundsOf(shape.geometry);
    this.camera.reveal([(x1 + x2) / 2, (y1 + y2) / 2]);
  }

  #drain(): void {
    while (!this.toolState.get().busy && !this.#holds && this.#waiting.length) this.#waiting.shift()?.();
  }

  #keyInput(at: XY): PointerInput {
    return { at, screen: this.camera.toScreen(at), shift: false, ctrl: false, button: 0 };
  }

  #watch(doc: EditorDoc): void {
    this.shapes.set(doc.store.all());
    this.#stopWatching = doc.store.listen(() => {
      this.shapes.set(doc.store.all());
      const kept = this.selection.get().filter((id) => doc.store.get(id));
      this.select(kept);
    });
  }
}

function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}
