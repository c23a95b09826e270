import { describe, expect, it } from "vitest";
import type { Task } from "../src/api/types";
import { likelyPictures, nextPictures } from "../src/workbench/nextPictures";

const me = { id: "anna", username: "anna", name: "Anna" };

function task(id: string, more: Partial<Task> = {}): Task {
  return {
    id,
    status: "pending",
    assignee: null,
    last_decision: null,
    lock: null,
    asset: { image_url: id },
    ...more,
  } as Task;
}

const ahead = (current: Task, queue: Task[], role: "annotator" | "reviewer" = "annotator") =>
  nextPictures({ queue, task: current, me, role });

describe("the pictures fetched ahead", () => {
  it("are the next pending ones of the strip, and from its beginning at its end", () => {
    const queue = ["a", "b", "c", "d"].map((id) => task(id));
    expect(ahead(queue[1] as Task, queue)).toEqual(["c", "d"]);
    expect(ahead(queue[3] as Task, queue)).toEqual(["a", "b"]);
  });

  it("what was sent back to me and what I left comes first, as the server chooses", () => {
    const sentBack = task("back", {
      assignee: me,
      last_decision: { decision: "reject", reason: "", pins: [], by: me, at: "" },
    });
    const left = task("left", { status: "in_progress", assignee: me });
    const queue = [task("now"), task("next"), left, sentBack];
    expect(ahead(queue[0] as Task, queue)).toEqual(["back", "left"]);
  });

  it("not what others hold or have, nor what is done", () => {
    const other = { id: "abel", username: "abel", name: "Abel" };
    const queue = [
      task("now"),
      task("held", { lock: { user: other } as Task["lock"] }),
      task("theirs", { status: "in_progress", assignee: other }),
      task("done", { status: "completed" }),
      task("free"),
    ];
    expect(ahead(queue[0] as Task, queue)).toEqual(["free"]);
  });

  it("a reviewer in review gets the next reviews", () => {
    const queue = [task("now", { status: "review" }), task("pending"), task("review", { status: "review" })];
    expect(ahead(queue[0] as Task, queue, "reviewer")).toEqual(["review"]);
    expect(ahead(queue[0] as Task, queue)).toEqual(["pending"]);
  });
});

describe("where next leads", () => {
  const queue = [task("now"), task("strip")];
  const page = { queue, task: queue[0] as Task, me, role: "annotator" as const, submitOnConfirm: true };
  const answering = (body: string) => async () => new Response(body);

  it("is what the server says, whatever the strip shows", async () => {
    const fetch = answering('{"pictures": ["elsewhere"]}');
    expect(await likelyPictures({ page, url: "ahead", fetch })).toEqual(["elsewhere"]);
  });

  it("the strip stands in for an answer that does not come", async () => {
    const fetch = answering("<html>Sign in</html>");
    expect(await likelyPictures({ page, url: "ahead", fetch })).toEqual(["strip"]);
    const away = () => Promise.reject(new TypeError("network"));
    expect(await likelyPictures({ page, url: "ahead", fetch: away })).toEqual(["strip"]);
  });

  it("where confirming does not submit, it goes along the strip", async () => {
    const own = { ...page, task: task("now", { status: "in_progress" }), submitOnConfirm: false };
    const fetch = answering('{"pictures": ["elsewhere"]}');
    expect(await likelyPictures({ page: own, url: "ahead", fetch })).toEqual(["strip"]);
  });
});
