import { type ReactNode, useEffect, useId, useRef } from "react";
import { useWorkbench } from "./context";
import { Icon } from "./Icon";

interface Props {
  title: string;
  /** Absent: it can only be answered, not closed. */
  onClose?: () => void;
  wide?: boolean;
  testId?: string;
  children: ReactNode;
}

/** A modal dialog of the platform: focus stays inside, Escape closes, focus returns. */
export function Dialog({ title, onClose, wide, testId, children }: Props) {
  const { t } = useWorkbench();
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const dialog = element.current;
    if (dialog && !dialog.open) dialog.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      className={wide ? "wb-dialog wb-dialog-wide" : "wb-dialog"}
      aria-labelledby={heading}
      data-testid={testId}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <header className="wb-row">
        <h2 id={heading}>{title}</h2>
        <span className="wb-grow" />
        {onClose && (
          <button
            type="button"
            className="wb-icon-btn"
            aria-label={t("action.close")}
            title={t("action.close")}
            onClick={onClose}
          >
            <Icon name="close" size={16} />
          </button>
        )}
      </header>
      {children}
    </dialog>
  );
}
