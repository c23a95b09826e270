import { countRows } from "../panel/boxRows";
import type { PanelState } from "../panel/pausePanel";
import { useObservable } from "../useObservable";
import { Button } from "./Button";
import { useWorkbench } from "./context";
import { cancelJob } from "./jobActions";
import type { Why } from "./permissions";

/** The foot of the pause's panel: what the answer will do, why it was refused, and the two ways out. */
export function PausePanel({ panel }: { panel: PanelState }) {
  const { page, t } = useWorkbench();
  useObservable(page.editor.shapes);
  const { readOnly } = useObservable(page.editor.editable);
  const counts = countRows(page.panel.rows());
  const total = counts.segment + counts.check + counts.skip;
  const parts = [
    counts.segment ? t("panel.toCutout", { count: counts.segment }) : "",
    counts.check ? t("panel.toCheck", { count: counts.check }) : "",
    counts.skip ? t("panel.toSkip", { count: counts.skip }) : "",
    counts.removed ? t("panel.removedCount", { count: counts.removed }) : "",
  ].filter(Boolean);
  const why: Why = page.panel.isSending ? null : readOnly ? "tool.readOnly" : null;
  const sending = panel.phase === "sending" || panel.phase === "retrying";
  return (
    <section className="wb-actions" aria-label={t("panel.answerTitle")}>
      {panel.errors.length > 0 && (
        <ul className="wb-errors" role="alert">
          {panel.errors.map((error) => (
            <li key={`${error.field} ${error.message}`}>
              <b>{nameOfField(error.field, page.panel.buildAnswer()?.subjects ?? [])}</b> {error.message}
            </li>
          ))}
        </ul>
      )}
      <small>{total ? parts.join(", ") : t("panel.nothingKept")}</small>
      <div className="wb-row">
        <Button
          label={sending ? "action.sending" : total ? "panel.answer" : "panel.answerEmpty"}
          kind="primary"
          size="big"
          keys="↵"
          grow
          why={sending ? "why.sending" : why}
          testId="answer"
          onPress={() => void page.panel.answer()}
        />
        <Button
          label="panel.cancelJob"
          size="big"
          action="cancel"
          testId="cancel"
          onPress={() => void cancelJob(page)}
        />
      </div>
    </section>
  );
}

/** `subjects[2].bbox` or `subjects.2.bbox` in words: the box's label and the field. */
function nameOfField(field: string, subjects: readonly { label: string | null }[]): string {
  const match = /^subjects[.[](\d+)\]?\.?(.*)$/.exec(field);
  if (!match) return field;
  const subject = subjects[Number(match[1])];
  return [subject?.label ?? `#${Number(match[1]) + 1}`, match[2]].filter(Boolean).join(" · ");
}
