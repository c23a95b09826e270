import { describe, expect, it } from "vitest";
import type { Bbox, Candidate, Item } from "../src/api/types";
import { Documents } from "../src/draft/documents";
import { candidateOfShape, itemsOf, shapeOfCandidate, shapesOf } from "../src/draft/itemShapes";
import { NOTHING_KNOWN } from "../src/draft/provenance";
import type { EditorDocument } from "../src/session/document";
import { QUESTION } from "./support/fakeServer";

const point = (id: string, order?: number): Item => ({
  id,
  label: id,
  geometry: { type: "point", x: 1, y: 1 },
  ...(order === undefined ? {} : { order }),
});

const candidate = (id: string, bbox: Bbox | null = [10, 10, 21, 30]): Candidate => ({
  id,
  label: "cup",
  center: [15.5, 20],
  bbox,
  score: 0.9,
});

const document = (items: Item[], ordered = false): EditorDocument => ({
  items,
  candidates: [candidate("c")],
  config: ordered ? { ...QUESTION, selection_mode: "ordered", targets: ["a", "b"] } : QUESTION,
});

describe("an ordered question", () => {
  it("shows the items in their order, and saves the list's order as theirs", () => {
    const shapes = shapesOf(document([point("b", 2), point("late"), point("a", 1)], true), NOTHING_KNOWN);
    expect(shapes.map((shape) => shape.id)).toEqual(["a", "b", "late"]);
    expect(itemsOf(shapes, "ordered").map(({ id, order }) => [id, order])).toEqual([
      ["a", 1],
      ["b", 2],
      ["late", 3],
    ]);
  });

  it("without an order the list stays as it is", () => {
    const shapes = shapesOf(document([point("b"), point("a")]), NOTHING_KNOWN);
    expect(itemsOf(shapes, "free")).toEqual([point("b"), point("a")]);
  });
});

describe("candidates as shapes", () => {
  it("come back as they were; the centre beside a box is the server's", () => {
    expect(candidateOfShape(shapeOfCandidate(candidate("c"), NOTHING_KNOWN))).toEqual(candidate("c"));
    const alone = candidate("c", null);
    expect(candidateOfShape(shapeOfCandidate(alone, NOTHING_KNOWN))).toEqual(alone);
    const moved = {
      ...shapeOfCandidate(candidate("c"), NOTHING_KNOWN),
      geometry: { type: "bbox", bbox: [0, 0, 5, 5] } as const,
    };
    expect(candidateOfShape({ ...moved, geometry: { type: "bbox", bbox: [0, 0, 5, 5] } })?.center).toEqual([
      2.5, 2.5,
    ]);
  });
});

describe("the documents", () => {
  it("tell of the person's changes to either, with the whole that is saved", () => {
    const before = document([point("a")]);
    const told: [string, boolean][] = [];
    const documents = new Documents(before, NOTHING_KNOWN, (doc, undone) => told.push([doc.name, undone]));
    documents.candidates.store.update("c", { label: "mug" });
    expect(documents.documentAfter(before)).toEqual({
      ...before,
      candidates: [{ ...candidate("c"), label: "mug" }],
    });
    documents.draft.store.remove(["a"]);
    documents.draft.undo.undo();
    expect(told).toEqual([
      ["candidates", false],
      ["draft", false],
      ["draft", true],
      ["candidates", true],
    ]);
  });

  it("what the server brings is told to nobody and is no step", () => {
    const documents = new Documents(document([point("a")]), NOTHING_KNOWN, () => {
      throw new Error("told");
    });
    documents.show(document([point("b")]), NOTHING_KNOWN);
    expect(documents.draft.undo.canUndo).toBe(false);
  });

  it("what the person applied is one step over both", () => {
    const before = document([point("a")]);
    const documents = new Documents(before, NOTHING_KNOWN, () => undefined);
    documents.show({ ...document([point("b")]), candidates: [] }, NOTHING_KNOWN, { undoable: true });
    expect(documents.documentAfter(before)).toMatchObject({ items: [point("b")], candidates: [] });
    documents.candidates.undo.undo();
    expect(documents.documentAfter(before)).toEqual(before);
    expect(documents.draft.undo.canUndo).toBe(false);
  });
});
