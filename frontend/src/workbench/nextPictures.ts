import type { Task } from "../api/types";
import type { PageState } from "./pageState";
import { canReview, rejectionOf } from "./permissions";

/** How many pictures of the strip are fetched ahead. */
const AHEAD = 2;
/** Others take tasks meanwhile: so often it is looked again while this page is open. */
export const LOOK_AGAIN_MS = 60_000;

/** What the page gives of itself to find out. */
export interface LookAhead {
  page: Pick<PageState, "queue" | "task" | "me" | "role" | "submitOnConfirm">;
  url: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** The pictures that "next" most likely leads to: the server looks, in the order in which it would choose. */
export async function likelyPictures({ page, url, fetch }: LookAhead): Promise<string[]> {
  // Where confirming does not submit, "next" goes along the strip.
  if (page.task.status === "in_progress" && !page.submitOnConfirm) return nextPictures(page);
  try {
    const reply = await fetch(url, { headers: { Accept: "application/json" } });
    const { pictures } = (await reply.json()) as { pictures?: string[] };
    return pictures ?? nextPictures(page);
  } catch {
    return nextPictures(page);
  }
}

/** The same as far as the strip shows it: of this batch alone, in the order of its tasks. */
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

const fetched = new Set<string>();

/** Into the browser's cache, where the next page finds them; nothing waits for it, and a failure is no matter. */
export function fetchAhead(urls: readonly string[]): void {
  const connection = (navigator as { connection?: { saveData?: boolean } }).connection;
  if (connection?.saveData) return;
  for (const url of urls.filter((each) => !fetched.has(each))) {
    fetched.add(url);
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
