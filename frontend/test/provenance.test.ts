import { describe, expect, it } from "vitest";
import type { Bbox, Candidate, EditorSnapshot, Item, Proposed } from "../src/api/types";
import { Documents } from "../src/draft/documents";
import { adopted, itemOfShape, shapeOfCandidate, shapeOfItem } from "../src/draft/itemShapes";
import { knownOf, standingOf } from "../src/draft/provenance";
import { Editor } from "../src/editor/editor";
import type { EditorDocument } from "../src/session/document";
import { entryOfItem } from "../src/workbench/listEntries";
import { QUESTION } from "./support/fakeServer";

const CUP: Candidate = { id: "c1", label: "cup", center: [20, 20], bbox: [10, 10, 30, 30], score: 0.9 };
const ITEM = itemOfShape(adopted(CUP, "set", "item"));
const MOVED: Item = { ...ITEM, geometry: { type: "bbox", bbox: [11, 10, 30, 30] } };

/** What the server says of the task: what was proposed, and what was confirmed. */
function read(more: {
  proposed?: Proposed[];
  candidates?: Candidate[];
  setId?: string;
  confirmed?: Item[];
  valid?: boolean;
}) {
  return {
    candidates: {
      set_id: more.setId ?? "set",
      revision: 1,
      items: more.candidates ?? [CUP],
      proposed: more.proposed ?? [{ ...CUP, set_id: "set" }],
    },
    annotation: more.confirmed ? { revision: 1, items: more.confirmed } : null,
    has_confirmed_snapshot: more.valid ?? more.confirmed !== undefined,
  } as EditorSnapshot;
}

const standing = (item: Item, snapshot: EditorSnapshot) => standingOf(item, knownOf(snapshot));

describe("dashed is what a model proposed, solid what a person made, changed or confirmed", () => {
  it("an adopted find is the model's until it is moved, renamed or confirmed", () => {
    expect(standing(ITEM, read({}))).toEqual({ by: "model", changed: false });
    expect(standing(MOVED, read({}))).toEqual({ by: "person", changed: true });
    expect(standing({ ...ITEM, label: "mug" }, read({}))).toEqual({ by: "person", changed: true });
    expect(standing(ITEM, read({ confirmed: [ITEM] }))).toEqual({ by: "person", changed: false });
    expect(standing({ ...ITEM, source: null }, read({}))).toEqual({ by: "person", changed: false });
  });

  it("it stays so when other candidates have taken the place of those it came from", () => {
    const later = read({ setId: "set-2", candidates: [{ ...CUP, id: "d1" }] });
    expect(standing(ITEM, later).by).toBe("model");
    expect(standing(MOVED, later).by).toBe("person");
    // The same id in another set is another find.
    const moved = { ...CUP, bbox: [11, 10, 30, 30] as Bbox };
    const both = [
      { ...CUP, set_id: "set" },
      { ...moved, set_id: "set-2" },
    ];
    expect(standing(MOVED, read({ setId: "set-2", candidates: [moved], proposed: both })).by).toBe("person");
    expect(standing(ITEM, read({ setId: "set-2", candidates: [moved], proposed: both })).by).toBe("model");
  });

  it("what a person moved in a pause, or in the list of candidates, is not the model's", () => {
    const moved = { ...CUP, bbox: [11, 10, 30, 30] as Bbox };
    expect(standing(MOVED, read({ candidates: [moved], proposed: [] })).by).toBe("person");
    const known = knownOf(read({ candidates: [moved], proposed: [] }));
    expect(shapeOfCandidate(moved, known).by).toBe("person");
    expect(shapeOfCandidate(CUP, knownOf(read({}))).by).toBe("model");
  });

  it("what was confirmed stays solid while other items change, until it changes itself", () => {
    const snapshot = read({ confirmed: [ITEM] });
    expect(standing(ITEM, snapshot).by).toBe("person");
    expect(standing(ITEM, read({ confirmed: [{ ...ITEM, label: "mug" }] })).by).toBe("model");
    // Confirmed for another question: to be confirmed anew. A viewer sees nothing but confirmed work.
    const stale = read({ confirmed: [ITEM], valid: false });
    expect(standing(ITEM, stale).by).toBe("model");
    expect(standingOf(ITEM, knownOf(stale, "viewer")).by).toBe("person");
  });

  it("a task that takes points only gets the centre of what is adopted", () => {
    const point = itemOfShape(adopted(CUP, "set", "item", ["point"]));
    expect(point.geometry).toEqual({ type: "point", x: 20, y: 20 });
    expect(standing(point, read({})).by).toBe("model");
  });
});

describe("while the page is open the same decision holds as after a reload", () => {
  const document: EditorDocument = { items: [ITEM], candidates: [CUP], config: QUESTION };

  function open(items: Item[] = [ITEM]) {
    const known = knownOf(read({}));
    const documents = new Documents({ ...document, items }, known, () => undefined);
    const editor = new Editor({ picture: { width: 100, height: 80 }, newId: () => "new" });
    editor.open(documents.draft);
    editor.setEditable(false, ["bbox", "point"], false);
    return { documents, editor, known };
  }

  function reloaded({ documents, known }: ReturnType<typeof open>) {
    const saved = documents.documentAfter(document);
    return saved.items.map((item) => shapeOfItem(item, saved.candidates, known));
  }

  it("moved, it is solid; moved back or undone, it is the model's again", () => {
    const page = open();
    const now = () => page.documents.draft.store.all().map(({ by, changed }) => ({ by, changed }));
    const check = (by: "model" | "person", changed: boolean) => {
      expect(now()).toEqual([{ by, changed }]);
      expect(reloaded(page)).toEqual(page.documents.draft.store.all());
    };
    check("model", false);
    page.editor.select(["item"]);
    page.editor.nudge(1, 0);
    check("person", true);
    page.editor.nudge(-1, 0);
    check("model", false);
    page.editor.undo();
    check("person", true);
    page.editor.undo();
    check("model", false);
    page.editor.setLabel("mug");
    check("person", true);
  });

  it("what is adopted is dashed at once, and a candidate that is moved is solid", () => {
    const page = open([]);
    page.documents.draft.store.create(adopted(CUP, "set", "new"));
    expect(page.documents.draft.store.get("new")?.by).toBe("model");
    page.documents.candidates.store.update("c1", { geometry: { type: "bbox", bbox: [0, 0, 9, 9] } });
    expect(page.documents.candidates.store.get("c1")?.by).toBe("person");
    page.documents.candidates.undo.undo();
    expect(page.documents.candidates.store.get("c1")?.by).toBe("model");
  });

  it("what is confirmed or found meanwhile counts, whatever the person is editing", () => {
    const page = open();
    page.documents.know(knownOf(read({ confirmed: [ITEM] })));
    expect(page.documents.draft.store.get("item")?.by).toBe("person");
    expect(page.documents.draft.undo.canUndo).toBe(false);
    page.documents.know(knownOf(read({})));
    expect(page.documents.draft.store.get("item")?.by).toBe("model");
  });

  it("the words in the list follow it", () => {
    const words = (item: Item, snapshot: EditorSnapshot) =>
      entryOfItem(shapeOfItem(item, [CUP], knownOf(snapshot))).words;
    expect(words(ITEM, read({}))).toEqual(["row.byModel", "row.unchanged"]);
    expect(words(MOVED, read({}))).toEqual(["row.byModel", "row.changedByHand"]);
    expect(words(ITEM, read({ confirmed: [ITEM] }))).toEqual(["row.byModel", "row.confirmed"]);
    expect(words({ ...ITEM, source: null }, read({}))).toEqual(["row.byHand"]);
  });
});
