import type { XY } from "../api/types";
import { clamp, type PictureSize } from "./coordinates";

/** screen = picture · scale + offset, in CSS pixels of the stage. */
export interface Viewport {
  scale: number;
  x: number;
  y: number;
}

export const MIN_SCALE = 0.02;
export const MAX_SCALE = 40;

export function toScreen(view: Viewport, [x, y]: XY): XY {
  return [x * view.scale + view.x, y * view.scale + view.y];
}

export function toPicture(view: Viewport, [x, y]: XY): XY {
  return [(x - view.x) / view.scale, (y - view.y) / view.scale];
}

/** Zooms so that the picture's pixel under `at` (screen) stays under it. */
export function zoomAt(view: Viewport, at: XY, factor: number): Viewport {
  const scale = clamp(view.scale * factor, MIN_SCALE, MAX_SCALE);
  const [px, py] = toPicture(view, at);
  return { scale, x: at[0] - px * scale, y: at[1] - py * scale };
}

/** What lies over the stage's edges: the tools on the left, labels above the boxes, the zoom below. */
const INSET = { left: 72, top: 34, right: 24, bottom: 34 };

/** The whole picture, in the middle of what the tools leave free. */
export function fitted(stage: PictureSize, picture: PictureSize): Viewport {
  const width = Math.max(1, stage.width - INSET.left - INSET.right);
  const height = Math.max(1, stage.height - INSET.top - INSET.bottom);
  const scale = clamp(Math.min(width / picture.width, height / picture.height), MIN_SCALE, MAX_SCALE);
  return {
    scale,
    x: INSET.left + (width - picture.width * scale) / 2,
    y: INSET.top + (height - picture.height * scale) / 2,
  };
}

/** One picture pixel is one CSS pixel. */
export function oneToOne(view: Viewport, stage: PictureSize): Viewport {
  return zoomAt(view, [stage.width / 2, stage.height / 2], 1 / view.scale);
}

export function panBy(view: Viewport, dx: number, dy: number): Viewport {
  return { ...view, x: view.x + dx, y: view.y + dy };
}

/** Keeps a strip of the picture on the stage, so that it cannot be lost. */
export function keepInSight(view: Viewport, stage: PictureSize, picture: PictureSize, strip = 48): Viewport {
  const width = picture.width * view.scale;
  const height = picture.height * view.scale;
  return {
    scale: view.scale,
    x: clamp(view.x, strip - width, stage.width - strip),
    y: clamp(view.y, strip - height, stage.height - strip),
  };
}
