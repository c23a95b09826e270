import { Button } from "./Button";
import { usePageState, useSituation, useWorkbench } from "./context";
import { cancelJob, runDetection } from "./jobActions";
import { isUnknownLabel } from "./listEntries";
import { hasLiveJob, whyNoConfirm, whyNoRun, whyNoStart, whyNoSubmit, whyNoWithdraw } from "./permissions";
import { confirm, confirmAndNext, next, start, submit, withdraw } from "./taskActions";

/** What can be done with the draft, each dead button with its reason. */
export function DraftActions() {
  const { page, goTo, t } = useWorkbench();
  const { task, editor } = usePageState();
  const situation = useSituation();
  const live = hasLiveJob(situation.page);
  const held = situation.lock.kind === "held";
  const open = task.status === "pending" || task.status === "in_progress";
  const confirmed = editor.is_confirmed && situation.session.edits === 0;
  const whyConfirm = whyNoConfirm(situation);
  const unknown = page.draft.store
    .all()
    .filter(({ label }) => isUnknownLabel(label, editor.config.labels)).length;
  return (
    <section className="wb-actions">
      {open && held && unknown > 0 && (
        <small className="wb-warning" data-testid="unknown-labels">
          {t("task.unknownLabels", { count: unknown })}
        </small>
      )}
      {open && !held && (
        <Button
          label={task.status === "pending" ? "task.start" : "task.continue"}
          kind="primary"
          size="big"
          grow
          action="start"
          why={whyNoStart(situation)}
          testId="start"
          onPress={() => void start(page)}
        />
      )}
      {open && held && (
        <div className="wb-row">
          {confirmed ? (
            <Button
              label="task.submit"
              kind="primary"
              size="big"
              grow
              action="submit"
              why={whyNoSubmit(situation)}
              testId="submit"
              onPress={() => void submit(page)}
            />
          ) : (
            <Button
              label="task.confirm"
              kind="primary"
              size="big"
              grow
              action="confirm"
              why={whyConfirm}
              testId="confirm"
              onPress={() => void confirm(page)}
            />
          )}
          <Button
            label={confirmed ? "task.submitNext" : "task.confirmNext"}
            size="big"
            keys="↵"
            why={confirmed ? whyNoSubmit(situation) : whyConfirm}
            testId="confirm-next"
            onPress={() => void confirmAndNext(page, goTo)}
          />
        </div>
      )}
      <div className="wb-row wb-row-wrap">
        {live ? (
          <Button
            label="panel.cancelJob"
            icon="close"
            action="cancel"
            testId="cancel"
            onPress={() => void cancelJob(page)}
          />
        ) : (
          open && (
            <Button
              label="job.run"
              icon="spark"
              action="run"
              keys="R"
              why={whyNoRun(situation)}
              testId="run-detection"
              onPress={() => void runDetection(page)}
            />
          )
        )}
        {task.status === "in_progress" && held && (
          <Button
            label="task.withdraw"
            kind="quiet"
            action="withdraw"
            why={whyNoWithdraw(situation)}
            testId="withdraw"
            onPress={() => void withdraw(page)}
          />
        )}
        {!open && (
          <Button
            label="task.next"
            kind="primary"
            size="big"
            grow
            action="next"
            keys="N"
            onPress={() => void next(page, goTo)}
          />
        )}
      </div>
    </section>
  );
}
