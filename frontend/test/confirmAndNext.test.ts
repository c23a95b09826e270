import { describe, expect, it } from "vitest";
import type { Task } from "../src/api/types";
import type { WorkbenchPage } from "../src/workbench/page";
import { confirmAndNext } from "../src/workbench/taskActions";

/** A page with a confirmed task, and what it asked the server for. */
function pageOf(status: Task["status"], role: string) {
  const asked: string[] = [];
  const task = { id: "t", status, project: { id: "p" } };
  let state = {
    task,
    role,
    queue: [],
    submitOnConfirm: true,
    editor: { is_confirmed: true },
  };
  const found = { task: { id: "another" } };
  const page = {
    taskId: "t",
    state: { get: () => state, patch: () => undefined },
    session: {
      state: { get: () => ({ edits: 0 }) },
      flush: async () => undefined,
      base: { versions: { draft: 1 } },
    },
    lock: { clientId: "page", forget: () => undefined },
    credentials: () => ({}),
    setTask: (next: typeof task) => {
      state = { ...state, task: next };
    },
    say: () => undefined,
    perform: async (_name: string, action: (id: string) => Promise<void>) => {
      await action("request");
      return true;
    },
    deps: {
      api: {
        submit: async () => ({ task: { ...task, status: "review" } }),
        next: async () => asked.push("next") && found,
        nextReview: async () => asked.push("next-review") && found,
      },
    },
  } as unknown as WorkbenchPage;
  return { page, asked };
}

describe("confirm and next", () => {
  it.each([
    ["annotator", "in_progress", "next"],
    // Handed in, the task is in review; who annotates goes on annotating.
    ["reviewer", "in_progress", "next"],
    ["project_admin", "in_progress", "next"],
    ["reviewer", "review", "next-review"],
  ] as const)("%s, %s: %s", async (role, status, expected) => {
    const { page, asked } = pageOf(status, role);
    const went: string[] = [];
    await confirmAndNext(page, (id) => went.push(id));
    expect(asked).toEqual([expected]);
    expect(went).toEqual(["another"]);
  });
});
