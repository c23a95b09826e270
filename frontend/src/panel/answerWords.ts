import type { ChangedBox, InterventionReply, PastPause } from "../api/types";
import type { MessageKey, Translate } from "../i18n";

export interface ChangeLine {
  kind: "kept" | "moved" | "renamed" | "added" | "removed" | "omitted" | "nothing";
  text: string;
}

const KEYS: Record<ChangeLine["kind"], MessageKey> = {
  kept: "history.kept",
  moved: "history.moved",
  renamed: "history.renamed",
  added: "history.added",
  removed: "history.removed",
  omitted: "history.omitted",
  nothing: "history.nothing",
};

/** What an answer did to the boxes, a sentence for each kind of change. */
export function changeLines(changes: NonNullable<PastPause["changes"]>, t: Translate): ChangeLine[] {
  const name = ({ label }: ChangedBox) => label || t("row.unnamed");
  const renamed = (box: ChangedBox) => `${box.before || t("row.unnamed")} → ${name(box)}`;
  const lines: ChangeLine[] = [];
  const tell = (kind: ChangeLine["kind"], boxes: ChangedBox[], inWords = name) => {
    if (!boxes.length) return;
    const params = { count: boxes.length, names: boxes.map(inWords).join(", ") };
    lines.push({ kind, text: t(KEYS[kind], params) });
  };
  tell("kept", changes.kept);
  tell("moved", changes.moved);
  tell("renamed", changes.renamed, renamed);
  tell("added", changes.added);
  tell(
    "removed",
    changes.removed.filter((box) => box.why !== "omitted"),
  );
  // A client that does not say what it deletes left them out; that is not the same as a person's word.
  tell(
    "omitted",
    changes.removed.filter((box) => box.why === "omitted"),
  );
  if (!lines.length) lines.push({ kind: "nothing", text: t(KEYS.nothing) });
  return lines;
}

const OUTCOMES: Record<InterventionReply["outcome"], MessageKey> = {
  EMPTY_SELECTION: "history.outcomeEmpty",
  VALIDATING: "history.outcomeValidating",
  FINALIZING: "history.outcomeFinalizing",
  PROCESSING: "history.outcomeProcessing",
};

export function outcomeKey(outcome: InterventionReply["outcome"]): MessageKey {
  return OUTCOMES[outcome] ?? "history.outcomeProcessing";
}
