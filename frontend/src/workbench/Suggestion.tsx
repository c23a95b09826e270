import { useObservable } from "../useObservable";
import { Button } from "./Button";
import { usePageState, useSituation, useWorkbench } from "./context";
import { Icon } from "./Icon";
import { applyPrediction } from "./jobActions";
import { type Why, whyNoJudge, whyReadOnly } from "./permissions";
import { RunProgress } from "./RunProgress";
import { askJudge } from "./runActions";

/** What the judging model suggests for the present candidates, with its warnings; and the button that asks it. */
export function Suggestion() {
  const { page, t } = useWorkbench();
  const { editor } = usePageState();
  const run = useObservable(page.runs.state);
  useObservable(page.session.state);
  const situation = useSituation();
  const { prediction } = editor;
  const judging = run?.kind === "JUDGE_CANDIDATES";
  if (!prediction && !judging && !editor.candidates.items.length) return null;
  return (
    <section className="wb-suggestion" aria-label={t("suggestion.title")} data-testid="suggestion">
      <div className="wb-row wb-suggestion-head">
        <h2>{t("suggestion.title")}</h2>
        <span className="wb-grow" />
        <Button
          label={prediction ? "suggestion.askAgain" : "suggestion.ask"}
          kind="quiet"
          size="small"
          icon="spark"
          action="judge"
          why={whyNoJudge(situation)}
          testId="ask-judge"
          onPress={() => void askJudge(page)}
        />
      </div>
      {judging && <RunProgress />}
      {prediction ? <Prediction /> : !judging && <p className="wb-hint">{t("suggestion.hint")}</p>}
    </section>
  );
}

/** The newest suggestion: what was chosen, what is doubtful, and whether it can still be applied. */
function Prediction() {
  const { page, t } = useWorkbench();
  const { editor } = usePageState();
  const situation = useSituation();
  const { prediction } = editor;
  if (!prediction) return null;
  const { candidates, versions } = { ...page.session.working, versions: page.session.base.versions };
  const names = prediction.selected_ids.map(
    (id) => candidates.find((candidate) => candidate.id === id)?.label ?? t("suggestion.unknown"),
  );
  const stale =
    (prediction.failed_conditions ?? []).some((condition) => condition !== "applicable") ||
    prediction.candidate_set_id !== versions.candidateSetId ||
    prediction.config_version !== versions.config;
  const why: Why =
    whyReadOnly(situation) ??
    (stale ? "why.predictionStale" : prediction.applicable ? null : "why.notApplicable");
  return (
    <>
      <p className={stale ? "wb-suggested wb-muted" : "wb-suggested"}>
        {names.length
          ? names.join(editor.config.selection_mode === "ordered" ? " → " : ", ")
          : t("suggestion.none")}
      </p>
      {stale && (
        <p className="wb-warning">
          <Icon name="warn" size={14} /> {t("why.predictionStale")}
        </p>
      )}
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
        testId="apply-suggestion"
        onPress={() => void applyPrediction(page)}
      />
    </>
  );
}
