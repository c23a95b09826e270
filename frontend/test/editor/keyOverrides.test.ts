import { describe, expect, it } from "vitest";
import { commandOf, type KeyPress, withOverrides } from "../../src/editor/keymap";
import { chooseKey, type KeyOverrides, readOverrides, resetKey } from "../../src/editor/keyOverrides";

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
});

const stored = (text: string | null) => readOverrides({ getItem: () => text });

describe("a person's own keys", () => {
  it("replace the table's and are found by the new key only", () => {
    const choice = chooseKey({}, "tool.box", press("x"));
    expect(choice).toEqual({ kind: "set", overrides: { "tool.box": ["X"] } });
    const bindings = withOverrides((choice as { overrides: KeyOverrides }).overrides);
    expect(commandOf(press("x"), bindings)).toBe("tool.box");
    expect(commandOf(press("b"), bindings)).toBeNull();
  });

  it("a key that another command has is not taken from it", () => {
    expect(chooseKey({}, "tool.box", press("n"))).toEqual({ kind: "taken", by: "task.next" });
    expect(chooseKey({}, "tool.box", press("z", { ctrlKey: true }))).toEqual({ kind: "taken", by: "undo" });
    // One that was given up is free.
    expect(chooseKey({ "task.next": ["M"] }, "tool.box", press("n")).kind).toBe("set");
  });

  it("a modifier alone or an input method at work chooses nothing; the browser keeps its keys", () => {
    for (const key of ["Shift", "Control", "Process", "Dead"])
      expect(chooseKey({}, "tool.box", press(key))).toEqual({ kind: "wait" });
    expect(chooseKey({}, "tool.box", press("x", { isComposing: true }))).toEqual({ kind: "wait" });
    expect(chooseKey({}, "tool.box", press("Tab"))).toEqual({ kind: "reserved" });
    expect(chooseKey({}, "tool.box", press("r", { ctrlKey: true }))).toEqual({ kind: "reserved" });
  });

  it("are reset to the table's, except for a key that another command got meanwhile", () => {
    expect(resetKey({ "tool.box": ["X"] }, "tool.box")).toEqual({});
    const swapped = { "tool.box": ["X"], "tool.pan": ["B"] };
    expect(resetKey(swapped, "tool.box")).toEqual({ "tool.box": [], "tool.pan": ["B"] });
  });

  it("what is stored and is no table of keys counts as none", () => {
    expect(stored(null)).toEqual({});
    expect(stored("no json")).toEqual({});
    expect(stored("[1]")).toEqual({});
    expect(stored('{"tool.box": ["X"], "nonsense": ["Y"], "undo": 3}')).toEqual({ "tool.box": ["X"] });
  });
});
