import { useState } from "react";
import type { GeometryKind, SelectionMode } from "../api/types";
import type { MessageKey } from "../i18n";
import type { Question } from "../session/document";
import { usePageState, useWorkbench } from "./context";
import { Dialog } from "./Dialog";

const MODES: SelectionMode[] = ["free", "single", "all", "ordered"];
const KINDS: GeometryKind[] = ["point", "bbox", "polygon"];

/** Changes what this task asks. It is saved like any edit, with the version that was read. */
export function QuestionDialog() {
  const { dialog } = usePageState();
  return dialog === "question" ? <Form /> : null;
}

function Form() {
  const { page, t } = useWorkbench();
  const { editor } = usePageState();
  const before = page.session.working.config;
  const [question, setQuestion] = useState(before.question);
  const [mode, setMode] = useState(before.selection_mode);
  const [targets, setTargets] = useState(before.targets.join("\n"));
  const [kinds, setKinds] = useState<readonly GeometryKind[]>(before.geometries);
  const close = () => page.state.patch({ dialog: null });
  const wanted: Question = {
    question: question.trim(),
    selection_mode: mode,
    targets: targets
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean),
    geometries: KINDS.filter((kind) => kinds.includes(kind)),
  };
  const problem = problemOf(wanted);
  const stale = editor.has_confirmed_snapshot || editor.prediction !== null;
  return (
    <Dialog title={t("question.title")} onClose={close} testId="question">
      <form
        className="wb-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (problem) return;
          page.ask(wanted);
          close();
        }}
      >
        <label>
          <span>{t("side.question")}</span>
          <textarea
            className="wb-input"
            rows={2}
            maxLength={2000}
            value={question}
            placeholder={t("side.noQuestion")}
            onChange={(event) => setQuestion(event.target.value)}
          />
        </label>
        <label>
          <span>{t("question.mode")}</span>
          <select
            className="wb-input"
            value={mode}
            onChange={(event) => setMode(event.target.value as SelectionMode)}
          >
            {MODES.map((name) => (
              <option key={name} value={name}>
                {t(`question.${name}`)}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{t("question.targets")}</span>
          <textarea
            className="wb-input"
            rows={Math.min(6, Math.max(2, wanted.targets.length + 1))}
            value={targets}
            onChange={(event) => setTargets(event.target.value)}
          />
          <small>{t("question.targetsHint")}</small>
        </label>
        <fieldset className="wb-checks">
          <legend>{t("question.kinds")}</legend>
          {KINDS.map((kind) => (
            <label key={kind}>
              <input
                type="checkbox"
                checked={kinds.includes(kind)}
                onChange={(event) =>
                  setKinds(event.target.checked ? [...kinds, kind] : kinds.filter((other) => other !== kind))
                }
              />
              {t(KIND_NAMES[kind])}
            </label>
          ))}
        </fieldset>
        {stale && <p className="wb-note">{t("question.stale")}</p>}
        {problem && (
          <p className="wb-problem" role="alert">
            {t(problem)}
          </p>
        )}
        <div className="wb-row wb-row-end">
          <button type="button" className="wb-btn wb-btn-plain wb-btn-normal" onClick={close}>
            {t("action.cancel")}
          </button>
          <button
            type="submit"
            className="wb-btn wb-btn-primary wb-btn-normal"
            aria-disabled={problem !== null}
            title={problem ? t(problem) : undefined}
          >
            {t("action.save")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

const KIND_NAMES: Record<GeometryKind, MessageKey> = {
  point: "tool.point",
  bbox: "tool.box",
  polygon: "tool.polygon",
};

function problemOf({ selection_mode, targets, geometries }: Question): MessageKey | null {
  if (!geometries.length) return "question.noKind";
  return selection_mode === "ordered" && !targets.length ? "question.noTarget" : null;
}
