import type { Label } from "../api/types";

/** Light enough to carry dark ink, far enough apart on a photograph. */
const PALETTE = ["#ffd166", "#7cc4ff", "#7ee0a3", "#ff9fb2", "#c9a7ff", "#ffb37a", "#7fe3e0", "#d4e157"];
export const NO_LABEL = "#c4ccd8";

/** The label's own colour; a model's class without a label of the project gets one from its name, always the same. */
export function colourOf(label: string | null, labels: readonly Label[]): string {
  if (!label) return NO_LABEL;
  const index = labels.findIndex((known) => known.name === label || known.aliases?.includes(label));
  const own = labels[index]?.color;
  if (own) return own;
  if (index >= 0) return PALETTE[index % PALETTE.length] ?? NO_LABEL;
  let hash = 7;
  for (const character of label) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return PALETTE[hash % PALETTE.length] ?? NO_LABEL;
}

/** Black or white ink, whichever reads better on `colour` (`#rrggbb`). */
export function inkOn(colour: string): string {
  const value = Number.parseInt(colour.slice(1, 7), 16);
  if (!/^#[0-9a-f]{6}/i.test(colour) || Number.isNaN(value)) return "#0d1015";
  const channels = [(value >> 16) & 255, (value >> 8) & 255, value & 255].map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const [red = 0, green = 0, blue = 0] = channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.2 ? "#0d1015" : "#ffffff";
}
