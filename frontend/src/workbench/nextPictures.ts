import type { Task } from "../api/types";
import type { PageState } from "./pageState";
import { canReview, rejectionOf } from "./permissions";

/** How many pictures are fetched ahead. */
const AHEAD = 2;

/** The pictures that "next" most likely leads to, the likeliest first, as the server chooses (page 03). */
export function nextPictures(page: Pick<PageState, "queue" | "task" | "me" | "role">): string[] {
  const { queue, task, me } = page;
  const at = queue.findIndex((entry) => entry.id === task.id);
  const others = [...queue.slice(at + 1), ...queue.slice(0, Math.max(0, at))].filter(
    (entry) => entry.asset && !isHeldByOther(entry, me.id),
  );
  const reviews = task.status === "review" && canReview(page as PageState);
  const wanted = reviews
    ? others.filter((entry) => entry.status === "review")
    : [
        ...others.filter((entry) => isMine(entry, me.id) && rejectionOf(entry)),
        ...others.filter((entry) => isMine(entry, me.id) && entry.status === "in_progress"),
        ...others.filter((entry) => entry.status === "pending"),
      ];
  return [...new Set(wanted.map((entry) => entry.asset.image_url))].slice(0, AHEAD);
}

/** Into the browser's cache, where the next page finds them; nothing waits for it, and a failure is no matter. */
export function fetchAhead(urls: readonly string[]): void {
  const connection = (navigator as { connection?: { saveData?: boolean } }).connection;
  if (connection?.saveData) return;
  for (const url of urls) {
    const image = new Image();
    image.fetchPriority = "low";
    image.src = url;
  }
}

function isMine(task: Task, me: unknown): boolean {
  return String(task.assignee?.id ?? "") === String(me);
}

function isHeldByOther(task: Task, me: unknown): boolean {
  return task.lock !== null && String(task.lock.user.id) !== String(me);
}
