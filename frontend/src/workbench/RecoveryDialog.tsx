import { useEffect, useState } from "react";
import { countEdits } from "../session/document";
import type { RecoveryRecord } from "../session/recovery";
import { usePageState, useWorkbench } from "./context";
import { Dialog } from "./Dialog";

/** Unsaved work that other pages of this browser left for this very picture. */
export function RecoveryDialog() {
  const { page, t, config } = useWorkbench();
  const { dialog } = usePageState();
  const [copies, setCopies] = useState<RecoveryRecord[]>([]);
  useEffect(() => {
    if (dialog === "recovery") void page.session.otherCopies().then(setCopies);
  }, [dialog, page]);
  if (dialog !== "recovery" || !copies.length) return null;
  const close = () => page.state.patch({ dialog: null });
  const done = (copy: RecoveryRecord) => {
    const rest = copies.filter((other) => other !== copy);
    setCopies(rest);
    if (!rest.length) close();
  };
  return (
    <Dialog title={t("recovery.title")} onClose={close} testId="recovery">
      <p>{t("recovery.text")}</p>
      <ul className="wb-copies">
        {copies.map((copy) => (
          <li key={copy.tabId} className="wb-row">
            <div className="wb-grow">
              <b>{new Date(copy.savedAt).toLocaleString(config.language)}</b>
              <br />
              <small>{t("recovery.edits", { count: countEdits(copy.base.document, copy.working) })}</small>
            </div>
            <button
              type="button"
              className="wb-btn wb-btn-quiet wb-btn-small"
              onClick={() => void page.session.discard(copy).then(() => done(copy))}
            >
              {t("recovery.discard")}
            </button>
            <button
              type="button"
              className="wb-btn wb-btn-primary wb-btn-small"
              onClick={() => void page.session.restore(copy).then(() => done(copy))}
            >
              {t("recovery.restore")}
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
