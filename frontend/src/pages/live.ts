import htmx from "htmx.org";
import { backOff } from "../clock";

/** A busy project changes all the time; a page reads it at most this often. */
const APART_MS = 3000;
const SOON_MS = 300;

/**
 * `<body data-live-project="id">`: the project's stream says that something changed, and every `[data-live]` region
 * is read again from the page's own address. What the stream says is a hint only; the server renders the truth.
 */
export function startLive(): void {
  const project = document.body.dataset.liveProject;
  if (!project || !document.querySelector("[data-live]")) return;
  let attempts = 0;
  let waiting: number | undefined;
  let isFirst = true;
  let last = 0;

  const changed = () => {
    if (waiting !== undefined) return;
    const pause = Math.max(SOON_MS, last + APART_MS - Date.now());
    waiting = window.setTimeout(() => {
      waiting = undefined;
      last = Date.now();
      if (document.visibilityState === "visible") void refresh();
    }, pause);
  };

  const connect = () => {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/ws/projects/${project}/`);
    socket.addEventListener("message", () => {
      attempts = 0;
      showConnected(true);
      document.dispatchEvent(new CustomEvent("countersign:news"));
      // The page was rendered a moment ago: the first summary brings nothing new.
      if (isFirst) isFirst = false;
      else changed();
    });
    socket.addEventListener("close", (event) => {
      showConnected(false);
      if (event.code === 4401) window.location.reload();
      if (event.code >= 4400 && event.code < 4500) return;
      attempts += 1;
      window.setTimeout(connect, backOff(attempts, Math.random));
    });
  };
  connect();
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") changed();
  });
  document.addEventListener("countersign:changed", changed);
}

async function refresh(): Promise<void> {
  // A person who is writing in a region keeps it; the next change brings the news.
  const regions = [...document.querySelectorAll<HTMLElement>("[data-live][id]")].filter(
    (region) => !region.contains(document.activeElement) || document.activeElement?.tagName === "BUTTON",
  );
  const response = await window.fetch(location.href, {
    headers: { "X-Live": "1" },
    credentials: "same-origin",
  });
  if (!response.ok || response.redirected) return;
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const region of regions) {
    const replacement = fresh.getElementById(region.id);
    if (!replacement || replacement.innerHTML === region.innerHTML) continue;
    await htmx.swap({ text: replacement.outerHTML, target: region, swap: "outerMorph" });
  }
}

function showConnected(isConnected: boolean): void {
  for (const element of document.querySelectorAll<HTMLElement>("[data-live-state]")) {
    element.hidden = isConnected;
  }
}
