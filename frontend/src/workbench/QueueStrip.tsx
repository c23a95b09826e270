import type { Task } from "../api/types";
import { usePageState, useWorkbench } from "./context";
import { rejectionOf } from "./permissions";
import { SteadyImage } from "./SteadyImage";

/** This batch's tasks around the present one; a mark says what is done and what came back. */
export function QueueStrip() {
  const { t, page, goTo } = useWorkbench();
  const { queue, task, me } = usePageState();
  const go = (id: string) => {
    // Unsaved edits go first; what cannot be saved keeps its recovery copy and stays here.
    page.session.flush().then(
      () => goTo(id),
      (error) => page.failed(error),
    );
  };
  return (
    <nav className="wb-strip" aria-label={t("queue.title")}>
      {queue.map((entry) => {
        const mark = markOf(entry, String(me.id));
        const on = entry.id === task.id;
        return (
          <a
            key={entry.id}
            href={`/tasks/${entry.id}/`}
            className={on ? "wb-strip-on" : undefined}
            aria-current={on ? "page" : undefined}
            title={mark ? `${entry.name}: ${t(mark.key)}` : entry.name}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              if (!on) go(entry.id);
            }}
          >
            <SteadyImage
              src={thumbnailOf(entry.asset.image_url)}
              alt={entry.name}
              loading="lazy"
              width={46}
              height={46}
            />
            {mark && (
              <b className={`wb-strip-mark wb-strip-${mark.tone}`} aria-hidden="true">
                {mark.sign}
              </b>
            )}
          </a>
        );
      })}
    </nav>
  );
}

export function thumbnailOf(url: string, width = 160): string {
  return `${url}${url.includes("?") ? "&" : "?"}w=${width}`;
}

function markOf(task: Task, me: string) {
  if (task.status === "completed") return { sign: "✓", tone: "ok", key: "queue.completed" } as const;
  if (task.status === "review") return { sign: "…", tone: "info", key: "queue.review" } as const;
  if (rejectionOf(task)) return { sign: "↩", tone: "warn", key: "queue.returned" } as const;
  if (task.lock && String(task.lock.user.id) !== me)
    return { sign: "●", tone: "warn", key: "queue.held" } as const;
  if (task.job?.status.startsWith("WAITING")) return { sign: "?", tone: "seal", key: "queue.waits" } as const;
  return null;
}
