import { expect, it } from "vitest";
import { questionIn } from "../../src/pages/askAnew";

const body = (names: string[], geometries: string[]) => ({
  labels: names.map((name) => ({ name, color: "#123456", aliases: [] })),
  geometries,
});

it("names and kinds are the question; their order, colours and aliases are not", () => {
  const before = questionIn(body(["cup", "spoon"], ["bbox", "point"]));
  expect(questionIn(body(["spoon", "cup"], ["point", "bbox"]))).toBe(before);
  expect(questionIn({ ...body(["cup", "spoon"], ["bbox", "point"]), name: "x" })).toBe(before);
  expect(questionIn(body(["cup", "spoon", "fork"], ["bbox", "point"]))).not.toBe(before);
  expect(questionIn(body(["mug", "spoon"], ["bbox", "point"]))).not.toBe(before);
  expect(questionIn(body(["cup", "spoon"], ["bbox"]))).not.toBe(before);
});
