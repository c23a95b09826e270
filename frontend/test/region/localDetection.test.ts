import { describe, expect, it } from "vitest";
import type { Bbox, Candidate, RegionPreview } from "../../src/api/types";
import { Areas } from "../../src/editor/areas";
import {
  answerOf,
  chosen,
  countChosen,
  isWhollyInside,
  replaceable,
  suggestedChoices,
} from "../../src/region/choices";
import { LocalDetection, staleParts } from "../../src/region/localDetection";

const REGION: Bbox = [100, 50, 300, 170];

function candidate(id: string, bbox: Bbox | null, center?: [number, number]): Candidate {
  const [x1, y1, x2, y2] = bbox ?? [0, 0, 0, 0];
  return { id, label: id, center: center ?? [(x1 + x2) / 2, (y1 + y2) / 2], bbox, score: 0.9 };
}

function preview(items: Candidate[], more: Partial<RegionPreview> = {}): RegionPreview {
  return {
    id: "region",
    task_id: "task",
    run_id: "run",
    base_set_id: "set-1",
    config_version: 3,
    region: REGION,
    reference: null,
    items,
    failed_conditions: [],
    applied_at: null,
    created_at: "",
    ...more,
  };
}

describe("what may be replaced", () => {
  it.each([
    ["wholly inside", candidate("a", [100, 50, 300, 170]), true],
    ["across the left side", candidate("b", [90, 60, 200, 100]), false],
    ["centre outside", candidate("c", [299, 60, 320, 80]), false],
    ["no box, centre inside", candidate("d", null, [100, 50]), true],
    ["no box, centre on the right side", candidate("e", null, [300, 60]), false],
  ])("%s", (_name, one, expected) => {
    expect(isWhollyInside(one, REGION)).toBe(expected);
    expect(replaceable([one], REGION)).toEqual(expected ? [one] : []);
  });
});

describe("the choices", () => {
  const old = [candidate("old", [110, 60, 160, 110]), candidate("across", [90, 60, 210, 160])];

  it("what overlaps an old one replaces it, the best match first; the rest is added", () => {
    const found = [
      candidate("r-1", [115, 65, 165, 115]),
      candidate("r-2", [110, 60, 161, 110]),
      candidate("r-3", [200, 60, 240, 90]),
    ];
    const choices = suggestedChoices(preview(found), old);
    expect(answerOf(choices)).toEqual({ add: ["r-1", "r-3"], replace: { old: "r-2" } });
    expect(countChosen(choices)).toBe(3);
  });

  it("an old one is replaced once, and one point is moved at most", () => {
    const found = [candidate("r-1", [110, 60, 160, 110]), candidate("r-2", [200, 60, 240, 90])];
    let choices = suggestedChoices(preview(found), old);
    choices = chosen(choices, "r-2", { does: "replace", id: "old" });
    expect(answerOf(choices)).toEqual({ add: [], replace: { old: "r-2" } });
    choices = chosen(choices, "r-1", { does: "move", id: "point" });
    choices = chosen(choices, "r-2", { does: "move", id: "point" });
    expect(answerOf(choices)).toEqual({
      add: [],
      replace: {},
      move_item: { item_id: "point", candidate_id: "r-2" },
    });
    expect(countChosen(choices)).toBe(1);
  });
});

describe("the preview", () => {
  const open = async (shown: RegionPreview) => {
    const areas = new Areas();
    const local = new LocalDetection({
      areas,
      read: async () => shown,
      candidates: () => [candidate("old", [110, 60, 160, 110])],
    });
    await local.open("region");
    return { areas, local };
  };

  it("shows the region it was made for, and goes with it", async () => {
    const { areas, local } = await open(preview([candidate("r-1", [110, 60, 160, 110])]));
    expect(areas.state.get().region).toEqual(REGION);
    expect(local.state.get().choices.get("r-1")).toEqual({ does: "replace", id: "old" });
    local.choose("r-1", { does: "leave" });
    expect(countChosen(local.state.get().choices)).toBe(0);
    local.close();
    expect(local.state.get().preview).toBeNull();
    expect(areas.state.get()).toEqual({ region: null, reference: null, drawing: "region" });
  });

  it("says what has changed since", () => {
    const versions = { config: 3, candidateSetId: "set-1", draft: 9 };
    expect(staleParts(preview([]), versions)).toEqual([]);
    expect(staleParts(preview([]), { ...versions, candidateSetId: "set-2" })).toEqual(["candidate_set"]);
    expect(staleParts(preview([]), { ...versions, config: 4 })).toEqual(["config_version"]);
    expect(staleParts(preview([], { applied_at: "now" }), versions)).toEqual(["applied_once"]);
  });
});
