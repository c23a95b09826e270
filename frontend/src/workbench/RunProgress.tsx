import { isActive } from "../runs/modelRuns";
import { useObservable } from "../useObservable";
import { Button } from "./Button";
import { usePageState, useWorkbench } from "./context";
import { Icon } from "./Icon";
import { cancelRun, failureWords } from "./runActions";

/** A model run outside a job: how far it is and who asked for it, or why it failed and what to do. */
export function RunProgress() {
  const { page, t } = useWorkbench();
  const { me, role } = usePageState();
  const run = useObservable(page.runs.state);
  const failure = failureWords(run);
  if (failure) {
    return (
      <div className="wb-run wb-run-failed" role="alert" data-testid="run-failed">
        <p>
          <Icon name="warn" size={14} /> {t(failure.advice)}
        </p>
        {failure.detail && <small>{failure.detail}</small>}
      </div>
    );
  }
  if (!run || !isActive(run)) return null;
  const mine = String(run.created_by?.id ?? "") === String(me.id);
  const { done, total } = run.progress;
  return (
    <div className="wb-run" data-testid="run-progress">
      <p>{t(run.status === "QUEUED" ? "run.queued" : "run.running")}</p>
      {!mine && run.created_by && <small>{t("run.by", { name: run.created_by.name })}</small>}
      <div className="wb-row">
        <progress
          className={total > 0 ? "wb-progress wb-grow" : "wb-progress wb-grow wb-progress-unknown"}
          aria-label={t("run.running")}
          {...(total > 0 ? { value: done, max: total } : {})}
        />
        <Button
          label="run.cancel"
          size="small"
          action="cancelRun"
          why={mine || role === "project_admin" || role === "super_admin" ? null : "why.notYourRun"}
          onPress={() => void cancelRun(page)}
        />
      </div>
    </div>
  );
}
