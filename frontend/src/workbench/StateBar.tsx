import { useEffect, useState } from "react";
import { useObservable } from "../useObservable";
import { useSituation, useWorkbench } from "./context";
import { Icon } from "./Icon";
import { stateLine } from "./stateLine";

/** In words: what state this is, what the job does, what is asked of the person, whether the work is saved. */
export function StateBar() {
  const { page, t } = useWorkbench();
  const situation = useSituation();
  const panel = useObservable(page.panel.state);
  const line = stateLine(situation, panel);
  return (
    <section
      className={`wb-state wb-state-${line.tone}`}
      aria-label={t("state.label")}
      data-testid="state-bar"
      data-job-status={situation.page.job?.status ?? ""}
    >
      <div className="wb-state-words" role="status" aria-live="polite">
        <span className={`wb-tag wb-tag-${line.tone}`}>{t(line.badge)}</span>
        <span className="wb-state-text">{t(line.text, line.params)}</span>
        {line.detail && (
          <span className="wb-muted wb-clip" title={line.detail}>
            {line.detail}
          </span>
        )}
        {line.hint && <span className="wb-muted wb-clip">{t(line.hint, line.params)}</span>}
      </div>
      {line.progress && <Progress value={line.progress} label={t(line.text, line.params)} />}
      <span className="wb-grow" />
      <SaveState />
      <button
        type="button"
        className="wb-icon-btn wb-icon-small"
        aria-label={t("copies.title")}
        title={t("copies.title")}
        data-testid="copies-open"
        onClick={() => page.state.patch({ dialog: "copies" })}
      >
        <Icon name="clock" size={15} />
      </button>
    </section>
  );
}

function Progress({ value, label }: { value: { done: number; total: number } | "unknown"; label: string }) {
  if (value === "unknown") return <progress className="wb-progress wb-progress-unknown" aria-label={label} />;
  return <progress className="wb-progress" max={value.total} value={value.done} aria-label={label} />;
}

function SaveState() {
  const { page, t } = useWorkbench();
  const session = useObservable(page.session.state);
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const words = () => {
    const params = { count: session.edits };
    if (session.phase === "offline") return t("save.offline", params);
    if (session.phase === "saving") return t("save.saving");
    if (session.phase === "dirty") return t("save.dirty");
    if (session.phase !== "clean" && session.edits > 0) return t("save.held", params);
    if (session.savedAt === null) return "";
    const seconds = Math.max(0, Math.round((now - session.savedAt) / 1000));
    return seconds < 90
      ? t("save.savedSeconds", { count: seconds })
      : t("save.savedMinutes", { count: Math.round(seconds / 60) });
  };
  const bad = session.phase === "offline" || session.phase === "invalid" || session.phase === "conflict";
  return (
    <span
      className={bad ? "wb-save wb-save-bad" : "wb-save"}
      data-testid="save-state"
      data-phase={session.phase}
    >
      {words()}
      {session.phase === "offline" && (
        <button type="button" className="wb-link" onClick={() => page.session.online()}>
          {t("save.retryNow")}
        </button>
      )}
    </span>
  );
}
