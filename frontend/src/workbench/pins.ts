import type { WorkbenchPage } from "./page";

/** A reviewer's pin on that pixel, its text to be written; nothing beside the picture. */
export function dropPin(page: WorkbenchPage, x: number, y: number): void {
  const { width, height } = page.editor.picture;
  if (x < 0 || y < 0 || x > width - 1 || y > height - 1) return;
  const { pins } = page.state.get();
  page.state.patch({ pins: [...pins, { x: Math.round(x), y: Math.round(y), text: "" }] });
}

/** The same at the crosshair, which the arrows move. */
export function dropPinAtCrosshair(page: WorkbenchPage): void {
  const { width, height } = page.editor.picture;
  const [x, y] = page.editor.crosshair.get() ?? [width / 2, height / 2];
  dropPin(page, Math.min(x, width - 1), Math.min(y, height - 1));
}
