import type { BoxProblem, Pause } from "../api/types";
import type { Shape } from "../editor/shapes";

export type BoxState = "unchanged" | "changed" | "added" | "removed";

/** One line of the panel. */
export interface BoxRow {
  shape: Shape;
  state: BoxState;
  /** What the answer does with it. */
  goes: "segment" | "skip" | "check" | "removed";
  problem: BoxProblem | null;
  /** Asked for in this round; the others ride along unchanged. */
  asked: boolean;
}

export interface BoxCounts {
  segment: number;
  check: number;
  skip: number;
  removed: number;
}

export function isChanged(shown: Shape, now: Shape): boolean {
  return shown.label !== now.label || JSON.stringify(shown.geometry) !== JSON.stringify(now.geometry);
}

/** The shown boxes with what became of them, then the person's own. A removed box stays, struck out. */
export function boxRows(shown: readonly Shape[], now: readonly Shape[], pause: Pause): BoxRow[] {
  const present = new Map(now.map((shape) => [shape.id, shape]));
  const problems = new Map(pause.problems.map((problem) => [problem.box_id, problem]));
  const revision = pause.stage === "WAITING_BOX_BATCH_REVISION";
  const rows = shown.map((before): BoxRow => {
    const shape = present.get(before.id);
    present.delete(before.id);
    const problem = problems.get(before.id) ?? null;
    const asked = !revision || problem !== null;
    if (!shape) return { shape: before, state: "removed", goes: "removed", problem, asked };
    const changed = isChanged(before, shape);
    // A problem box is checked again; one drawn by hand falls back to unchecked once it is moved.
    const checked = shape.policy === "validate" || problem !== null || (changed && before.by === "person");
    return { shape, state: changed ? "changed" : "unchanged", goes: goes(shape, checked), problem, asked };
  });
  for (const shape of present.values()) {
    rows.push({ shape, state: "added", goes: goes(shape, true), problem: null, asked: true });
  }
  return rows;
}

export function countRows(rows: readonly BoxRow[]): BoxCounts {
  const count = (what: BoxRow["goes"]) => rows.filter((row) => row.goes === what).length;
  return { segment: count("segment"), check: count("check"), skip: count("skip"), removed: count("removed") };
}

function goes(shape: Shape, unchecked: boolean): BoxRow["goes"] {
  if (unchecked) return "check";
  return shape.policy === "skip" ? "skip" : "segment";
}
