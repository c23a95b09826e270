import { expect, it } from "vitest";
import { keymap } from "../src/editor/keymap";
import { onKey } from "../src/workbench/commands";
import type { WorkbenchPage } from "../src/workbench/page";

/** Whether R (or Shift R) means something to a viewer, whom the act itself then stops. */
function means(status: "review" | "in_progress", shiftKey: boolean): boolean {
  const now = { role: "viewer", task: { status }, job: null, editor: { config: { labels: [] } } };
  const page = {
    state: { get: () => ({ ...now, dialog: null, signedOut: false }) },
    situation: () => ({ page: now, lock: { kind: "held" } }),
    editor: { selection: { get: () => [] }, readOnly: false },
  } as unknown as WorkbenchPage;
  const context = { page, goTo: () => undefined, bindings: keymap, focusLabelInput: () => undefined };
  const press = { ctrlKey: false, metaKey: false, altKey: false, key: shiftKey ? "R" : "r", code: "KeyR" };
  return onKey(context, { ...press, shiftKey });
}

it("R and Shift R start no model on what is being reviewed", () => {
  expect([means("in_progress", false), means("in_progress", true)]).toEqual([true, true]);
  expect([means("review", false), means("review", true)]).toEqual([false, false]);
});
