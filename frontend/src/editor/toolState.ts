import type { Bbox, XY } from "../api/types";
import type { AreaKind } from "./areas";
import type { Editor } from "./editor";

/** A pointer, or the keyboard's crosshair, on the picture. */
export interface PointerInput {
  /** Picture pixels, not clamped. */
  at: XY;
  /** Stage pixels. */
  screen: XY;
  shift: boolean;
  /** Ctrl or, on a Mac, Command. */
  ctrl: boolean;
  button: number;
}

/** One small state of a tool. A state changes by `editor.toState(…)`; entering a gesture marks the history. */
export interface ToolState {
  readonly name: string;
  readonly cursor: string;
  /** A gesture is on: documents are not swapped under it. */
  readonly busy?: boolean;
  onDown?(editor: Editor, input: PointerInput): void;
  onMove?(editor: Editor, input: PointerInput): void;
  onUp?(editor: Editor, input: PointerInput): void;
  onDoubleClick?(editor: Editor, input: PointerInput): void;
  /** Enter while a drawing tool waits for its end. */
  onComplete?(editor: Editor): void;
  /** Escape, or the window lost the pointer. */
  onCancel?(editor: Editor): void;
}

/** What a tool shows while its gesture is on. */
export type Preview =
  | { kind: "box" | "band"; bbox: Bbox }
  | { kind: "area"; area: AreaKind; bbox: Bbox }
  | { kind: "point"; at: XY }
  | { kind: "polygon"; points: XY[] };

export type ToolName = "select" | "point" | "box" | "polygon" | "pan" | "area";

export interface Tool {
  readonly name: ToolName;
  readonly idle: () => ToolState;
}
