import { CropThumb } from "../canvas/CropThumb";
import { useWorkbench } from "./context";
import type { ListEntry } from "./listEntries";

/** What the person removed stays in sight, struck out, until the answer is sent. */
export function RemovedList({ entries }: { entries: readonly ListEntry[] }) {
  const { page, t, image } = useWorkbench();
  if (!entries.length) return null;
  return (
    <ul className="wb-list wb-removed" aria-label={t("panel.removedTitle")}>
      {entries.map(({ shape }) => (
        <li key={shape.id} className="wb-item" data-testid="box-item-removed" data-box-id={shape.id}>
          <CropThumb
            image={image}
            pictureWidth={page.editor.picture.width}
            geometry={shape.geometry}
            colour="#566070"
            dashed={false}
          />
          <div className="wb-item-words">
            <div className="wb-item-name wb-struck">{shape.label || t("row.unnamed")}</div>
            <small>
              {t("row.removed")} ·{" "}
              <button type="button" className="wb-link" onClick={() => page.panel.restore(shape.id)}>
                {t("action.undo")}
                <span className="wb-only-read"> {shape.label}</span>
              </button>
            </small>
          </div>
          <div className="wb-conf">
            <span>{shape.score === null ? "–" : shape.score.toFixed(2)}</span>
          </div>
        </li>
      ))}
    </ul>
  );
}
