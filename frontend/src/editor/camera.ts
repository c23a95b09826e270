import type { XY } from "../api/types";
import { Observable } from "../observable";
import type { PictureSize } from "./coordinates";
import { fitted, keepInSight, oneToOne, panBy, toPicture, toScreen, type Viewport, zoomAt } from "./viewport";

/** Where the person looks: the viewport over the picture, and the stage that it fills. */
export class Camera {
  readonly viewport: Observable<Viewport>;
  readonly stage = new Observable<PictureSize>({ width: 800, height: 600 });
  #placed = false;

  constructor(private readonly picture: PictureSize) {
    this.viewport = new Observable<Viewport>(fitted(this.stage.get(), picture));
  }

  get scale(): number {
    return this.viewport.get().scale;
  }

  /** The stage's size changed. The first time the picture is fitted in; later its middle stays. */
  resize(stage: PictureSize): void {
    const before = this.stage.get();
    this.stage.set(stage);
    if (!this.#placed) this.fit();
    else {
      const view = this.viewport.get();
      this.viewport.set(panBy(view, (stage.width - before.width) / 2, (stage.height - before.height) / 2));
    }
    this.#placed = true;
  }

  /** The last working position, before the stage is measured. */
  restore(view: Viewport, stage: PictureSize): void {
    this.#placed = true;
    this.stage.set(stage);
    this.#look(view);
  }

  fit(): void {
    this.viewport.set(fitted(this.stage.get(), this.picture));
  }

  oneToOne(): void {
    this.#look(oneToOne(this.viewport.get(), this.stage.get()));
  }

  zoom(factor: number, at: XY = [this.stage.get().width / 2, this.stage.get().height / 2]): void {
    this.#look(zoomAt(this.viewport.get(), at, factor));
  }

  pan(dx: number, dy: number): void {
    this.#look(panBy(this.viewport.get(), dx, dy));
  }

  /** Moves the picture only if the place is out of sight. */
  reveal(at: XY): void {
    const [x, y] = this.toScreen(at);
    const { width, height } = this.stage.get();
    if (x < 0 || y < 0 || x > width || y > height) this.pan(width / 2 - x, height / 2 - y);
  }

  toPicture(screen: XY): XY {
    return toPicture(this.viewport.get(), screen);
  }

  toScreen(at: XY): XY {
    return toScreen(this.viewport.get(), at);
  }

  #look(view: Viewport): void {
    this.viewport.set(keepInSight(view, this.stage.get(), this.picture));
  }
}
