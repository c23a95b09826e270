import { useEffect, useState } from "react";

export type Picture =
  | { state: "loading"; image: null }
  | { state: "ready"; image: HTMLImageElement }
  | { state: "failed"; image: null };

/** Loads the task's picture once for the stage, the magnifier and every thumbnail. `reload` tries again. */
export function usePicture(url: string): Picture & { reload: () => void } {
  const [picture, setPicture] = useState<Picture>({ state: "loading", image: null });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is what loads it again.
  useEffect(() => {
    const image = new Image();
    let current = true;
    image.onload = () => current && setPicture({ state: "ready", image });
    image.onerror = () => current && setPicture({ state: "failed", image: null });
    image.src = url;
    return () => {
      current = false;
    };
  }, [url, attempt]);
  return {
    ...picture,
    reload: () => {
      setPicture({ state: "loading", image: null });
      setAttempt((count) => count + 1);
    },
  };
}
