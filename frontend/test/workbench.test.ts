import { describe, expect, it } from "vitest";
import type { Annotation, Bbox, EditorSnapshot, Task, XY } from "../src/api/types";
import { colourOf, inkOn } from "../src/canvas/palette";
import { adopted, openCandidates } from "../src/draft/itemShapes";
import { translator } from "../src/i18n";
import { en } from "../src/i18n/en";
import { zhHans } from "../src/i18n/zh-hans";
import type { PanelState } from "../src/panel/pausePanel";
import { keyOfLabel, labelOfKey } from "../src/workbench/commands";
import type { PageState } from "../src/workbench/pageState";
import {
  mayHold,
  reopeningOf,
  type Situation,
  whileOthersHold,
  whyNoApproval,
  whyNoConfirm,
  whyNoDecision,
  whyNoJudge,
  whyNoRecall,
  whyNoReviewClaim,
  whyNoRun,
  whyNoSendBack,
  whyNoSubmit,
  whyReadOnly,
} from "../src/workbench/permissions";
import { stateLine } from "../src/workbench/stateLine";

function situation(
  task: Partial<Task> = {},
  more: Partial<Situation> = {},
  page: Partial<PageState> = {},
): Situation {
  const whole = { status: "in_progress", last_decision: null, annotation_revision: null, ...task } as Task;
  const editor = {
    task: whole,
    config: { selection_mode: "free", targets: [] },
    is_confirmed: false,
  } as unknown as EditorSnapshot;
  return {
    page: {
      task: whole,
      editor,
      job: null,
      role: "annotator",
      signedOut: false,
      finished: {},
      ...page,
    } as PageState,
    lock: { kind: "held", lock: {} as never },
    session: { phase: "clean", edits: 0, savedAt: null, errors: [], conflicts: [], message: null },
    panelOpen: false,
    itemCount: 1,
    ...more,
  };
}

const rejected = (answered: boolean): Partial<Task> => ({
  last_decision: {
    decision: "reject",
    reason: "no",
    by: { id: "r", username: "rita", name: "Rita" },
    at: "",
    pins: [{ id: "p", x: 1, y: 1, text: "", answer: answered ? "" : null }],
  },
});

describe("every dead button has its reason", () => {
  it("a viewer, another holder and a finished task cannot be edited", () => {
    expect(whyReadOnly(situation({}, {}, { role: "viewer" }))).toBe("why.viewer");
    expect(whyReadOnly(situation({}, { lock: { kind: "other", lock: {} as never } }))).toBe(
      "why.heldByOther",
    );
    expect(whyReadOnly(situation({ status: "completed" }))).toBe("why.completed");
    expect(whyReadOnly(situation({ status: "review" }))).toBe("why.inReview");
    expect(whyReadOnly(situation({}, { lock: { kind: "none" } }))).toBe("why.startFirst");
  });

  it("a pending task may be begun by drawing, and a waiting pause answered without holding the task", () => {
    expect(whyReadOnly(situation({ status: "pending" }, { lock: { kind: "none" } }))).toBeNull();
    expect(whyReadOnly(situation({}, { lock: { kind: "none" }, panelOpen: true }))).toBeNull();
  });

  it("confirming checks the count that the question asks for", () => {
    const single = situation({}, { itemCount: 2 });
    single.page.editor.config.selection_mode = "single";
    expect(whyNoConfirm(single)).toBe("why.exactlyOne");
    expect(whyNoConfirm({ ...single, itemCount: 1 })).toBeNull();
  });

  it("submitting needs a confirmation of the present draft and answered pins", () => {
    const open = situation();
    expect(whyNoSubmit(open)).toBe("why.notConfirmed");
    open.page.editor.is_confirmed = true;
    expect(whyNoSubmit(open)).toBeNull();
    expect(whyNoSubmit({ ...open, session: { ...open.session, edits: 1 } })).toBe("why.notConfirmed");
    const back = situation(rejected(false));
    back.page.editor.is_confirmed = true;
    expect(whyNoSubmit(back)).toBe("why.pinsOpen");
    const done = situation(rejected(true));
    done.page.editor.is_confirmed = true;
    expect(whyNoSubmit(done)).toBeNull();
  });

  it("a live job keeps from a second one, from confirming and from submitting", () => {
    const live = situation({}, {}, { job: { status: "DETECTING" } as never });
    expect([whyNoRun(live), whyNoConfirm(live), whyNoSubmit(live)]).toEqual([
      "why.jobLives",
      "why.jobLives",
      "why.jobLives",
    ]);
  });

  it("whoever lost the task to somebody can start nothing on it", () => {
    const lost = (lock: object | null) => situation({}, { lock: { kind: "lost", lock } as never });
    expect(whyNoRun(lost({}))).toBe("why.heldByOther");
    expect(whyNoRun(lost(null))).toBeNull();
  });

  it("only a reviewer who claimed it decides", () => {
    expect(whyNoDecision(situation({ status: "review" }))).toBe("why.notReviewer");
    const claimed = situation({ status: "review", annotation_revision: 2 }, {}, { role: "reviewer" });
    claimed.page.editor.is_confirmed = true;
    expect(whyNoDecision(claimed)).toBeNull();
    expect(whyNoDecision({ ...claimed, lock: { kind: "none" } })).toBe("why.claimReviewFirst");
  });

  it("what was confirmed for another question can be sent back, and not approved", () => {
    const old = situation({ status: "review", annotation_revision: 2 }, {}, { role: "reviewer" });
    const annotation = { config_version: 1, draft_version: 4 };
    Object.assign(old.page.editor, { annotation, config: { version: 2 }, draft: { version: 4 } });
    expect([whyNoApproval(old), whyNoDecision(old)]).toEqual(["why.otherQuestion", null]);
    Object.assign(old.page.editor, { draft: { version: 5 } });
    expect(whyNoDecision(old)).toBe("why.confirmCorrection");
  });
});

describe("in review", () => {
  const me = { id: "a", username: "anna", name: "Anna" };
  const mine = { status: "review", assignee: me } as Partial<Task>;

  it("only who handed it in takes it back, and not from under a reviewer at work", () => {
    const free = { lock: { kind: "none" } } as Partial<Situation>;
    expect(whyNoRecall(situation(mine, free, { me }))).toBeNull();
    expect(whyNoRecall(situation(mine, free, { me: { ...me, id: "b" } }))).toBe("why.notHandedIn");
    expect(whyNoRecall(situation(mine, free, { me, role: "viewer" }))).toBe("why.viewer");
    const held = { lock: { kind: "other", lock: {} as never } } as Partial<Situation>;
    expect(whyNoRecall(situation(mine, held, { me }))).toBe("why.heldByOther");
  });

  it("an annotator cannot take over from the reviewer", () => {
    expect(mayHold(situation(mine).page)).toBe(false);
    expect(mayHold(situation(mine, {}, { role: "reviewer" }).page)).toBe(true);
    expect(mayHold(situation().page)).toBe(true);
    expect(mayHold(situation({}, {}, { role: "viewer" }).page)).toBe(false);
  });

  it("nothing goes back without a reason and words at every pin", () => {
    expect(whyNoSendBack(" ", [])).toBe("why.reasonMissing");
    expect(whyNoSendBack("no", [{ text: "" }])).toBe("why.pinTextMissing");
    expect(whyNoSendBack("no", [{ text: "here" }])).toBeNull();
  });
});

it("who looks while another works is told what is true for their role", () => {
  const me = { id: "a", username: "anna", name: "Anna" };
  const hint = (task: Partial<Task>, page: Partial<PageState>) =>
    whileOthersHold(situation(task, {}, { me, ...page }).page);
  expect(hint({}, { role: "annotator" })).toBe("lock.readOnly");
  expect(hint({ status: "review", assignee: me }, { role: "annotator" })).toBe("lock.inReviewMine");
  expect(hint({ status: "review", assignee: { ...me, id: "b" } }, { role: "annotator" })).toBe(
    "lock.inReview",
  );
  expect(hint({ status: "review" }, { role: "reviewer" })).toBe("lock.readOnly");
  for (const status of ["pending", "in_progress", "review"] as const)
    expect(hint({ status }, { role: "viewer" })).toBe("lock.forViewerEmpty");
  const seen = situation({ status: "review" }, {}, { me, role: "viewer" });
  seen.page.editor.annotation = { revision: 1 } as Annotation;
  expect(whileOthersHold(seen.page)).toBe("lock.forViewer");
  const quorum = situation({ status: "review" }, {}, { me, role: "reviewer" });
  quorum.page.editor.review = { required: 2 } as never;
  expect(whileOthersHold(quorum.page)).toBe("lock.quorum");
});

it("a viewer is asked for nothing", () => {
  const look = (status: "pending" | "in_progress") =>
    stateLine(situation({ status }, { lock: { kind: "none" } }, { role: "viewer" }), null);
  expect(look("pending")).toMatchObject({ text: "view.notStarted" });
  expect(look("pending").hint).toBeUndefined();
  expect(look("in_progress").text).toBe("view.unfinished");
});

describe("a reopened task", () => {
  const olga = { id: "o", username: "olga", name: "Olga" };
  const reopened = { reason: "A spoon is missing.", by: olga, at: "" };

  it("opens with who and why, until it is confirmed anew", () => {
    const open = situation({ status: "pending" }, { lock: { kind: "none" } });
    open.page.editor.reopened = reopened;
    const told = { text: "reopened.text", params: { name: "Olga" }, detail: "A spoon is missing." };
    expect(stateLine(open, null)).toMatchObject(told);
    open.page.editor.is_confirmed = true;
    expect(stateLine(open, null)).toMatchObject(told);
    const begun = situation();
    begun.page.editor.reopened = reopened;
    expect(stateLine(begun, null)).toMatchObject(told);
    begun.page.editor.is_confirmed = true;
    expect(stateLine(begun, null).text).toBe("state.confirmedText");
  });

  it("the reason goes when the task is handed in", () => {
    const handedIn = situation({ status: "review" });
    handedIn.page.editor.reopened = reopened;
    expect(reopeningOf(handedIn.page)).toBeNull();
  });
});

describe("with several reviewers", () => {
  const review = (more: object = {}) => {
    const own = situation(
      { status: "review", annotation_revision: 1 },
      { lock: { kind: "none" } },
      {
        role: "reviewer",
        me: { id: "rita", username: "rita", name: "Rita" },
      },
    );
    own.page.editor.is_confirmed = true;
    own.page.editor.review = {
      required: 2,
      rule: "majority",
      outcome: "open",
      claimed: true,
      decisions: [],
      ...more,
    };
    return own;
  };
  const decision = { decision: "approve", by: { id: "rita" } };

  it("the claim is an assignment: deciding needs no lock", () => {
    expect(whyNoDecision(review())).toBeNull();
    expect(whyNoDecision(review({ claimed: false }))).toBe("why.claimReviewFirst");
    expect(whyNoDecision(review({ required: 1 }))).toBe("why.claimReviewFirst");
  });

  it("who has decided waits for the others", () => {
    const done = review({ claimed: false, decisions: [decision] });
    expect(whyNoDecision(done)).toBe("why.decided");
    expect(whyNoReviewClaim(done)).toBe("why.decided");
    expect(stateLine(done, null).text).toBe("state.reviewDecided");
    expect(stateLine(review(), null).text).toBe("state.reviewMine");
  });

  it("another's lock keeps from claiming only where one reviewer decides", () => {
    const other = { lock: { kind: "other", lock: {} } } as never;
    expect(whyNoReviewClaim({ ...review({ claimed: false }), ...(other as object) })).toBeNull();
    expect(whyNoReviewClaim({ ...review({ required: 1 }), ...(other as object) })).toBe("why.heldByOther");
  });
});

it("a model run is told while the draft is worked on, and keeps from another", () => {
  const run = { kind: "DETECT_REGION", status: "RUNNING", progress: { done: 1, total: 4 } } as never;
  const running = situation({}, { run });
  expect(stateLine(running, null)).toMatchObject({ text: "run.region", progress: { done: 1, total: 4 } });
  expect(whyNoRun(running)).toBe("why.runActive");
  expect(whyReadOnly(running)).toBeNull();
});

it("the judge needs candidates", () => {
  const empty = situation();
  empty.page.editor.candidates = { set_id: null, revision: 0, items: [], proposed: [] };
  expect(whyNoJudge(empty)).toBe("why.noCandidates");
  empty.page.editor.candidates.items = [{} as never];
  expect(whyNoJudge(empty)).toBeNull();
});

describe("the state in words", () => {
  it("speaks of kept edits only where there are some", () => {
    const lost = situation({}, { lock: { kind: "lost", lock: null } as never });
    expect(stateLine(lost, null).text).toBe("state.lockLostSaved");
    const kept = { ...lost, session: { ...lost.session, edits: 2 } };
    expect(stateLine(kept, null).text).toBe("state.lockLost");
  });

  it("tells the most urgent thing first", () => {
    const conflict = situation(
      {},
      { session: { ...situation().session, phase: "conflict", conflicts: [{} as never] } },
    );
    expect(stateLine(conflict, null).text).toBe("state.conflict");
    expect(stateLine(situation({}, { lock: { kind: "lost", lock: null } }), null).text).toBe(
      "state.lockLostSaved",
    );
    const job = {
      status: "PROCESSING_APPROVED_SUBJECTS",
      progress: { done: 1, total: 3, phase: "" },
    } as never;
    expect(stateLine(situation({}, {}, { job }), null)).toMatchObject({
      text: "job.processing",
      progress: { done: 1, total: 3 },
    });
    const failed = { status: "FAILED", failure: { message: "No model." } } as never;
    expect(stateLine(situation({}, {}, { job: failed }), null)).toMatchObject({
      text: "job.failed",
      detail: "No model.",
    });
    expect(stateLine(situation(rejected(false)), null)).toMatchObject({
      text: "state.rejected",
      detail: "no",
    });
  });
});

it("promises no time without limit where a declared policy would answer", () => {
  const pause = { stage: "WAITING_USER_SELECTION", problems: [] };
  const panel = { jobId: "j", phase: "editing", carriedOver: false, pause } as unknown as PanelState;
  const job = { job_id: "j", status: "WAITING_USER_SELECTION" };
  const waits = stateLine(situation({}, { panelOpen: true }, { job: job as never }), panel);
  expect(waits.hint).toBe("panel.selectionHint");
  const if_unanswered = { policy_version: "timeout_default@1", answer: "keep_shown", after_seconds: 3601 };
  const declared = { ...job, if_unanswered } as never;
  const line = stateLine(situation({}, { panelOpen: true }, { job: declared }), panel);
  expect(line).toMatchObject({ hint: "panel.defaultHint", params: { minutes: 61 } });
});

it("cutting out counts boxes, not a child run's own steps", () => {
  const boxes = ["segment", "segment", "skip"].map((target_policy) => ({ target_policy }));
  const progress = { done: 1, total: 1, phase: "matting" };
  const job = { status: "PROCESSING_APPROVED_SUBJECTS", progress, approved_box_list: { boxes } } as never;
  const finished = { box_1: { outcome: "succeeded", cutoutUrl: null } };
  expect(stateLine(situation({}, {}, { job, finished }), null).progress).toEqual({ done: 1, total: 2 });
  const answered = {
    status: "PROCESSING_APPROVED_SUBJECTS",
    progress: null,
    approved_box_list: null,
  } as never;
  expect(stateLine(situation({}, {}, { job: answered }), null).text).toBe("job.processingSoon");
});

it("deep label colours are lifted until they show on the dark ground", () => {
  expect(colourOf("cup", [{ name: "cup", color: "#ffd166" }])).toBe("#ffd166");
  const lifted = colourOf("cup", [{ name: "cup", color: "#0072b2" }]);
  expect(lifted).toMatch(/^#[0-9a-f]{6}$/);
  expect(lifted > "#4").toBe(true);
  expect(colourOf("horse", [])).toBe(colourOf("horse", []));
  expect(inkOn("#ffd166")).toBe("#0d1015");
  expect(inkOn("#101010")).toBe("#ffffff");
});

describe("candidates", () => {
  const candidate = {
    id: "c1",
    label: "cup",
    center: [20, 20] as XY,
    bbox: [10, 10, 30, 30] as Bbox,
    score: 0.9,
  };

  it("are open until the draft holds them, by source or in the same place", () => {
    expect(openCandidates([candidate], [])).toEqual([candidate]);
    expect(openCandidates([candidate], [adopted(candidate, "set", "item")])).toEqual([]);
    const drawn = { ...adopted(candidate, "set", "item"), source: null };
    expect(openCandidates([candidate], [drawn])).toEqual([]);
  });
});

describe("labels' keys", () => {
  const labels = [{ name: "cup", key: "2" }, { name: "spoon" }, { name: "bowl", key: "b" }];

  it("are their own, or their place where it is free", () => {
    expect(labels.map((_label, index) => keyOfLabel(labels, index))).toEqual(["2", "", "b"]);
    expect(labelOfKey(labels, "b")?.name).toBe("bowl");
    expect(labelOfKey(labels, "1")).toBeNull();
  });
});

describe("words", () => {
  it("both catalogues fill in the same names", () => {
    const names = (text: string) => new Set([...text.matchAll(/\{(\w+)/g)].map((match) => match[1]));
    for (const key of Object.keys(en) as (keyof typeof en)[]) {
      expect([key, names(zhHans[key])]).toEqual([key, names(en[key])]);
    }
  });

  it("count in English and not in Chinese", () => {
    const t = translator("en");
    expect(t("save.offline", { count: 1 })).toBe("Offline: one edit waits");
    expect(t("save.offline", { count: 3 })).toBe("Offline: 3 edits wait");
    expect(translator("zh-hans")("save.offline", { count: 3 })).toBe("离线：3 处修改待提交");
  });
});
