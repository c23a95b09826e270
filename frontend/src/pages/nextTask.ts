import type { NextReply } from "../api/calls";
import { messageOf } from "../api/problem";
import { api, requestId } from "./api";
import { element } from "./elements";
import { say } from "./words";

interface Held {
  task_id: string;
  holder: { name: string };
  stale_at: string;
}

/** `button[data-next="/projects/…/next"]`: the next task opens; with none, `#data-reasons` says why and until when. */
export function startNextTask(): void {
  document.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>("button[data-next]");
    if (button) void next(button);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "n" || event.ctrlKey || event.metaKey || event.altKey) return;
    if ((event.target as Element).closest("input, textarea, select, dialog, [contenteditable]")) return;
    document.querySelector<HTMLButtonElement>("button[data-next][data-next-key]")?.click();
  });
}

async function next(button: HTMLButtonElement): Promise<void> {
  const place = document.getElementById(button.dataset.reasons ?? "");
  button.disabled = true;
  try {
    const reply = await api<NextReply>("POST", button.dataset.next ?? "", {
      body: { client_id: crypto.randomUUID(), request_id: requestId() },
    });
    if (reply.task) {
      window.location.assign(`/tasks/${reply.task.id}/`);
      return;
    }
    place?.replaceChildren(...reasonLines(reply.reasons ?? {}));
  } catch (error) {
    place?.replaceChildren(element("p", { class: "text-error" }, messageOf(error)));
  }
  if (place) place.hidden = false;
  button.disabled = false;
}

/** "Why none", in sentences, from the queue's own counters. */
function reasonLines(reasons: Record<string, unknown>): HTMLElement[] {
  const lines: HTMLElement[] = [];
  const count = (name: string) => (Array.isArray(reasons[name]) ? 0 : Number(reasons[name] ?? 0));
  for (const name of ["on_hold", "not_assigned", "reserved"]) {
    if (count(name) > 0) lines.push(element("p", {}, say(`none_${name}`, { n: count(name) })));
  }
  for (const held of (reasons.held as Held[] | undefined) ?? []) {
    const line = element("p", {}, say("none_held", { name: held.holder.name }), " ");
    const stale = element("time", {
      datetime: held.stale_at,
      "data-countdown": "",
      "data-over": say("free_now"),
    });
    line.append(stale);
    lines.push(line);
  }
  if (lines.length === 0) lines.push(element("p", {}, say("none_done")));
  return lines;
}
