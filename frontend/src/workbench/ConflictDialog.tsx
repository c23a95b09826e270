import { useState } from "react";
import type { Geometry } from "../api/types";
import { CropThumb } from "../canvas/CropThumb";
import { colourOf } from "../canvas/palette";
import type { MessageKey, Translate } from "../i18n";
import type { Choice, Entry, MergeConflict } from "../session/merge";
import { useObservable } from "../useObservable";
import { entryName, geometryOf, labelOf } from "./ChangeList";
import { useLabels, useWorkbench } from "./context";
import { Dialog } from "./Dialog";

/** What each item was and both versions of it, side by side; nothing goes on until each is decided. */
export function ConflictDialog() {
  const { page, t } = useWorkbench();
  const { conflicts } = useObservable(page.session.state);
  const [choices, setChoices] = useState<ReadonlyMap<string, Choice>>(new Map());
  if (!conflicts.length) return null;
  const choose = (id: string, choice: Choice) => setChoices(new Map(choices).set(id, choice));
  const all = (choice: Choice) => setChoices(new Map(conflicts.map(({ id }) => [id, choice])));
  const open = conflicts.filter(({ id }) => !choices.has(id)).length;
  return (
    <Dialog title={t("conflict.title")} wide testId="conflict">
      <p>{t("conflict.text")}</p>
      <div className="wb-row">
        <button type="button" className="wb-btn wb-btn-plain wb-btn-small" onClick={() => all("mine")}>
          {t("conflict.allMine")}
        </button>
        <button type="button" className="wb-btn wb-btn-plain wb-btn-small" onClick={() => all("theirs")}>
          {t("conflict.allTheirs")}
        </button>
      </div>
      <ul className="wb-conflicts">
        {conflicts.map((conflict) => (
          <li key={conflict.id}>
            <div className="wb-conflict-side wb-conflict-base" role="group" aria-label={t("conflict.base")}>
              <small>{t("conflict.base")}</small>
              <Version entry={conflict.base} missing="conflict.notThere" />
            </div>
            <Side
              conflict={conflict}
              side="mine"
              chosen={choices.get(conflict.id) === "mine"}
              onChoose={choose}
            />
            <Side
              conflict={conflict}
              side="theirs"
              chosen={choices.get(conflict.id) === "theirs"}
              onChoose={choose}
            />
          </li>
        ))}
      </ul>
      <div className="wb-row">
        <small>{open ? t("conflict.open", { count: open }) : t("conflict.ready")}</small>
        <span className="wb-grow" />
        <button
          type="button"
          className="wb-btn wb-btn-primary wb-btn-normal"
          disabled={open > 0}
          title={open ? t("conflict.open", { count: open }) : undefined}
          onClick={() => {
            page.session.resolve(choices);
            setChoices(new Map());
          }}
        >
          {t("conflict.apply")}
        </button>
      </div>
    </Dialog>
  );
}

interface SideProps {
  conflict: MergeConflict;
  side: Choice;
  chosen: boolean;
  onChoose: (id: string, choice: Choice) => void;
}

function Side({ conflict, side, chosen, onChoose }: SideProps) {
  const { t } = useWorkbench();
  return (
    <button
      type="button"
      className="wb-conflict-side"
      aria-pressed={chosen}
      onClick={() => onChoose(conflict.id, side)}
    >
      <small>{t(side === "mine" ? "conflict.mine" : "conflict.theirs")}</small>
      <Version entry={conflict[side]} missing="conflict.removed" />
    </button>
  );
}

/** One version of the item: its crop, its label, its place. */
function Version({ entry, missing }: { entry: Entry | null; missing: MessageKey }) {
  const { page, t, image } = useWorkbench();
  const labels = useLabels();
  if (!entry) return <b>{t(missing)}</b>;
  const geometry = geometryOf(entry);
  if (!geometry) return <b>{entryName(entry, t)}</b>;
  return (
    <span className="wb-row">
      <CropThumb
        image={image}
        pictureWidth={page.editor.picture.width}
        geometry={geometry}
        colour={colourOf(labelOf(entry), labels)}
        dashed={false}
      />
      <span className="wb-conflict-words">
        <b>{entryName(entry, t)}</b>
        <small className="wb-mono">{words(geometry, t)}</small>
      </span>
    </span>
  );
}

function words(geometry: Geometry, t: Translate): string {
  const number = (value: number) => String(Math.round(value * 10) / 10);
  if (geometry.type === "polygon") return t("conflict.points", { count: geometry.points.length });
  const numbers = geometry.type === "point" ? [geometry.x, geometry.y] : geometry.bbox;
  return numbers.map(number).join(", ");
}
