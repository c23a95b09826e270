import { type ImgHTMLAttributes, useEffect, useState } from "react";

const FIRST_MS = 2_000;
const LONGEST_MS = 30_000;

/** A picture that comes when the network does: one that failed shows no torn icon and is asked for again. */
export function SteadyImage({ alt, className, ...rest }: ImgHTMLAttributes<HTMLImageElement>) {
  const [attempt, setAttempt] = useState(0);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (!failed) return;
    const again = () => {
      setFailed(false);
      setAttempt((number) => number + 1);
    };
    const timer = setTimeout(again, Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt));
    window.addEventListener("online", again);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("online", again);
    };
  }, [failed, attempt]);
  return (
    <img
      key={attempt}
      {...rest}
      alt={alt}
      className={failed ? `${className ?? ""} wb-unloaded` : className}
      onError={() => setFailed(true)}
      // Another `src` may load where the one before it had failed.
      onLoad={() => setFailed(false)}
    />
  );
}
