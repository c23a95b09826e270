import { useState } from "react";
import { Button } from "./Button";
import { usePageState, useSituation, useWorkbench } from "./context";
import { Icon } from "./Icon";
import { isAnswered, rejectionOf } from "./permissions";
import { answerPin } from "./taskActions";

/** A task that was sent back opens with its reason and its pins as a checklist. */
export function PinChecklist() {
  const { page, t } = useWorkbench();
  const { task } = usePageState();
  const { lock } = useSituation();
  const [open, setOpen] = useState<string | null>(null);
  const [text, setText] = useState("");
  const decision = rejectionOf(task);
  if (!decision) return null;
  return (
    <section className="wb-pins" aria-label={t("pins.title")}>
      <small>{t("pins.sentBackBy", { name: decision.by.name || decision.by.username })}</small>
      <p>{decision.reason}</p>
      {decision.pins.map((pin, index) => {
        const done = isAnswered(pin);
        return (
          <div key={pin.id} className={done ? "wb-pin-row wb-pin-done" : "wb-pin-row"}>
            <button
              type="button"
              className="wb-pin"
              aria-label={t("pins.show", { number: index + 1 })}
              onClick={() => page.editor.camera.reveal([pin.x, pin.y])}
            >
              {done ? <Icon name="check" size={12} /> : index + 1}
            </button>
            <span className="wb-grow">{pin.text || t("pins.noText")}</span>
            {!done && open !== pin.id && (
              <Button
                label="pins.answer"
                size="small"
                why={lock.kind === "held" ? null : "why.startFirst"}
                onPress={() => {
                  setOpen(pin.id);
                  setText("");
                }}
              />
            )}
            {open === pin.id && !done && (
              <form
                className="wb-row wb-pin-form"
                onSubmit={(event) => {
                  event.preventDefault();
                  void answerPin(page, pin.id, text.trim()).then(() => setOpen(null));
                }}
              >
                <input
                  className="wb-input wb-grow"
                  // biome-ignore lint/a11y/noAutofocus: the person has just asked for this field.
                  autoFocus
                  aria-label={t("pins.answerText")}
                  placeholder={t("pins.answerText")}
                  value={text}
                  onChange={(event) => setText(event.target.value)}
                />
                <button type="submit" className="wb-btn wb-btn-primary wb-btn-small">
                  {t("pins.done")}
                </button>
              </form>
            )}
          </div>
        );
      })}
    </section>
  );
}
