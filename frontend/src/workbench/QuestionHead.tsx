import type { MarkName } from "../api/types";
import type { MessageKey } from "../i18n";
import { useObservable } from "../useObservable";
import { usePageState, usePanel, useSituation, useWorkbench } from "./context";
import { Icon } from "./Icon";
import { whyReadOnly } from "./permissions";

export const MARKS: Record<MarkName, { key: MessageKey; tone: string }> = {
  normal: { key: "mark.normal", tone: "plain" },
  difficult: { key: "mark.difficult", tone: "seal" },
  later: { key: "mark.later", tone: "warn" },
  invalid: { key: "mark.invalid", tone: "warn" },
};

const MODES: Record<string, MessageKey> = {
  single: "question.single",
  all: "question.all",
  ordered: "question.ordered",
};

/** What is asked, at the top; the question may be changed there, and the picture marked. */
export function QuestionHead() {
  const { page, t } = useWorkbench();
  const { editor } = usePageState();
  const panel = usePanel();
  useObservable(page.session.state);
  const situation = useSituation();
  const { config } = page.session.working;
  const why = panel ? "tool.readOnly" : whyReadOnly(situation);
  const mark = MARKS[editor.mark.mark] ?? MARKS.normal;
  const mode = MODES[config.selection_mode];
  return (
    <section className="wb-question">
      <div className="wb-row">
        <small>{t("side.question")}</small>
        <span className="wb-grow" />
        <button
          type="button"
          className={`wb-tag wb-tag-${mark.tone} wb-tag-button`}
          title={editor.mark.reason || t("mark.title")}
          data-testid="mark"
          onClick={() => page.state.patch({ dialog: "mark" })}
        >
          <span className="wb-only-read">{t("mark.title")}: </span>
          {t(mark.key)}
        </button>
        {!panel && (
          <button
            type="button"
            className="wb-icon-btn wb-icon-small"
            aria-label={t("question.edit")}
            aria-disabled={why !== null}
            title={why ? t(why) : t("question.edit")}
            data-testid="question-edit"
            onClick={() => {
              if (!why) page.state.patch({ dialog: "question" });
            }}
          >
            <Icon name="pencil" size={14} />
          </button>
        )}
      </div>
      <h2>{config.question || (panel ? t("panel.defaultQuestion") : t("side.noQuestion"))}</h2>
      {mode && !panel && <small>{t(mode)}</small>}
      {config.selection_mode === "ordered" && config.targets.length > 0 && <Targets />}
    </section>
  );
}

/** The targets in their order; those that have their item are ticked. */
function Targets() {
  const { page, t } = useWorkbench();
  const doc = useObservable(page.editor.doc);
  const shapes = useObservable(page.editor.shapes);
  const { targets } = page.session.working.config;
  const items = doc.name === "draft" ? shapes : page.draft.store.all();
  return (
    <ol className="wb-targets" aria-label={t("side.targets", { targets: targets.join(", ") })}>
      {targets.map((target, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a target may be there twice; its place is what it is.
        <li key={index} className={items[index] ? "wb-target-done" : undefined}>
          <span className="wb-order">{index + 1}</span>
          {target}
        </li>
      ))}
    </ol>
  );
}
