import type { Label } from "../api/types";
import {
  type CommandId,
  commandOf,
  isTyping,
  type KeyBinding,
  type KeyPress,
  labelKeyOf,
  movesControl,
} from "../editor/keymap";
import { addVertex, removeVertex } from "../editor/vertices";
import { runDetection } from "./jobActions";
import type { WorkbenchPage } from "./page";
import { dropPinAtCrosshair } from "./pins";
import { applyRegion, askJudge, detectRegion, leaveRegion } from "./runActions";
import { confirmAndNext, type GoTo, next } from "./taskActions";

export interface CommandContext {
  page: WorkbenchPage;
  goTo: GoTo;
  bindings: readonly KeyBinding[];
  focusLabelInput: () => void;
}

/** Handles a key press on the page; true when it meant something here. */
export function onKey(context: CommandContext, press: KeyPress): boolean {
  const { dialog, signedOut } = context.page.state.get();
  if (isTyping(press) || movesControl(press) || dialog || signedOut) return false;
  const label = labelOfKey(labelsOf(context.page), labelKeyOf(press));
  const free = context.page.editor.selection.get().length === 0;
  // With nothing selected a digit chooses the label of what is drawn next; a letter stays a command.
  if (label && !context.page.editor.readOnly && (!free || /^\d$/.test(press.key))) {
    context.page.editor.setLabel(label.name);
    return true;
  }
  const command = commandOf(press, context.bindings);
  if (!command) return false;
  // Enter and Space on a focused button press that button.
  const tag = (press.target as { tagName?: string } | null)?.tagName;
  const onControl = tag === "BUTTON" || tag === "A" || tag === "INPUT" || tag === "SUMMARY";
  if (onControl && (command === "complete" || command === "press")) return false;
  return runCommand(context, command);
}

/** The key that chooses a label: its own, or its place among the first nine. */
export function keyOfLabel(labels: readonly Label[], index: number): string {
  const own = labels[index]?.key;
  if (own) return own.toLowerCase();
  const digit = String(index + 1);
  const taken = labels.some((label) => label.key === digit);
  return index < 9 && !taken ? digit : "";
}

export function labelOfKey(labels: readonly Label[], key: string | null): Label | null {
  if (!key) return null;
  return labels.find((_label, index) => keyOfLabel(labels, index) === key) ?? null;
}

export function labelsOf(page: WorkbenchPage): readonly Label[] {
  return page.state.get().editor.config.labels;
}

function runCommand(context: CommandContext, command: CommandId): boolean {
  const { page, goTo } = context;
  const { editor } = page;
  const [family, name] = command.split(".") as [string, string | undefined];
  if (family === "tool") editor.setTool(name as Parameters<typeof editor.setTool>[0]);
  else if (family === "nudge" || family === "jump" || family === "grow") arrows(page, family, name ?? "");
  else if (family === "view") view(page, name ?? "");
  else if (family === "item") {
    if (name === "earlier" || name === "later") editor.moveInOrder(name === "earlier" ? -1 : 1);
    else editor.step(name === "next" ? 1 : -1);
    const [id] = editor.selection.get();
    if (id) editor.bringIntoSight(id);
  } else
    switch (command) {
      case "press":
        if (page.state.get().pinning) dropPinAtCrosshair(page);
        else if (editor.isDrawingTool) editor.pressCrosshair();
        else return false;
        break;
      case "handle.next":
        editor.grip.next();
        break;
      case "handle.add":
        return addVertex(editor);
      case "complete":
        if (editor.complete()) break;
        if (page.local.state.get().preview) void applyRegion(page);
        else if (editor.toolName.get() === "area") void detectRegion(page);
        else if (editor.doc.get().name === "panel") void page.panel.answer();
        else if (editor.doc.get().name === "candidates") editor.open(page.draft);
        else if (page.state.get().task.status === "in_progress") void confirmAndNext(page, goTo);
        else return false;
        break;
      case "cancel":
        if (editor.toolName.get() === "area" && !editor.toolState.get().busy) leaveRegion(page);
        else editor.cancel();
        break;
      case "delete":
        if (!removeVertex(editor)) editor.remove();
        break;
      case "undo":
        editor.undo();
        break;
      case "redo":
        editor.redo();
        break;
      case "copy":
        editor.clipboard.copy();
        break;
      case "paste":
        editor.clipboard.paste();
        break;
      case "selectAll":
        editor.selectAll();
        break;
      case "label.next":
        nextLabel(page);
        break;
      case "label.edit":
        context.focusLabelInput();
        break;
      case "policy":
        nextPolicy(page);
        break;
      case "hide":
        for (const id of editor.selection.get()) editor.toggleHidden(id);
        break;
      case "lock":
        for (const id of editor.selection.get()) editor.toggleLocked(id);
        break;
      // In review neither has a button, and R on the list of reviews means to send back.
      case "run":
        if (page.state.get().task.status === "review") return false;
        void runDetection(page);
        break;
      case "judge":
        if (page.state.get().task.status === "review") return false;
        void askJudge(page);
        break;
      case "save":
        void page.session.flush().catch(() => undefined);
        break;
      case "task.next":
        void next(page, goTo);
        break;
      case "help":
        page.state.patch({ dialog: "shortcuts" });
        break;
      default:
        return false;
    }
  return true;
}

const ARROW: Record<string, [number, number]> = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };

/** How far an arrow moves the view while the pan tool is chosen, in pixels of the screen. */
const PAN_STEP = 40;

function arrows({ editor, state }: WorkbenchPage, family: string, name: string): void {
  const [x, y] = ARROW[name] ?? [0, 0];
  const step = family === "jump" ? 10 : 1;
  const aims = editor.isDrawingTool && !editor.selection.get().length;
  if (family === "grow") editor.grow(x, y);
  else if (editor.toolName.get() === "pan") {
    const far = family === "jump" ? PAN_STEP * 5 : PAN_STEP;
    editor.camera.pan(-x * far, -y * far);
  } else if (aims || state.get().pinning) editor.moveCrosshair(x * step, y * step);
  else editor.nudge(x * step, y * step);
}

function view(page: WorkbenchPage, name: string): void {
  const { camera } = page.editor;
  if (name === "fit") camera.fit();
  else if (name === "actual") camera.oneToOne();
  else if (name === "in") camera.zoom(1.25);
  else if (name === "out") camera.zoom(0.8);
  else {
    const { adjust } = page.state.get();
    page.state.patch({ adjust: { ...adjust, open: !adjust.open } });
  }
}

function nextLabel(page: WorkbenchPage): void {
  const labels = labelsOf(page);
  const current = page.editor.singleSelected()?.label ?? page.editor.activeLabel.get();
  const at = labels.findIndex((label) => label.name === current);
  const label = labels[(at + 1) % Math.max(1, labels.length)];
  if (label) page.editor.setLabel(label.name);
}

/** S: whether the selected boxes go to cut-out or are kept without one. */
export function nextPolicy(page: WorkbenchPage): void {
  if (!page.panel.state.get()) return;
  const skips = page.editor.selectedShapes().every((shape) => shape.policy === "skip");
  page.editor.updateSelected({ policy: skips ? "segment" : "skip" });
}
