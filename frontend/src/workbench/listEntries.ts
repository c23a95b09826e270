import type { Label } from "../api/types";
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
  /** Confirming will refuse it as it is. */
  warns?: boolean;
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

export function entryOfItem(
  shape: Shape,
  place: number | null = null,
  labels: readonly Label[] = [],
): ListEntry {
  const known = itemEntries.get(shape);
  const warns = isUnknownLabel(shape.label, labels);
  if (known?.place === place && known.warns === warns) return known;
  const words: MessageKey[] = shape.source ? ["row.byModel", becameOf(shape)] : ["row.byHand"];
  if (!shape.label) words.push("row.noLabel");
  if (warns) words.unshift("row.unknownLabel");
  const entry: ListEntry = { shape, state: "item", words, problem: null, warns, asked: true, place };
  itemEntries.set(shape, entry);
  return entry;
}

/** The draft keeps any label; confirming takes the project's own only, where it has some. */
export function isUnknownLabel(label: string | null, labels: readonly Label[]): boolean {
  const name = label?.trim();
  return Boolean(name) && labels.length > 0 && !labels.some((known) => known.name === name);
}

/** What a person did to a model's find, as the line around it says too. */
function becameOf(shape: Shape): MessageKey {
  if (shape.by === "model") return "row.unchanged";
  return shape.changed ? "row.changedByHand" : "row.confirmed";
}

/** A candidate while its list is being corrected. */
export function entryOfCandidate(shape: Shape): ListEntry {
  const words: MessageKey[] = [shape.score === null ? "row.byHand" : "row.byModel"];
  if (shape.score !== null && shape.by === "person") words.push("row.changedByHand");
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
