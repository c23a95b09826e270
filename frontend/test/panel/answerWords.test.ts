import { describe, expect, it } from "vitest";
import { translator } from "../../src/i18n";
import { changeLines } from "../../src/panel/answerWords";

const t = translator("en");
const nothing = { kept: [], moved: [], renamed: [], added: [], removed: [] };
const box = (label: string | null, more: object = {}) => ({ box_id: `box_${label}`, label, ...more });

describe("what an answer did, in words", () => {
  it("names each kind of change", () => {
    const lines = changeLines(
      {
        kept: [box("cup"), box("bowl")],
        moved: [box("spoon")],
        renamed: [box("mug", { before: "cup" }), box("x", { before: null })],
        added: [box(null)],
        removed: [box("table", { why: "deleted" }), box("chair", { why: "omitted" })],
      },
      t,
    );
    expect(lines).toEqual([
      { kind: "kept", text: "Kept: cup, bowl" },
      { kind: "moved", text: "Moved: spoon" },
      { kind: "renamed", text: "Renamed: cup → mug, no label → x" },
      { kind: "added", text: "Added: no label" },
      { kind: "removed", text: "Removed: table" },
      { kind: "omitted", text: "Left out without saying so: chair" },
    ]);
  });

  it("says so when there was nothing", () => {
    expect(changeLines(nothing, t).map(({ kind }) => kind)).toEqual(["nothing"]);
  });
});
