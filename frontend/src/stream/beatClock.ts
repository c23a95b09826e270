/** Calls `tick` about once a second, from a worker where there is one; the result stops it. */
export function startBeatClock(tick: () => void): () => void {
  try {
    const worker = new Worker(new URL("./beat.worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = tick;
    let fallback: ReturnType<typeof setInterval> | null = null;
    worker.onerror = () => {
      // Workers can be forbidden by a policy: a throttled timer is better than none.
      fallback ??= setInterval(tick, 1000);
    };
    return () => {
      worker.terminate();
      if (fallback) clearInterval(fallback);
    };
  } catch {
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }
}
