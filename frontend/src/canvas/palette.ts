import type { Label } from "../api/types";

/** Light enough to carry dark ink, far enough apart on a photograph. */
const PALETTE = ["#ffd166", "#7cc4ff", "#7ee0a3", "#ff9fb2", "#c9a7ff", "#ffb37a", "#7fe3e0", "#d4e157"];
export const NO_LABEL = "#c4ccd8";

/** Labels' colours are chosen for paper; on a dark ground the deep ones are lifted until they can be seen. */
const LEAST_LUMINANCE = 0.32;

/** The label's own colour; a model's class without a label of the project gets one from its name, always the same. */
export function colourOf(label: string | null, labels: readonly Label[]): string {
  if (!label) return NO_LABEL;
  const index = labels.findIndex((known) => known.name === label || known.aliases?.includes(label));
  const own = labels[index]?.color;
  if (own) return lifted(own);
  if (index >= 0) return PALETTE[index % PALETTE.length] ?? NO_LABEL;
  let hash = 7;
  for (const character of label) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return PALETTE[hash % PALETTE.length] ?? NO_LABEL;
}

/** Black or white ink, whichever reads better on `colour` (`#rrggbb`). */
export function inkOn(colour: string): string {
  const channels = channelsOf(colour);
  return !channels || luminance(channels) > 0.2 ? "#0d1015" : "#ffffff";
}

function lifted(colour: string): string {
  let channels = channelsOf(colour);
  if (!channels) return NO_LABEL;
  while (luminance(channels) < LEAST_LUMINANCE)
    channels = channels.map((value) => value + (255 - value) * 0.12);
  return `#${channels.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`;
}

/** Null for what is not `#rrggbb`. */
function channelsOf(colour: string): number[] | null {
  if (!/^#[0-9a-f]{6}$/i.test(colour)) return null;
  const value = Number.parseInt(colour.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** Relative luminance as WCAG defines it. */
function luminance(channels: number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
