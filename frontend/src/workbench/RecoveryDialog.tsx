import { useEffect, useState } from "react";
import type { MessageKey } from "../i18n";
import { documentChanges } from "../session/changes";
import { joinedWith } from "../session/copies";
import type { Backup, RecoveryRecord } from "../session/recovery";
import { ChangeList } from "./ChangeList";
import { usePageState, useSituation, useWorkbench } from "./context";
import { Dialog } from "./Dialog";
import { whyReadOnly } from "./permissions";

const REASONS: Record<Backup["reason"], MessageKey> = {
  restore: "copies.restore",
  conflict: "copies.conflict",
  lock_lost: "copies.lockLost",
  refused: "copies.refused",
  discarded: "copies.discarded",
};

/** Unsaved work that other pages of this browser left for this very picture, and what each would bring back. */
export function RecoveryDialog() {
  const { dialog } = usePageState();
  if (dialog === "recovery") return <Unsaved />;
  return dialog === "copies" ? <Copies /> : null;
}

function useClose(): () => void {
  const { page } = useWorkbench();
  return () => page.state.patch({ dialog: null });
}

function Unsaved() {
  const { page, t } = useWorkbench();
  const [copies, setCopies] = useState<RecoveryRecord[]>([]);
  const close = useClose();
  useEffect(() => {
    void page.session.otherCopies().then(setCopies);
  }, [page]);
  if (!copies.length) return null;
  const done = (copy: RecoveryRecord) => {
    const rest = copies.filter((other) => other !== copy);
    setCopies(rest);
    if (!rest.length) close();
  };
  return (
    <Dialog title={t("recovery.title")} onClose={close} wide testId="recovery">
      <p>{t("recovery.text")}</p>
      <ul className="wb-copies">
        {copies.map((copy) => (
          <Copy key={copy.tabId} copy={copy} done={() => done(copy)} />
        ))}
      </ul>
    </Dialog>
  );
}

function Copy({ copy, done }: { copy: RecoveryRecord; done: () => void }) {
  const { page, t, config } = useWorkbench();
  const { document, conflicts } = joinedWith(copy, page.session.working);
  const changes = documentChanges(page.session.working, document);
  const count = changes.length + conflicts.length;
  return (
    <li data-testid="recovery-copy">
      <div className="wb-row">
        <div className="wb-grow">
          <b>{new Date(copy.savedAt).toLocaleString(config.language, { hourCycle: "h23" })}</b>
          <br />
          <small>
            {t("recovery.edits", { count })}
            {conflicts.length > 0 && ` · ${t("recovery.conflicts", { count: conflicts.length })}`}
          </small>
        </div>
        <button
          type="button"
          className="wb-btn wb-btn-quiet wb-btn-small"
          onClick={() => void page.session.discard(copy).then(done)}
        >
          {t("recovery.discard")}
        </button>
        <button
          type="button"
          className="wb-btn wb-btn-primary wb-btn-small"
          onClick={() => void page.session.restore(copy).then(done)}
        >
          {t("recovery.restore")}
        </button>
      </div>
      <ChangeList changes={changes} />
    </li>
  );
}

/** The backups of this picture, each with what bringing it back would change now. */
function Copies() {
  const { page, t } = useWorkbench();
  const [backups, setBackups] = useState<Backup[] | null>(null);
  const close = useClose();
  useEffect(() => {
    void page.session.backups().then(setBackups);
  }, [page]);
  return (
    <Dialog title={t("copies.title")} onClose={close} wide testId="copies">
      <p>{t("copies.text")}</p>
      {backups?.length === 0 && <p className="wb-hint">{t("copies.none")}</p>}
      <ul className="wb-copies">
        {backups?.map((backup) => (
          <Earlier key={`${backup.savedAt} ${backup.reason}`} backup={backup} done={close} />
        ))}
      </ul>
    </Dialog>
  );
}

function Earlier({ backup, done }: { backup: Backup; done: () => void }) {
  const { page, t, config } = useWorkbench();
  const situation = useSituation();
  const why = whyReadOnly({ ...situation, panelOpen: false });
  const now = page.session.working;
  const changes = documentChanges(now, { ...backup.document, config: now.config });
  return (
    <li data-testid="backup">
      <div className="wb-row">
        <div className="wb-grow">
          <b>{new Date(backup.savedAt).toLocaleString(config.language, { hourCycle: "h23" })}</b>
          <br />
          <small>
            {t(REASONS[backup.reason])} · {t("copies.items", { count: backup.document.items.length })}
          </small>
        </div>
        {changes.length > 0 ? (
          <button
            type="button"
            className="wb-btn wb-btn-plain wb-btn-small"
            aria-disabled={why !== null}
            title={why ? t(why) : undefined}
            onClick={() => {
              if (!why) void page.bringBack(backup).then(done);
            }}
          >
            {t("copies.bringBack")}
          </button>
        ) : (
          <small>{t("copies.same")}</small>
        )}
      </div>
      <ChangeList changes={changes} />
    </li>
  );
}
