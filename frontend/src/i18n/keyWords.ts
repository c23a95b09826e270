import type { CommandId } from "../editor/keymap";
import type { MessageKey } from ".";

const SYMBOLS: Record<string, string> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Enter: "↵",
  Delete: "Del",
  Backspace: "⌫",
  Escape: "Esc",
};

/** The sentence that names a command. */
export function commandKey(command: CommandId): MessageKey {
  return command.startsWith("tool.") ? (command as MessageKey) : (`command.${command}` as MessageKey);
}

/** A key of the table as it stands on a keyboard: `Ctrl ←`. */
export function shown(key: string): string {
  return key
    .split(/\+(?=.)/)
    .map((part) => SYMBOLS[part] ?? part)
    .join(" ");
}
