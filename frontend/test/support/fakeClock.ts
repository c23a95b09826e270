import type { Clock } from "../../src/clock";

/** Time that stands still until a test moves it. */
export class FakeClock implements Clock {
  #now = Date.parse("2026-01-01T09:00:00Z");
  #timers: { at: number; action: () => void }[] = [];

  now = () => this.#now;

  after = (ms: number, action: () => void) => {
    const timer = { at: this.#now + ms, action };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  };

  get waiting(): number {
    return this.#timers.length;
  }

  /** Lets `ms` pass, timer by timer in their order, with everything that each sets off. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    for (;;) {
      const next = [...this.#timers].sort((a, b) => a.at - b.at)[0];
      if (!next || next.at > end) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#now = next.at;
      next.action();
      await settle();
    }
    this.#now = end;
  }
}

/** Lets everything that needs no time finish. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) await Promise.resolve();
}
