import { useEffect, useState } from "react";
import { useObservable } from "../useObservable";
import { Button } from "./Button";
import { usePageState, useWorkbench } from "./context";
import { canReview, mayHold } from "./permissions";
import { takeOver } from "./taskActions";

/** Who works here, since when, and from when on it can be taken over; or what became of the edits after a loss. */
export function LockBanner() {
  const { page, t, config } = useWorkbench();
  const state = useObservable(page.lock.state);
  const session = useObservable(page.session.state);
  const here = usePageState();
  const [now, setNow] = useState(() => Date.now());
  const visible = (state.kind === "other" || state.kind === "lost") && here.task.status !== "completed";
  useEffect(() => {
    if (!visible) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [visible]);
  if (!visible) return null;
  const { lock } = state;
  const time = (text: string) =>
    new Date(text).toLocaleTimeString(config.language, {
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
  const left = lock ? Math.max(0, Math.ceil((Date.parse(lock.stale_at) - now) / 1000)) : 0;
  const name = lock ? lock.user.name || lock.user.username : "";
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  return (
    <div
      className={`wb-banner wb-banner-${state.kind}`}
      data-testid="lock-banner"
      role={state.kind === "lost" ? "alert" : "status"}
    >
      <div>
        <b>
          {state.kind === "lost"
            ? lock
              ? t("lock.lostTo", { name, time: time(lock.acquired_at) })
              : t("lock.lostFree")
            : t("lock.heldBy", { name, time: time(lock?.acquired_at ?? "") })}
        </b>
        <p>
          {state.kind === "lost"
            ? t(session.edits > 0 ? "lock.editsKept" : "lock.noEdits", { count: session.edits })
            : t(here.task.status === "review" && !canReview(here) ? "lock.inReview" : "lock.readOnly")}
        </p>
      </div>
      {mayHold(here) && (
        <div className="wb-banner-act">
          {lock && left > 0 && <small aria-hidden="true">{t("lock.countdown", { time: clock })}</small>}
          <Button
            label={lock ? "lock.takeOver" : "lock.takeAgain"}
            kind="primary"
            action="takeOver"
            why={lock && left > 0 ? "why.notStale" : null}
            testId="take-over"
            onPress={() => void takeOver(page)}
          />
        </div>
      )}
    </div>
  );
}
