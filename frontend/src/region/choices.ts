import type { Bbox, Candidate, Item, RegionPreview } from "../api/types";

/** What becomes of one thing that a local detection found. */
export type Choice =
  | { does: "leave" }
  | { does: "add" }
  /** `id`: the old candidate, which lies wholly inside the region. */
  | { does: "replace"; id: string }
  /** `id`: the draft's point that is put where the find is; its label and place in the order stay. */
  | { does: "move"; id: string };

export type Choices = ReadonlyMap<string, Choice>;

export interface RegionAnswer {
  add: string[];
  replace: Record<string, string>;
  move_item?: { item_id: string; candidate_id: string };
}

/** Above this share of overlap a find is taken for the candidate that is there already. */
const SAME_THING = 0.5;

/** Centre inside and, if there is a box, the whole box: else replacing it would erase what is outside. */
export function isWhollyInside({ center, bbox }: Candidate, [left, top, right, bottom]: Bbox): boolean {
  const [x, y] = center;
  if (x < left || x >= right || y < top || y >= bottom) return false;
  return !bbox || (bbox[0] >= left && bbox[1] >= top && bbox[2] <= right && bbox[3] <= bottom);
}

export function replaceable(candidates: readonly Candidate[], region: Bbox): Candidate[] {
  return candidates.filter((candidate) => isWhollyInside(candidate, region));
}

export function movable(items: readonly Item[]): Item[] {
  return items.filter((item) => item.geometry.type === "point");
}

/** Adds what is new; what overlaps a replaceable candidate replaces it, each old one once, the best match first. */
export function suggestedChoices(preview: RegionPreview, candidates: readonly Candidate[]): Choices {
  const old = replaceable(candidates, preview.region);
  const pairs = preview.items.flatMap((found) =>
    old.map((candidate) => ({ found, candidate, share: overlap(found.bbox, candidate.bbox) })),
  );
  pairs.sort((a, b) => b.share - a.share);
  const choices = new Map<string, Choice>(preview.items.map((found) => [found.id, { does: "add" }]));
  const taken = new Set<string>();
  for (const { found, candidate, share } of pairs) {
    if (share < SAME_THING || taken.has(candidate.id) || choices.get(found.id)?.does === "replace") continue;
    taken.add(candidate.id);
    choices.set(found.id, { does: "replace", id: candidate.id });
  }
  return choices;
}

/** The choice with `found`'s replaced; another find that had the same old candidate or the one move lets go of it. */
export function chosen(choices: Choices, found: string, choice: Choice): Choices {
  const next = new Map(choices);
  for (const [id, other] of next) {
    if (id === found) continue;
    const clash =
      (choice.does === "move" && other.does === "move") ||
      (choice.does === "replace" && other.does === "replace" && other.id === choice.id);
    if (clash) next.set(id, { does: "leave" });
  }
  return next.set(found, choice);
}

export function answerOf(choices: Choices): RegionAnswer {
  const answer: RegionAnswer = { add: [], replace: {} };
  for (const [found, choice] of choices) {
    if (choice.does === "add") answer.add.push(found);
    else if (choice.does === "replace") answer.replace[choice.id] = found;
    else if (choice.does === "move") answer.move_item = { item_id: choice.id, candidate_id: found };
  }
  return answer;
}

export function countChosen(choices: Choices): number {
  return [...choices.values()].filter(({ does }) => does !== "leave").length;
}

/** Intersection over union; 0 where one of them has no box. */
function overlap(a: Bbox | null, b: Bbox | null): number {
  if (!a || !b) return 0;
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  if (width <= 0 || height <= 0) return 0;
  const area = ([x1, y1, x2, y2]: Bbox) => (x2 - x1) * (y2 - y1);
  return (width * height) / (area(a) + area(b) - width * height);
}
