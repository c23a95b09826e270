import { useState } from "react";
import type { MarkName } from "../api/types";
import { usePageState, useSituation, useWorkbench } from "./context";
import { Dialog } from "./Dialog";
import { whyReadOnly } from "./permissions";
import { MARKS } from "./QuestionHead";
import { mark } from "./taskActions";

/** Marks the picture as difficult, for later or not usable, with why; or as normal again. */
export function MarkDialog() {
  const { dialog } = usePageState();
  return dialog === "mark" ? <Form /> : null;
}

function Form() {
  const { page, t, config } = useWorkbench();
  const { editor, busy } = usePageState();
  const situation = useSituation();
  const present = editor.mark;
  const [name, setName] = useState<MarkName>(present.mark);
  const [reason, setReason] = useState(present.reason);
  const [note, setNote] = useState(present.note);
  const why = whyReadOnly({ ...situation, panelOpen: false });
  const close = () => page.state.patch({ dialog: null });
  const by = present.by?.name || present.by?.username;
  return (
    <Dialog title={t("mark.title")} onClose={close} testId="mark-dialog">
      <form
        className="wb-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!why)
            void mark(page, { mark: name, reason: reason.trim(), note: note.trim() }).then(
              (ok) => ok && close(),
            );
        }}
      >
        <fieldset className="wb-marks">
          <legend className="wb-only-read">{t("mark.title")}</legend>
          {(Object.keys(MARKS) as MarkName[]).map((each) => (
            <label key={each}>
              <input
                type="radio"
                name="mark"
                checked={name === each}
                disabled={why !== null}
                onChange={() => setName(each)}
              />
              <span>
                <b>{t(MARKS[each].key)}</b>
                <small>{t(`mark.${each}Hint`)}</small>
              </span>
            </label>
          ))}
        </fieldset>
        <label>
          <span>{t("mark.reason")}</span>
          <input
            className="wb-input"
            value={reason}
            maxLength={2000}
            disabled={why !== null}
            onChange={(event) => setReason(event.target.value)}
          />
        </label>
        <label>
          <span>{t("mark.note")}</span>
          <textarea
            className="wb-input"
            rows={2}
            value={note}
            maxLength={2000}
            disabled={why !== null}
            onChange={(event) => setNote(event.target.value)}
          />
        </label>
        {by && present.at && (
          <small>
            {t("mark.by", { name: by, time: new Date(present.at).toLocaleString(config.language) })}
          </small>
        )}
        {why && <p className="wb-note">{t(why)}</p>}
        <div className="wb-row wb-row-end">
          <button type="button" className="wb-btn wb-btn-plain wb-btn-normal" onClick={close}>
            {t("action.cancel")}
          </button>
          <button
            type="submit"
            className="wb-btn wb-btn-primary wb-btn-normal"
            aria-disabled={why !== null || busy === "mark"}
            title={why ? t(why) : undefined}
          >
            {t(busy === "mark" ? "action.working" : "action.save")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
