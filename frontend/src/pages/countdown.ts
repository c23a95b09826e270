import { agoText, countdownText } from "./words";

/**
 * `<time datetime data-countdown>` counts down to its time, `data-ago` up from it. The server's clock counts:
 * `<html data-now>` is its time when the page was made.
 */
export function startCountdowns(): void {
  const made = Date.parse(document.documentElement.dataset.now ?? "");
  const skew = Number.isNaN(made) ? 0 : made - Date.now();
  const tick = () => {
    const now = Date.now() + skew;
    for (const element of document.querySelectorAll<HTMLTimeElement>("time[data-countdown]")) {
      const left = Math.ceil((Date.parse(element.dateTime) - now) / 1000);
      setText(element, left > 0 ? countdownText(left) : (element.dataset.over ?? ""));
    }
    for (const element of document.querySelectorAll<HTMLTimeElement>("time[data-ago]")) {
      setText(element, agoText(Math.max(0, (now - Date.parse(element.dateTime)) / 1000)));
    }
  };
  tick();
  setInterval(tick, 1000);
}

function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
