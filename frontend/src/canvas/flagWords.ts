import { useEffect, useState } from "react";

/** Characters of a label on the picture: a flag as wide as the picture would hide what it names. */
const LONGEST = 32;

export function shortened(name: string): string {
  const characters = [...name];
  return characters.length > LONGEST
    ? `${characters
        .slice(0, LONGEST - 1)
        .join("")
        .trimEnd()}…`
    : name;
}

/** About how wide `text` is at 12 px, in pixels: ideographs are square, Latin letters about half of that. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += (character.codePointAt(0) ?? 0) >= 0x2e80 ? 12 : 7;
  return width;
}

const loaded = new Map<string, Promise<unknown>>();

/** False until the font is there: what was measured before is measured again. */
export function useFont(font: string): boolean {
  const [ready, setReady] = useState(() => document.fonts.check(font));
  useEffect(() => {
    if (ready) return;
    const loading = loaded.get(font) ?? document.fonts.load(font);
    loaded.set(font, loading);
    let live = true;
    const done = () => live && setReady(true);
    loading.then(done, done);
    return () => {
      live = false;
    };
  }, [font, ready]);
  return ready;
}
