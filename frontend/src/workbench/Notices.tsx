import { usePageState, useWorkbench } from "./context";
import { Icon } from "./Icon";

/** Short words about what just happened. Errors stay until they are closed. */
export function Notices() {
  const { page, t } = useWorkbench();
  const { notices } = usePageState();
  return (
    <div className="wb-notices" aria-live="polite">
      {notices.map((notice) => (
        <div
          key={notice.id}
          className={`wb-notice wb-notice-${notice.tone}`}
          role={notice.tone === "error" ? "alert" : undefined}
          data-testid="notice"
        >
          <span>{notice.text}</span>
          <button
            type="button"
            className="wb-icon-btn"
            aria-label={t("action.close")}
            title={t("action.close")}
            onClick={() => page.notices.dismiss(notice.id)}
          >
            <Icon name="close" size={14} />
          </button>
        </div>
      ))}
    </div>
  );
}
