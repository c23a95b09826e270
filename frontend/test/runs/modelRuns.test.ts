import { describe, expect, it } from "vitest";
import type { ModelRun, StreamEvent } from "../../src/api/types";
import { failureOf, ModelRuns } from "../../src/runs/modelRuns";
import { problem } from "../support/fakeServer";

function run(id: string, status: ModelRun["status"], more: Partial<ModelRun> = {}): ModelRun {
  return {
    run_id: id,
    task_id: "task",
    job_id: null,
    attempt: 1,
    kind: "DETECT_REGION",
    status,
    progress: { phase: "", done: 0, total: 0 },
    error: null,
    warnings: [],
    result: null,
    ignored_reports: [],
    region: null,
    reference: null,
    provider: "",
    model: "",
    adapter_version: "",
    prompt_version: "",
    code_version: "",
    created_by: null,
    created_at: "",
    started_at: null,
    finished_at: null,
    ...more,
  };
}

const event = (type: string, runId: string, more: object = {}): StreamEvent => ({
  seq: 1,
  type,
  task_id: "task",
  job_id: null,
  at: "",
  run_id: runId,
  ...more,
});

function open(newest: ModelRun[] = []) {
  const server = new Map<string, ModelRun>(newest.map((one) => [one.run_id, one]));
  const ended: [string, boolean][] = [];
  const refusals: Error[] = [];
  const runs = new ModelRuns({
    start: async () => {
      const refusal = refusals.shift();
      if (refusal) throw refusal;
      server.set("mine", run("mine", "QUEUED"));
      return { run_id: "mine" };
    },
    read: async (id) => {
      const found = server.get(id);
      if (!found) throw problem(404, "NOT_FOUND");
      return found;
    },
    newest: async () => ({ items: newest, next_cursor: null }),
    cancel: async (id) => {
      const cancelled = run(id, "CANCELLED");
      server.set(id, cancelled);
      return cancelled;
    },
    onEnded: (one, ours) => ended.push([one.run_id, ours]),
  });
  return { runs, server, ended, refusals };
}

const body = { kind: "DETECT_REGION" as const, region: [0, 0, 9, 9], request_id: "r" };

describe("model runs outside a job", () => {
  it("are followed from the start to the end, which is told once", async () => {
    const { runs, server, ended } = open();
    await runs.start(body);
    expect(runs.active?.run_id).toBe("mine");
    await runs.onEvent(event("run.progress", "mine", { phase: "detecting", done: 1, total: 2 }));
    expect(runs.state.get()).toMatchObject({ status: "RUNNING", progress: { phase: "detecting", done: 1 } });
    server.set("mine", run("mine", "SUCCEEDED", { result: { region_id: "region" } }));
    await runs.onEvent(event("run.finished", "mine"));
    await runs.onEvent(event("run.finished", "mine"));
    expect(ended).toEqual([["mine", true]]);
    expect(runs.active).toBeNull();
  });

  it("an older answer does not make an ended run go on", async () => {
    const { runs, server, ended } = open();
    await runs.start(body);
    server.set("mine", run("mine", "FAILED"));
    await runs.onEvent(event("run.finished", "mine"));
    server.set("mine", run("mine", "RUNNING"));
    await runs.refresh();
    await runs.onEvent(event("run.progress", "mine", { phase: "late", done: 1, total: 2 }));
    expect(runs.active).toBeNull();
    expect(ended).toHaveLength(1);
  });

  it("somebody else's is shown too, and its end is not taken for ours", async () => {
    const { runs, server, ended } = open();
    server.set("theirs", run("theirs", "RUNNING"));
    await runs.onEvent(event("run.progress", "theirs", { phase: "x", done: 0, total: 1 }));
    expect(runs.active?.run_id).toBe("theirs");
    server.set("theirs", run("theirs", "SUCCEEDED"));
    await runs.onEvent(event("run.finished", "theirs"));
    expect(ended).toEqual([["theirs", false]]);
  });

  it("a job's runs are not theirs", async () => {
    const { runs } = open();
    await runs.onEvent(event("run.finished", "unknown", { job_id: "job" }));
    expect(runs.state.get()).toBeNull();
  });

  it("a refusal because of another run shows that one", async () => {
    const { runs, refusals } = open();
    refusals.push(problem(409, "RUN_ACTIVE", { run: run("other", "RUNNING") }));
    await expect(runs.start(body)).rejects.toThrow("RUN_ACTIVE");
    expect(runs.active?.run_id).toBe("other");
  });

  it("one that was on when the page was left is found again; a job's is passed by", async () => {
    const { runs } = open([run("job's", "RUNNING", { job_id: "job" }), run("mine", "RUNNING")]);
    await runs.load();
    expect(runs.active?.run_id).toBe("mine");
  });

  it("can be cancelled, and a failure has a code and words", async () => {
    const { runs } = open();
    await runs.start(body);
    await runs.cancel("request");
    expect(runs.state.get()?.status).toBe("CANCELLED");
    expect(failureOf(runs.state.get())).toBeNull();
    const error = { code: "TIMEOUT", message: "Too slow.", retryable: true };
    expect(failureOf(run("x", "FAILED", { error }))).toEqual({ code: "TIMEOUT", message: "Too slow." });
    expect(failureOf(run("x", "INTERRUPTED"))).toEqual({ code: "INTERRUPTED", message: "" });
  });
});
