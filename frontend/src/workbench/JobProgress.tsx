import type { Box } from "../api/types";
import { CropThumb } from "../canvas/CropThumb";
import { colourOf } from "../canvas/palette";
import type { MessageKey } from "../i18n";
import { useLabels, usePageState, useWorkbench } from "./context";
import { SteadyImage } from "./SteadyImage";

const OUTCOME: Record<string, { key: MessageKey; tone: string }> = {
  succeeded: { key: "results.succeeded", tone: "ok" },
  failed: { key: "results.failed", tone: "seal" },
  rejected: { key: "results.rejected", tone: "warn" },
  skipped: { key: "results.skipped", tone: "plain" },
};

/** What the running job does, box by box; the bar above tells the whole. */
export function JobProgress() {
  const { t } = useWorkbench();
  const { job } = usePageState();
  const boxes = job?.approved_box_list?.boxes ?? [];
  return (
    <section className="wb-job" data-testid="job-progress">
      <p>{t(boxes.length ? "job.listHint" : "job.detectHint")}</p>
      <ul className="wb-list">
        {boxes.map((box) => (
          <BoxProgress key={box.box_id} box={box} />
        ))}
      </ul>
    </section>
  );
}

function BoxProgress({ box }: { box: Box }) {
  const { page, t, image } = useWorkbench();
  const labels = useLabels();
  const { finished } = usePageState();
  const done = finished[box.box_id];
  const outcome = OUTCOME[done?.outcome ?? (box.target_policy === "skip" ? "skipped" : "")];
  return (
    <li className="wb-item">
      {done?.cutoutUrl ? (
        <div className="wb-checker">
          <SteadyImage src={done.cutoutUrl} alt={t("results.alt", { label: box.label ?? "" })} />
        </div>
      ) : (
        <CropThumb
          image={image}
          pictureWidth={page.editor.picture.width}
          geometry={
            box.bbox
              ? { type: "bbox", bbox: box.bbox }
              : { type: "point", x: box.center[0], y: box.center[1] }
          }
          colour={colourOf(box.label, labels)}
          dashed={false}
        />
      )}
      <div className="wb-item-name">{box.label || t("row.unnamed")}</div>
      <span className={`wb-tag wb-tag-${outcome?.tone ?? "plain"}`}>{t(outcome?.key ?? "job.queued")}</span>
    </li>
  );
}
