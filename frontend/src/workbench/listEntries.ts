import type { Shape } from "../editor/shapes";
import type { MessageKey } from "../i18n";
import type { BoxRow } from "../panel/boxRows";

/** One line of the list beside the picture, in draft and panel alike. */
export interface ListEntry {
  shape: Shape;
  state: BoxRow["state"] | "item";
  /** Two or three words each, joined by a dot: where it comes from, what becomes of it. */
  words: MessageKey[];
  problem: string | null;
  asked: boolean;
  /** Its place where the question asks for an order. */
  place: number | null;
}

export function entryOfRow(row: BoxRow): ListEntry {
  const byModel = row.shape.by === "model" || row.shape.score !== null;
  const words: MessageKey[] = [byModel ? "row.byModel" : row.state === "added" ? "row.byYou" : "row.byHand"];
  if (row.state === "removed") words.push("row.removed");
  else {
    if (row.state !== "added") words.push(row.state === "changed" ? "row.changed" : "row.unchanged");
    if (row.goes === "check") words.push("row.willBeChecked");
    if (row.goes === "skip") words.push("row.skip");
  }
  return {
    shape: row.shape,
    state: row.state,
    words,
    problem: row.problem?.message ?? null,
    asked: row.asked,
    place: null,
  };
}

/** One entry per shape object, so that rows of untouched items need not be drawn again. */
const itemEntries = new WeakMap<Shape, ListEntry>();

export function entryOfItem(shape: Shape, place: number | null = null): ListEntry {
  const known = itemEntries.get(shape);
  if (known?.place === place) return known;
  const words: MessageKey[] = [
    shape.by === "model" ? "row.byModel" : shape.source ? "row.adopted" : "row.byHand",
  ];
  if (!shape.label) words.push("row.noLabel");
  const entry: ListEntry = { shape, state: "item", words, problem: null, asked: true, place };
  itemEntries.set(shape, entry);
  return entry;
}

/** A candidate while its list is being corrected. */
export function entryOfCandidate(shape: Shape): ListEntry {
  const words: MessageKey[] = [shape.score === null ? "row.byHand" : "row.byModel"];
  if (shape.score !== null && shape.by === "person") words.push("row.changed");
  if (!shape.label) words.push("row.noLabel");
  return { shape, state: "item", words, problem: null, asked: true, place: null };
}

export interface ListFilter {
  label: string;
  minScore: number;
}

export function matches({ shape }: Pick<ListEntry, "shape">, filter: ListFilter): boolean {
  const wanted = filter.label.trim().toLowerCase();
  if (wanted && !(shape.label ?? "").toLowerCase().includes(wanted)) return false;
  // What a person drew has no score, and is never filtered away by one.
  return shape.score === null || shape.score >= filter.minScore;
}
