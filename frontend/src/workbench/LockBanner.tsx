import { useEffect, useState } from "react";
import type { Instant, Role, UserRef } from "../api/types";
import type { MessageKey, Translate } from "../i18n";
import type { LockState } from "../session/lockKeeper";
import { useObservable } from "../useObservable";
import { Button } from "./Button";
import { usePageState, useWorkbench } from "./context";
import type { LockEnd } from "./lockEnd";
import type { PageState } from "./pageState";
import { mayHold, whileOthersHold } from "./permissions";
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
  const name = lock ? nameOf(lock.user) : "";
  const lost = state.kind === "lost";
  const since = lock ? time(lock.acquired_at) : "";
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  return (
    <div
      className={`wb-banner wb-banner-${state.kind}`}
      data-testid="lock-banner"
      role={lost ? "alert" : "status"}
    >
      <div>
        <b>
          {lost ? lostWords(state, here.lockEnd, t, time).join(" ") : t("lock.heldBy", { name, time: since })}
        </b>
        <p>
          {lost ? t(editsWords(here, session.edits), { count: session.edits }) : t(whileOthersHold(here))}
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

type Time = (at: Instant) => string;

/** Who or what ended it, when and why; then whose the task is now. */
export function lostWords(
  { lock, last }: Extract<LockState, { kind: "lost" }>,
  end: LockEnd | null,
  t: Translate,
  time: Time,
): string[] {
  const now = lock ? t("lock.lostTo", { name: nameOf(lock.user), time: time(lock.acquired_at) }) : null;
  const ended = end && end.kind !== "taken" ? endWords(end, t, time) : null;
  if (ended) return [ended, now ?? t("lock.freeNow")];
  if (now) return [now];
  const by = end?.by ?? last?.user;
  const at = end?.at ?? last?.acquired_at;
  if (!by || !at) return [t("lock.lostFree")];
  return [t("lock.takenBy", { name: nameOf(by), time: time(at) }), t("lock.freeNow")];
}

function endWords({ kind, by, at, reason }: LockEnd, t: Translate, time: Time): string {
  if (!at) return t("lock.ranOut");
  if (kind === "expired") return t("lock.ranOutAt", { time: time(at) });
  if (kind === "left") return t("lock.leftElsewhere", { time: time(at) });
  return t("lock.endedBy", { name: by ? nameOf(by) : "", time: time(at), reason: reasonWords(reason, t) });
}

/** Reasons that the system writes (`tasks/domain/system_reasons.py`), in the reader's words. */
const SYSTEM_REASONS: Record<string, MessageKey> = {
  "batch on hold": "lock.whyOnHold",
  "no longer a member": "lock.whyNoMember",
  "role changed": "lock.whyOtherRole",
  "task archived": "lock.whyArchived",
  "the batch was given to others": "lock.whyGivenAway",
  "the review was decided": "lock.whyDecided",
};
const ROLES: Record<Role, MessageKey> = {
  super_admin: "role.superAdmin",
  project_admin: "role.projectAdmin",
  reviewer: "role.reviewer",
  annotator: "role.annotator",
  viewer: "role.viewer",
};

export function reasonWords(reason: string, t: Translate): string {
  const [head = "", ...rest] = reason.split(": ");
  const known = SYSTEM_REASONS[head];
  if (!known) return reason;
  const typed = rest.join(": ");
  const role = known === "lock.whyOtherRole" ? ROLES[typed as Role] : undefined;
  const more = role ? t(role) : typed;
  return more ? t("lock.why", { what: t(known), more }) : t(known);
}

/** What happened to the edits. */
function editsWords(page: PageState, edits: number): MessageKey {
  if (edits === 0) return "lock.noEdits";
  return mayHold(page) ? "lock.editsKept" : "lock.editsKeptOnly";
}

function nameOf(user: UserRef): string {
  return user.name || user.username;
}
