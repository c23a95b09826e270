import type { Clock } from "../clock";
import type { Observable } from "../observable";
import type { Notice, PageState } from "./pageState";

const SHOWN_MS = 6000;

/** Short words about what just happened: three at a time; errors stay until they are closed. */
export class NoticeBoard {
  #count = 0;

  constructor(
    private readonly state: Observable<PageState>,
    private readonly clock: Clock,
  ) {}

  show(tone: Notice["tone"], text: string): void {
    this.#count += 1;
    const id = this.#count;
    // Said again, it takes the place of the first time.
    const others = this.state.get().notices.filter((notice) => notice.text !== text);
    this.state.patch({ notices: [...others.slice(-2), { id, tone, text }] });
    if (tone !== "error") this.clock.after(SHOWN_MS, () => this.dismiss(id));
  }

  dismiss(id: number): void {
    this.state.patch({ notices: this.state.get().notices.filter((notice) => notice.id !== id) });
  }
}
