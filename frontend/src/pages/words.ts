/** The page scripts' own sentences; the server sends them in the page's language as JSON. */
type Words = Record<string, string>;

let known: Words | undefined;

function catalogue(): Words {
  if (!known) {
    const element = document.getElementById("page-words");
    known = element?.textContent ? (JSON.parse(element.textContent) as Words) : {};
  }
  return known;
}

/** The sentence `key` with `{name}` filled in; the key itself where the page has no such sentence. */
export function say(key: string, values: Record<string, string | number> = {}): string {
  const text = catalogue()[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

export function countdownText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes > 0
    ? say("minutes_seconds", { m: minutes, s: seconds % 60 })
    : say("seconds", { s: seconds });
}

export function agoText(seconds: number): string {
  if (seconds < 60) return say("seconds_ago", { n: Math.floor(seconds) });
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return say("minutes_ago", { n: minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return say("hours_ago", { n: hours });
  return say("days_ago", { n: Math.floor(hours / 24) });
}
