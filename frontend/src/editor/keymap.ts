/** What the keyboard can do. The table is data: `?` shows it, and a person may change it. */

export type CommandId =
  | `tool.${"select" | "point" | "box" | "polygon" | "pan" | "area"}`
  | `nudge.${"left" | "right" | "up" | "down"}`
  | `jump.${"left" | "right" | "up" | "down"}`
  | `grow.${"left" | "right" | "up" | "down"}`
  | "handle.next"
  | "handle.add"
  | "press"
  | "complete"
  | "cancel"
  | "delete"
  | "undo"
  | "redo"
  | "copy"
  | "paste"
  | "selectAll"
  | "item.next"
  | "item.previous"
  | "item.earlier"
  | "item.later"
  | "label.next"
  | "label.edit"
  | "policy"
  | "hide"
  | "lock"
  | "view.fit"
  | "view.actual"
  | "view.in"
  | "view.out"
  | "view.adjust"
  | "task.next"
  | "run"
  | "judge"
  | "save"
  | "help";

export type KeyGroup = "tools" | "edit" | "items" | "view" | "task";

export const KEY_GROUPS: readonly KeyGroup[] = ["tools", "edit", "items", "view", "task"];

export interface KeyBinding {
  command: CommandId;
  group: KeyGroup;
  /** Like `Ctrl+Shift+Z`, `ArrowLeft`, `?`. Ctrl stands for Command on a Mac. */
  keys: readonly string[];
}

export const keymap: readonly KeyBinding[] = [
  { command: "tool.select", group: "tools", keys: ["V"] },
  { command: "tool.point", group: "tools", keys: ["O"] },
  { command: "tool.box", group: "tools", keys: ["B"] },
  { command: "tool.polygon", group: "tools", keys: ["P"] },
  { command: "tool.pan", group: "tools", keys: ["H"] },
  { command: "tool.area", group: "tools", keys: ["G"] },
  { command: "press", group: "tools", keys: ["Space"] },
  { command: "complete", group: "tools", keys: ["Enter"] },
  { command: "cancel", group: "tools", keys: ["Escape"] },
  { command: "nudge.left", group: "edit", keys: ["ArrowLeft"] },
  { command: "nudge.right", group: "edit", keys: ["ArrowRight"] },
  { command: "nudge.up", group: "edit", keys: ["ArrowUp"] },
  { command: "nudge.down", group: "edit", keys: ["ArrowDown"] },
  { command: "jump.left", group: "edit", keys: ["Shift+ArrowLeft"] },
  { command: "jump.right", group: "edit", keys: ["Shift+ArrowRight"] },
  { command: "jump.up", group: "edit", keys: ["Shift+ArrowUp"] },
  { command: "jump.down", group: "edit", keys: ["Shift+ArrowDown"] },
  { command: "grow.left", group: "edit", keys: ["Alt+ArrowLeft"] },
  { command: "grow.right", group: "edit", keys: ["Alt+ArrowRight"] },
  { command: "grow.up", group: "edit", keys: ["Alt+ArrowUp"] },
  { command: "grow.down", group: "edit", keys: ["Alt+ArrowDown"] },
  { command: "handle.next", group: "edit", keys: ["E"] },
  { command: "handle.add", group: "edit", keys: ["Shift+E"] },
  { command: "delete", group: "edit", keys: ["Delete", "Backspace"] },
  { command: "undo", group: "edit", keys: ["Ctrl+Z"] },
  { command: "redo", group: "edit", keys: ["Ctrl+Shift+Z", "Ctrl+Y"] },
  { command: "copy", group: "edit", keys: ["Ctrl+C"] },
  { command: "paste", group: "edit", keys: ["Ctrl+V"] },
  { command: "selectAll", group: "items", keys: ["Ctrl+A"] },
  { command: "item.next", group: "items", keys: ["J"] },
  { command: "item.previous", group: "items", keys: ["K"] },
  { command: "item.earlier", group: "items", keys: ["Shift+K"] },
  { command: "item.later", group: "items", keys: ["Shift+J"] },
  { command: "label.next", group: "items", keys: ["L"] },
  { command: "label.edit", group: "items", keys: ["F2"] },
  { command: "policy", group: "items", keys: ["S"] },
  { command: "hide", group: "items", keys: ["I"] },
  { command: "lock", group: "items", keys: ["U"] },
  { command: "view.fit", group: "view", keys: ["F"] },
  { command: "view.actual", group: "view", keys: ["Ctrl+1"] },
  { command: "view.in", group: "view", keys: ["+", "="] },
  { command: "view.out", group: "view", keys: ["-"] },
  { command: "view.adjust", group: "view", keys: ["A"] },
  { command: "run", group: "task", keys: ["R"] },
  { command: "judge", group: "task", keys: ["Shift+R"] },
  { command: "task.next", group: "task", keys: ["N"] },
  { command: "save", group: "task", keys: ["Ctrl+S"] },
  { command: "help", group: "task", keys: ["?"] },
];

/** The part of a keyboard event that is looked at. */
export interface KeyPress {
  key: string;
  code?: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  isComposing?: boolean;
  keyCode?: number;
  target?: unknown;
}

/** True while the person types or composes with an input method: no key of ours fires then. */
export function isTyping(press: KeyPress): boolean {
  // 229 is what a key means while an input method still composes, where isComposing is not yet set.
  if (press.isComposing || press.keyCode === 229 || press.key === "Process") return true;
  const target = press.target as
    | { tagName?: string; type?: string; isContentEditable?: boolean }
    | null
    | undefined;
  if (!target) return false;
  if (target.isContentEditable) return true;
  const tag = (target.tagName ?? "").toUpperCase();
  if (tag === "TEXTAREA" || tag === "SELECT") return true;
  const buttons = new Set([
    "button",
    "submit",
    "checkbox",
    "radio",
    "range",
    "color",
    "file",
    "image",
    "reset",
  ]);
  return tag === "INPUT" && !buttons.has(target.type ?? "text");
}

/** True when the key moves the focused control itself: a slider's arrows are the slider's. */
export function movesControl(press: KeyPress): boolean {
  const target = press.target as { tagName?: string; type?: string } | null | undefined;
  if ((target?.tagName ?? "").toUpperCase() !== "INPUT") return false;
  return (target?.type === "range" || target?.type === "radio") && /^(Arrow|Page|Home$|End$)/.test(press.key);
}

/** The command of a key press, or null. Shift counts only with letters and named keys: `?` and `+` need it anyway. */
export function commandOf(press: KeyPress, bindings: readonly KeyBinding[] = keymap): CommandId | null {
  const pressed = keyName(press);
  return bindings.find((binding) => binding.keys.includes(pressed))?.command ?? null;
}

/** The label key pressed alone: a digit, or whatever the label set says. */
export function labelKeyOf(press: KeyPress): string | null {
  if (press.ctrlKey || press.metaKey || press.altKey || press.key.length !== 1) return null;
  return press.key.toLowerCase();
}

/** A person's changes over the table, by command. */
export function withOverrides(overrides: Readonly<Partial<Record<CommandId, string[]>>>): KeyBinding[] {
  return keymap.map((binding) => ({ ...binding, keys: overrides[binding.command] ?? binding.keys }));
}

/** How the table writes a key press: `Ctrl+Shift+Z`, `ArrowLeft`, `?`. */
export function keyName(press: KeyPress): string {
  const named = press.key === " " ? "Space" : press.key;
  const key = named.length === 1 ? named.toUpperCase() : named;
  const letterOrNamed = key.length > 1 || /[A-Z]/.test(key);
  const parts = [
    press.ctrlKey || press.metaKey ? "Ctrl" : "",
    press.altKey ? "Alt" : "",
    press.shiftKey && letterOrNamed ? "Shift" : "",
    key,
  ];
  return parts.filter(Boolean).join("+");
}
