import type { Geometry } from "../api/types";
import { CropThumb } from "../canvas/CropThumb";
import { colourOf } from "../canvas/palette";
import type { MessageKey, Translate } from "../i18n";
import type { DocumentChange } from "../session/changes";
import type { ConfigEntry } from "../session/document";
import type { Entry } from "../session/merge";
import { useLabels, useWorkbench } from "./context";

/** Longer lists are told by their number. */
const MOST = 6;

const KINDS: Record<DocumentChange["kind"], MessageKey> = {
  added: "change.added",
  changed: "change.changed",
  removed: "change.removed",
  reordered: "change.reordered",
};

const CONFIG: Record<ConfigEntry["id"], MessageKey> = {
  question: "side.question",
  selection_mode: "question.mode",
  targets: "question.targets",
  geometries: "question.kinds",
};

/** The changes one by one, with the piece of the picture that each is about. */
export function ChangeList({ changes }: { changes: readonly DocumentChange[] }) {
  const { t } = useWorkbench();
  if (!changes.length) return null;
  return (
    <ul className="wb-changes">
      {changes.slice(0, MOST).map((change) => (
        <Change key={`${change.part} ${change.entry?.id ?? change.kind}`} change={change} />
      ))}
      {changes.length > MOST && (
        <li className="wb-muted">{t("change.more", { count: changes.length - MOST })}</li>
      )}
    </ul>
  );
}

function Change({ change }: { change: DocumentChange }) {
  const { page, t, image } = useWorkbench();
  const labels = useLabels();
  const { entry } = change;
  const geometry = entry && geometryOf(entry);
  return (
    <li data-change={change.kind}>
      {geometry && (
        <CropThumb
          image={image}
          pictureWidth={page.editor.picture.width}
          geometry={geometry}
          colour={colourOf(labelOf(entry), labels)}
          dashed={false}
        />
      )}
      <span>
        {entry ? <b>{entryName(entry, t)}</b> : <b>{t("items.title")}</b>}
        <br />
        <small>
          {t(KINDS[change.kind])}
          {change.part === "candidates" ? ` · ${t("candidates.one")}` : ""}
        </small>
      </span>
    </li>
  );
}

export function isConfigEntry(entry: Entry): entry is ConfigEntry {
  return "value" in entry;
}

export function labelOf(entry: Entry | null): string | null {
  return entry && !isConfigEntry(entry) ? entry.label : null;
}

/** Where the entry lies on the picture; null for a part of the question. */
export function geometryOf(entry: Entry): Geometry | null {
  if (isConfigEntry(entry)) return null;
  if ("geometry" in entry) return entry.geometry;
  return entry.bbox
    ? { type: "bbox", bbox: entry.bbox }
    : { type: "point", x: entry.center[0], y: entry.center[1] };
}

/** An item's label, or the part of the question with what it says. */
export function entryName(entry: Entry, t: Translate): string {
  if (!isConfigEntry(entry)) return entry.label || t("row.unnamed");
  return `${t(CONFIG[entry.id])}: ${valueWords(entry, t)}`;
}

function valueWords({ id, value }: ConfigEntry, t: Translate): string {
  if (id === "selection_mode") return t(`question.${value}` as MessageKey);
  const text = Array.isArray(value) ? value.join(", ") : String(value);
  return text || "–";
}
