import { TERMINAL_JOB } from "../api/types";
import { Button } from "./Button";
import { usePageState, useSituation, useWorkbench } from "./context";
import { compensateJob } from "./jobActions";
import { isOpen, whyNoRun } from "./permissions";

/** Says that a declared policy, and no person, decided the last job; and the way to ask a person after all. */
export function PolicyNote() {
  const { page, t } = useWorkbench();
  const { job, task } = usePageState();
  const situation = useSituation();
  if (!job?.policy_version) return null;
  const ended = TERMINAL_JOB.has(job.status);
  return (
    <section className="wb-decided" aria-label={t("decided.title")} data-testid="policy-note">
      <p>{t("decided.text", { version: job.policy_version })}</p>
      {ended && isOpen(task) && (
        <Button
          label="decided.compensate"
          size="small"
          action="compensate"
          why={whyNoRun(situation)}
          testId="compensate"
          onPress={() => void compensateJob(page)}
        />
      )}
    </section>
  );
}
