import { useEffect, useState } from "react";
import type { ModelRun, PastPause } from "../api/types";
import { changeLines, outcomeKey } from "../panel/answerWords";
import { usePageState, useWorkbench } from "./context";
import { canReview } from "./permissions";

/** Every question of the job, newest first: who answered, when, and what the answer did to the boxes. */
export function JobHistory() {
  const { page, t, config } = useWorkbench();
  const state = usePageState();
  const { job } = state;
  const [pauses, setPauses] = useState<PastPause[] | null>(null);
  const [late, setLate] = useState<ModelRun[]>([]);
  const [failed, setFailed] = useState(false);
  const reviews = canReview(state);
  const [jobId, version] = [job?.job_id, job?.version];
  // biome-ignore lint/correctness/useExhaustiveDependencies: each version of the job has another history.
  useEffect(() => {
    if (!jobId) return;
    let open = true;
    page.deps.api.pauses(jobId).then(
      ({ items }) => {
        if (!open) return;
        setPauses(items);
        setFailed(false);
      },
      () => open && setFailed(true),
    );
    if (reviews) {
      page.deps.api.newestRuns(page.taskId, 50).then(
        ({ items }) =>
          open && setLate(items.filter((run) => run.job_id === jobId && run.ignored_reports.length)),
        () => undefined,
      );
    }
    return () => {
      open = false;
    };
  }, [page, jobId, version, reviews]);
  if (!job) return null;
  const time = (text: string) => new Date(text).toLocaleString(config.language, { hourCycle: "h23" });
  return (
    <section className="wb-items" aria-label={t("history.title")} data-testid="job-history">
      <div className="wb-scroll wb-history">
        {failed && (
          <p className="wb-problem" role="alert">
            {t("history.failed")}
          </p>
        )}
        {!failed && pauses === null && <p className="wb-hint">{t("history.loading")}</p>}
        {pauses?.length === 0 && <p className="wb-hint">{t("history.none")}</p>}
        <ol>
          {pauses?.map((pause) => (
            <Round key={pause.pause_token} pause={pause} time={time} />
          ))}
        </ol>
        {late.length > 0 && (
          <details className="wb-late">
            <summary>{t("history.late", { count: late.length })}</summary>
            <ul>
              {late.flatMap((run) =>
                run.ignored_reports.map((report) => (
                  <li key={`${run.run_id} ${report.attempt}`}>
                    <b>{run.kind}</b> {report.why}
                    <br />
                    <small>{time(report.received_at)}</small>
                  </li>
                )),
              )}
            </ul>
          </details>
        )}
        <p className="wb-hint">
          <a className="wb-link" href={`/tasks/${page.taskId}/history/`}>
            {t("history.whole")}
          </a>
        </p>
      </div>
    </section>
  );
}

function Round({ pause, time }: { pause: PastPause; time: (text: string) => string }) {
  const { t } = useWorkbench();
  const revision = pause.stage === "WAITING_BOX_BATCH_REVISION";
  const who = pause.consumed_by?.name || pause.consumed_by?.username;
  return (
    <li className="wb-round" data-testid="past-pause" data-status={pause.status}>
      <div className="wb-row">
        <b>{t(revision ? "history.revision" : "history.selection")}</b>
        <span className="wb-grow" />
        <span className={pause.status === "WAITING" ? "wb-tag wb-tag-seal" : "wb-tag"}>
          {t(`history.${pause.status}`)}
        </span>
      </div>
      <small>{t("history.asked", { time: time(pause.created_at) })}</small>
      {pause.problems.length > 0 && (
        <ul className="wb-round-problems">
          {pause.problems.map((problem) => (
            <li key={problem.box_id}>{problem.message}</li>
          ))}
        </ul>
      )}
      {pause.consumed_at && (
        <p>
          {who
            ? t("history.answered", { name: who, time: time(pause.consumed_at) })
            : t("history.answeredByRule", { time: time(pause.consumed_at) })}
        </p>
      )}
      {pause.changes && (
        <ul className="wb-round-changes">
          {changeLines(pause.changes, t).map((line) => (
            <li key={line.kind} data-change={line.kind}>
              {line.text}
            </li>
          ))}
        </ul>
      )}
      {pause.outcome && <small>{t(outcomeKey(pause.outcome))}</small>}
    </li>
  );
}
