import { describe, expect, it } from "vitest";
import { shortened, widthOf } from "../src/canvas/flagWords";
import type { Shape } from "../src/editor/shapes";
import { entryOfItem } from "../src/workbench/listEntries";

describe("a label that is not in the project's set", () => {
  const labels = [{ name: "cup", aliases: ["mug"] }];
  const shape = (label: string | null) =>
    ({ id: "a", label, geometry: { type: "point", x: 1, y: 1 }, by: "person", score: null }) as Shape;

  it("is said at the item before confirming refuses it", () => {
    expect(entryOfItem(shape("mug"), null, labels)).toMatchObject({ warns: true });
    expect(entryOfItem(shape("mug"), null, labels).words).toContain("row.unknownLabel");
    expect(entryOfItem(shape("cup"), null, labels).words).toEqual(["row.byHand"]);
    expect(entryOfItem(shape(null), null, labels).warns).toBe(false);
    expect(entryOfItem(shape("anything"), null, []).warns).toBe(false);
  });

  it("the row is drawn anew when the project's labels change", () => {
    const one = shape("mug");
    expect(entryOfItem(one, null, labels).warns).toBe(true);
    expect(entryOfItem(one, null, [{ name: "mug" }]).warns).toBe(false);
    expect(entryOfItem(one, null, [{ name: "mug" }])).toBe(entryOfItem(one, null, [{ name: "mug" }]));
  });
});

it("a long label is cut on the picture, where it would hide what it names; never inside a character", () => {
  expect(shortened("cup")).toBe("cup");
  expect(shortened("a".repeat(33))).toBe(`${"a".repeat(31)}…`);
  expect([...shortened("😀".repeat(40))]).toHaveLength(32);
  expect(widthOf("茶杯")).toBeGreaterThan(widthOf("ab"));
});
