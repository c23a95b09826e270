import type { ResultItem } from "../api/types";
import type { MessageKey } from "../i18n";
import { usePageState, useWorkbench } from "./context";
import { Icon } from "./Icon";
import { SteadyImage } from "./SteadyImage";

const OUTCOME: Record<ResultItem["outcome"], { key: MessageKey; tone: string }> = {
  succeeded: { key: "results.succeeded", tone: "ok" },
  failed: { key: "results.failed", tone: "seal" },
  rejected: { key: "results.rejected", tone: "warn" },
  skipped: { key: "results.skipped", tone: "plain" },
};

/** The cut-outs on a checkerboard, with a download each; what failed says why. */
export function ResultsList() {
  const { t } = useWorkbench();
  const { results } = usePageState();
  if (!results) return null;
  return (
    <section className="wb-items">
      <div className="wb-scroll">
        <ul className="wb-results" data-testid="results" aria-label={t("results.title")}>
          {results.items.map((item) => (
            <Result key={item.box_id} item={item} />
          ))}
        </ul>
      </div>
    </section>
  );
}

function Result({ item }: { item: ResultItem }) {
  const { t } = useWorkbench();
  const { task } = usePageState();
  const outcome = OUTCOME[item.outcome];
  const label = item.label || t("row.unnamed");
  const file = `${task.name.replace(/\.[a-z0-9]+$/i, "")}-${label}.png`.replaceAll("/", "_");
  return (
    <li className="wb-result" data-testid="result-item" data-outcome={item.outcome} data-box-id={item.box_id}>
      <div className="wb-checker">
        {item.cutout_url ? (
          <SteadyImage src={item.cutout_url} alt={t("results.alt", { label })} />
        ) : (
          <Icon name={item.outcome === "skipped" ? "minus" : "warn"} size={28} />
        )}
      </div>
      <div className="wb-row">
        <b className="wb-clip">{label}</b>
        <span className={`wb-tag wb-tag-${outcome.tone}`}>{t(outcome.key)}</span>
        <span className="wb-grow" />
        {item.cutout_url && (
          <a
            className="wb-icon-btn"
            href={item.cutout_url}
            download={file}
            aria-label={t("results.download", { label })}
            title={t("results.download", { label })}
          >
            <Icon name="download" size={16} />
          </a>
        )}
      </div>
      {item.reason && <small>{typeof item.reason === "string" ? item.reason : item.reason.message}</small>}
    </li>
  );
}
