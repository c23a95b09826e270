import { type CommandId, type KeyPress, keymap, keyName, withOverrides } from "./keymap";

/** A person's own keys, by command. Kept in their browser. */
export type KeyOverrides = Readonly<Partial<Record<CommandId, string[]>>>;

const STORED_AS = "countersign.keys";
/** They would take a key away from typing, walking or leaving, whatever it is bound to. */
const RESERVED = new Set(["Tab", "Shift+Tab", "F5", "Ctrl+R", "Ctrl+W", "Ctrl+T", "Ctrl+N"]);
const MODIFIERS = new Set(["Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock", "Dead", "Process"]);

/** What was stored; anything that is no table of keys counts as none. */
export function readOverrides(storage: Pick<Storage, "getItem">): KeyOverrides {
  try {
    const stored: unknown = JSON.parse(storage.getItem(STORED_AS) ?? "{}");
    if (typeof stored !== "object" || stored === null || Array.isArray(stored)) return {};
    const known = new Set<string>(keymap.map((binding) => binding.command));
    const sound = Object.entries(stored).filter(
      ([command, keys]) =>
        known.has(command) && Array.isArray(keys) && keys.every((key) => typeof key === "string"),
    );
    return Object.fromEntries(sound) as KeyOverrides;
  } catch {
    return {};
  }
}

export function storeOverrides(storage: Pick<Storage, "setItem">, overrides: KeyOverrides): void {
  storage.setItem(STORED_AS, JSON.stringify(overrides));
}

export type KeyChoice =
  | { kind: "set"; overrides: KeyOverrides }
  /** Another command has this key. */
  | { kind: "taken"; by: CommandId }
  | { kind: "reserved" }
  /** Only a modifier so far, or an input method at work: wait for the key itself. */
  | { kind: "wait" };

/** Gives `command` the pressed key instead of its own. */
export function chooseKey(overrides: KeyOverrides, command: CommandId, press: KeyPress): KeyChoice {
  if (press.isComposing || press.keyCode === 229 || MODIFIERS.has(press.key)) return { kind: "wait" };
  const key = keyName(press);
  if (RESERVED.has(key)) return { kind: "reserved" };
  const other = withOverrides(overrides).find(
    (binding) => binding.command !== command && binding.keys.includes(key),
  );
  if (other) return { kind: "taken", by: other.command };
  return { kind: "set", overrides: { ...overrides, [command]: [key] } };
}

/** The table's own keys for `command`, where nobody else has taken them meanwhile. */
export function resetKey(overrides: KeyOverrides, command: CommandId): KeyOverrides {
  const { [command]: _gone, ...rest } = overrides;
  const others = withOverrides(rest).filter((binding) => binding.command !== command);
  const taken = new Set(others.flatMap((binding) => binding.keys));
  const own = keymap.find((binding) => binding.command === command)?.keys ?? [];
  return own.some((key) => taken.has(key))
    ? { ...rest, [command]: own.filter((key) => !taken.has(key)) }
    : rest;
}
