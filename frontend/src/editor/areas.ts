import type { Bbox } from "../api/types";
import { Observable } from "../observable";

export type AreaKind = "region" | "reference";

export interface AreasState {
  /** Where a model is to look again. */
  region: Bbox | null;
  /** What it may compare with; nothing of it is returned. */
  reference: Bbox | null;
  /** Which of the two the area tool draws now. */
  drawing: AreaKind;
}

const NONE: AreasState = { region: null, reference: null, drawing: "region" };

/** The rectangles of a local detection. They are no shapes: nothing of them is saved or undone. */
export class Areas {
  readonly state = new Observable<AreasState>(NONE);

  /** The smallest region that a model takes, in picture pixels. */
  static readonly SMALLEST = 8;

  draw(area: Bbox): void {
    this.state.patch({ [this.state.get().drawing]: area });
  }

  choose(drawing: AreaKind): void {
    this.state.patch({ drawing });
  }

  set(part: Partial<AreasState>): void {
    this.state.patch(part);
  }

  clear(): void {
    this.state.set(NONE);
  }
}
