import type { FieldError } from "../api/types";
import type { EditorDocument } from "./document";
import type { MergeConflict } from "./merge";

export type Phase =
  /** Everything is with the server. */
  | "clean"
  /** Edits wait for the debounce. */
  | "dirty"
  /** A request is on its way. */
  | "saving"
  /** The last attempt got no answer; the same request will be sent again. */
  | "offline"
  | "conflict"
  | "invalid"
  | "signed_out"
  | "lock_lost"
  | "refused";

/** Why autosave stands still until somebody acts. */
export type Block =
  | { kind: "conflict"; conflicts: MergeConflict[] }
  | { kind: "invalid"; errors: FieldError[]; message: string; refused: EditorDocument }
  | { kind: "signed_out" }
  | { kind: "lock_lost" }
  | { kind: "refused"; message: string };

export interface SessionState {
  phase: Phase;
  /** Items and candidates that the server does not have yet. */
  edits: number;
  savedAt: number | null;
  errors: FieldError[];
  conflicts: MergeConflict[];
  message: string | null;
}

/** The state as the page shows it. `phase` is what holds without a block; unsaved edits make "clean" "dirty". */
export function describe(now: {
  block: Block | null;
  phase: Phase;
  edits: number;
  savedAt: number | null;
}): SessionState {
  const { block, edits, savedAt } = now;
  const idle = now.phase === "clean" && edits > 0 ? "dirty" : now.phase;
  return {
    phase: block?.kind ?? idle,
    edits,
    savedAt,
    errors: block?.kind === "invalid" ? block.errors : [],
    conflicts: block?.kind === "conflict" ? block.conflicts : [],
    message: block && "message" in block ? block.message : null,
  };
}

/** `flush()` cannot finish: somebody has to act first. */
export class FlushBlocked extends Error {
  readonly phase: Phase;

  constructor(phase: Phase, message: string | null) {
    super(message ?? `Unsaved edits are held back (${phase}).`);
    this.name = "FlushBlocked";
    this.phase = phase;
  }
}
