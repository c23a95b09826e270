import { describe, expect, it } from "vitest";
import { NetworkError, type ProblemError } from "../../src/api/problem";
import type { Box, BoxProblem, InterventionBody, InterventionReply, Job } from "../../src/api/types";
import { boxRows, countRows } from "../../src/panel/boxRows";
import { PausePanel } from "../../src/panel/pausePanel";
import { FakeClock, settle } from "../support/fakeClock";
import { problem } from "../support/fakeServer";

function modelBox(id: string, x = 10, more: Partial<Box> = {}): Box {
  return {
    box_id: id,
    label: "cup",
    bbox: [x, 10, x + 50, 60],
    center: [x + 25, 35],
    score: 0.9,
    source: "model",
    edited: false,
    target_policy: "segment",
    ...more,
  };
}

function waiting(boxes: Box[], token = "token-1", more: Partial<Job> = {}, problems: BoxProblem[] = []): Job {
  const stage = problems.length ? "WAITING_BOX_BATCH_REVISION" : "WAITING_USER_SELECTION";
  return {
    job_id: "job",
    status: stage,
    version: 3,
    box_list: { candidate_set_id: "set", revision: 1, boxes },
    active_pause: {
      pause_token: token,
      status: "WAITING",
      stage,
      round: problems.length ? 2 : 1,
      base_version: 3,
      snapshot_id: "set",
      group: null,
      created_at: "2026-01-01T00:00:00Z",
      problems,
    },
    pending_actions: ["SUBMIT_BOX_LIST", "DRAW_MANUAL_BOX"],
    ...more,
  } as Job;
}

function gone(): Job {
  return waiting([], "", {
    active_pause: null,
    pending_actions: [],
    status: "PROCESSING_APPROVED_SUBJECTS",
    version: 4,
  });
}

function open(job: Job, storage = new Map<string, string>()) {
  const clock = new FakeClock();
  const sent: InterventionBody[] = [];
  const fates: (Error | "ok" | "hang")[] = [];
  const answered: InterventionReply[] = [];
  const snapshots: Job[] = [];
  const left = { count: 0 };
  let ids = 0;
  let finish: (() => void) | null = null;
  const panel = new PausePanel({
    intervene: async (jobId, body) => {
      sent.push(structuredClone(body));
      const fate = fates.shift() ?? "ok";
      if (fate instanceof Error) throw fate;
      if (fate === "hang")
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
      const { intervention_id } = body;
      return {
        intervention_id,
        job_id: jobId,
        status: "PROCESSING_APPROVED_SUBJECTS",
        version: 4,
        outcome: "PROCESSING",
        next_node_instance_id: "n",
      };
    },
    newId: () => {
      ids += 1;
      return `id-${ids}-${storage.size}`;
    },
    clock,
    random: () => 0,
    storage: {
      get: (key) => storage.get(key) ?? null,
      set: (key, value) => void storage.set(key, value),
      remove: (key) => void storage.delete(key),
    },
    onDocument: () => undefined,
    onAnswered: (reply) => answered.push(reply),
    onSnapshot: (snapshot) => snapshots.push(snapshot),
    onLockHeld: () => undefined,
    onEditsLeft: () => {
      left.count += 1;
    },
  });
  panel.show(job);
  const store = () => {
    if (!panel.document) throw new Error("The panel is folded.");
    return panel.document.store;
  };
  const draw = (id: string, label: string | null = "spoon") =>
    store().create({
      id,
      label,
      geometry: { type: "bbox", bbox: [1, 1, 30, 30] },
      by: "person",
      score: null,
      policy: "segment",
    });
  return {
    panel,
    clock,
    sent,
    fates,
    answered,
    snapshots,
    left,
    storage,
    store,
    draw,
    finish: () => finish?.(),
  };
}

const conflict = (code: string, snapshot: Job): ProblemError => problem(409, code, { snapshot });

describe("the answer", () => {
  it("is the complete list, with the dropped boxes named", async () => {
    const { panel, sent, store, draw, answered, left } = open(
      waiting([modelBox("box_1"), modelBox("box_2"), modelBox("box_3")]),
    );
    store().remove(["box_2"]);
    store().update("box_3", { policy: "skip" });
    store().update("box_1", { label: " mug " });
    draw("new-1", null);
    await panel.answer();
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ pause_token: "token-1", base_version: 3, deleted_box_ids: ["box_2"] });
    expect(sent[0]?.subjects).toEqual([
      { box_id: "box_1", label: "mug", bbox: [10, 10, 60, 60], target_policy: "segment" },
      { box_id: "box_3", label: "cup", bbox: [10, 10, 60, 60], target_policy: "skip" },
      { box_id: "new-1", label: null, bbox: [1, 1, 30, 30], target_policy: "segment" },
    ]);
    expect(answered).toHaveLength(1);
    expect(left.count).toBe(0);
    expect(panel.state.get()).toBeNull();
  });

  it("nothing kept is an answer too", async () => {
    const { panel, sent, store } = open(waiting([modelBox("box_1")]));
    store().remove(["box_1"]);
    await panel.answer();
    expect(sent[0]).toMatchObject({ subjects: [], deleted_box_ids: ["box_1"] });
  });

  it("in round 2 the boxes that passed ride along", async () => {
    const boxes = [modelBox("box_1"), modelBox("box_2", 80, { source: "manual" })];
    const job = waiting(boxes, "t2", {}, [
      { box_id: "box_2", code: "NOT_RECOGNISED", message: "Not recognised." },
    ]);
    const { panel, sent, store } = open(job);
    expect(panel.rows().map((row) => row.asked)).toEqual([false, true]);
    store().remove(["box_2"]);
    await panel.answer();
    expect(sent[0]?.subjects.map((subject) => subject.box_id)).toEqual(["box_1"]);
  });

  it("opens only for what pending_actions offers, not for a status", () => {
    const { panel } = open(waiting([modelBox("box_1")], "t", { pending_actions: [] }));
    expect(panel.state.get()).toBeNull();
  });

  it("pressed twice is one answer", async () => {
    const { panel, sent, fates, finish } = open(waiting([modelBox("box_1")]));
    fates.push("hang");
    const first = panel.answer();
    await panel.answer();
    finish();
    await first;
    expect(sent).toHaveLength(1);
  });
});

describe("the reply is lost", () => {
  it("the same answer goes again, with its id, though nothing was pressed", async () => {
    const { panel, sent, fates, clock, answered } = open(waiting([modelBox("box_1")]));
    fates.push(new NetworkError("down"), problem(503, "HTTP_503"));
    await panel.answer();
    expect(panel.state.get()?.phase).toBe("retrying");
    await clock.pass(10_000);
    expect(sent).toHaveLength(3);
    expect(sent[1]).toEqual(sent[0]);
    expect(sent[2]).toEqual(sent[0]);
    expect(answered).toHaveLength(1);
  });

  it("an event of our own answer does not fold the panel before its reply", async () => {
    const { panel, fates, finish, answered } = open(waiting([modelBox("box_1")]));
    fates.push("hang");
    const sending = panel.answer();
    panel.show(gone());
    expect(panel.state.get()?.phase).toBe("sending");
    finish();
    await sending;
    expect(panel.state.get()).toBeNull();
    expect(answered).toHaveLength(1);
  });

  it("a reload goes on with the same answer", async () => {
    const before = open(waiting([modelBox("box_1")]));
    before.fates.push(new NetworkError("down"));
    before.draw("new-1");
    await before.panel.answer();
    const after = open(waiting([modelBox("box_1")]), before.storage);
    await settle();
    expect(after.sent[0]).toEqual(before.sent[0]);
    expect(after.storage.size).toBe(0);
  });

  it("a reload before answering brings the edits back", () => {
    const before = open(waiting([modelBox("box_1"), modelBox("box_2")]));
    before.draw("new-1");
    before.store().remove(["box_2"]);
    const after = open(waiting([modelBox("box_1"), modelBox("box_2")]), before.storage);
    expect(
      after
        .store()
        .all()
        .map((shape) => shape.id),
    ).toEqual(["box_1", "new-1"]);
    expect(after.sent).toHaveLength(0);
  });
});

describe("the answer is refused", () => {
  it("422 keeps every edit, says why, and the corrected answer is another one", async () => {
    const { panel, sent, fates, store } = open(waiting([modelBox("box_1")]));
    const errors = [{ field: "subjects.0.bbox", message: "Outside the picture.", code: "outside" }];
    fates.push(problem(422, "VALIDATION_FAILED", { errors }));
    store().update("box_1", { label: "mug" });
    await panel.answer();
    expect(panel.state.get()).toMatchObject({ phase: "refused", errors });
    expect(store().get("box_1")?.label).toBe("mug");
    await panel.answer();
    expect(sent[1]?.intervention_id).not.toBe(sent[0]?.intervention_id);
  });

  it("a 409 rebuilds from the snapshot and keeps the edits as a proposal", async () => {
    const { panel, fates, store, draw, sent, snapshots } = open(
      waiting([modelBox("box_1"), modelBox("box_2"), modelBox("box_3")]),
    );
    store().update("box_1", { geometry: { type: "bbox", bbox: [0, 0, 20, 20] } });
    store().update("box_3", { label: "mug" });
    store().remove(["box_2"]);
    draw("new-1");
    const fresh = waiting(
      [modelBox("box_1", 70, { label: "bowl" }), modelBox("box_2"), modelBox("box_4")],
      "token-2",
    );
    fates.push(conflict("PAUSE_TOKEN_MISMATCH", fresh));
    await panel.answer();
    expect(panel.state.get()).toMatchObject({
      phase: "editing",
      carriedOver: true,
      pause: { pause_token: "token-2" },
    });
    expect(snapshots).toEqual([fresh]);
    const now = store().all();
    expect(now.map((shape) => shape.id).slice(0, 2)).toEqual(["box_1", "box_4"]);
    expect(store().get("box_1")).toMatchObject({ label: "bowl", geometry: { bbox: [0, 0, 20, 20] } });
    expect(
      now
        .filter((shape) => shape.by === "person")
        .map((shape) => shape.label)
        .sort(),
    ).toEqual(["bowl", "mug", "spoon"]);
    expect(sent).toHaveLength(1);
  });

  it("somebody else answered: the panel folds, and the edits come back with the next pause", async () => {
    const { panel, fates, draw, store, left } = open(waiting([modelBox("box_1")]));
    draw("new-1");
    fates.push(conflict("PAUSE_NOT_ACTIVE", gone()));
    await panel.answer();
    expect(panel.state.get()).toBeNull();
    expect(left.count).toBe(1);
    panel.show(waiting([modelBox("box_1"), modelBox("box_7")], "token-2"));
    expect(
      store()
        .all()
        .map((shape) => shape.id),
    ).toEqual(["box_1", "box_7", "new-1"]);
    expect(panel.state.get()?.carriedOver).toBe(true);
  });

  it("held by another keeps the panel and the edits", async () => {
    const job = waiting([modelBox("box_1")]);
    const { panel, fates, draw, store } = open(job);
    draw("new-1");
    fates.push(conflict("LOCK_HELD", job));
    await panel.answer();
    expect(panel.state.get()).toMatchObject({ phase: "refused", carriedOver: false });
    expect(store().all()).toHaveLength(2);
  });
});

describe("rows", () => {
  it("tell what became of each box, and what the answer does with it", () => {
    const job = waiting([modelBox("box_1"), modelBox("box_2"), modelBox("box_3"), modelBox("box_4")]);
    const { panel, store, draw } = open(job);
    store().update("box_1", { label: "mug", by: "person" });
    store().update("box_2", { policy: "skip" });
    store().remove(["box_3"]);
    store().update("box_4", { policy: "validate" });
    draw("new-1");
    const rows = panel.rows().map((row) => [row.shape.id, row.state, row.goes]);
    expect(rows).toEqual([
      ["box_1", "changed", "segment"],
      ["box_2", "unchanged", "skip"],
      ["box_3", "removed", "removed"],
      ["box_4", "unchanged", "check"],
      ["new-1", "added", "check"],
    ]);
    expect(countRows(panel.rows())).toEqual({ segment: 1, check: 2, skip: 1, removed: 1 });
    panel.restore("box_3");
    expect(store().get("box_3")).toBeDefined();
    panel.document?.undo.undo();
    expect(store().get("box_3")).toBeUndefined();
  });

  it("carry the server's reason in a revision", () => {
    const problems = [{ box_id: "box_1", code: "TOO_SMALL", message: "A side is under 16 px." }];
    const { panel } = open(waiting([modelBox("box_1", 10, { source: "manual" })], "t", {}, problems));
    const pause = panel.state.get()?.pause;
    expect(pause && boxRows(panel.shown, panel.shown, pause)[0]?.problem?.message).toBe(
      "A side is under 16 px.",
    );
  });
});
