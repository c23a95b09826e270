/** Time, passed in so that tests can make an hour pass at once. */
export interface Clock {
  now(): number;
  /** Calls `action` after `ms`; the result cancels it. */
  after(ms: number, action: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, action) => {
    const id = setTimeout(action, ms);
    return () => clearTimeout(id);
  },
};

/** Doubles from `first` to `limit`, with up to a quarter taken off at random so that pages do not beat together. */
export function backOff(attempt: number, random: () => number, first = 1000, limit = 30_000): number {
  const full = Math.min(limit, first * 2 ** Math.max(0, attempt - 1));
  return Math.round(full * (1 - 0.25 * random()));
}
