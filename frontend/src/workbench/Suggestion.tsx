import { Button } from "./Button";
import { usePageState, useSituation, useWorkbench } from "./context";
import { Icon } from "./Icon";
import { applyPrediction } from "./jobActions";
import { type Why, whyReadOnly } from "./permissions";

/** What the judging model suggests for the present candidates, with its warnings. */
export function Suggestion() {
  const { page, t } = useWorkbench();
  const { editor } = usePageState();
  const situation = useSituation();
  const { prediction, candidates, config } = editor;
  if (!prediction) return null;
  const names = prediction.selected_ids.map(
    (id) => candidates.items.find((candidate) => candidate.id === id)?.label ?? id,
  );
  const stale =
    (prediction.failed_conditions ?? []).some((condition) => condition !== "applicable") ||
    (prediction.candidate_set_id !== undefined && prediction.candidate_set_id !== candidates.set_id) ||
    (prediction.config_version !== undefined && prediction.config_version !== config.version);
  const why: Why =
    whyReadOnly(situation) ??
    (stale ? "why.predictionStale" : prediction.applicable ? null : "why.notApplicable");
  return (
    <section className="wb-suggestion" aria-label={t("suggestion.title")}>
      <h2>{t("suggestion.title")}</h2>
      <p>{names.length ? names.join(", ") : t("suggestion.none")}</p>
      {prediction.warnings.map((warning) => {
        const text = typeof warning === "string" ? warning : warning.message;
        return (
          <p key={text} className="wb-warning">
            <Icon name="warn" size={14} /> {text}
          </p>
        );
      })}
      <Button
        label="suggestion.apply"
        size="small"
        action="applyPrediction"
        why={why}
        onPress={() => void applyPrediction(page)}
      />
    </section>
  );
}
