import { useEffect, useRef } from "react";
import type { Editor } from "../editor/editor";
import { toScreen } from "../editor/viewport";
import { useObservable } from "../useObservable";

const SIZE = 132;
const TIMES = 4;
/** How near the pointer may come, in stage pixels, before it moves to the other side. */
const NEAR = 60;

/** The pixels under the pointer, four times as large as on the stage (at least four times the picture's own). */
export function Magnifier({
  editor,
  image,
  label,
}: {
  editor: Editor;
  image: HTMLImageElement | null;
  label: string;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const at = useObservable(editor.crosshair);
  const view = useObservable(editor.camera.viewport);
  const stage = useObservable(editor.camera.stage);
  const { scale } = view;
  const [x, y] = at ? toScreen(view, at) : [0, 0];
  // It must not lie over the very place that is looked at.
  const aside = x > stage.width - SIZE - NEAR && y < SIZE + NEAR;
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context || !image || !at) return;
    const ratio = window.devicePixelRatio || 1;
    const zoom = Math.max(TIMES, TIMES * Math.min(scale, 4));
    const span = SIZE / zoom;
    // The picture as it came may be larger or smaller than the pixels that coordinates count.
    const factor = image.naturalWidth / editor.picture.width;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.imageSmoothingEnabled = false;
    context.fillStyle = "#0d1015";
    context.fillRect(0, 0, SIZE, SIZE);
    const [x, y] = [(at[0] - span / 2) * factor, (at[1] - span / 2) * factor];
    context.drawImage(image, x, y, span * factor, span * factor, 0, 0, SIZE, SIZE);
    context.strokeStyle = "#ffffff88";
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(SIZE / 2 + 0.5, 0);
    context.lineTo(SIZE / 2 + 0.5, SIZE);
    context.moveTo(0, SIZE / 2 + 0.5);
    context.lineTo(SIZE, SIZE / 2 + 0.5);
    context.stroke();
  }, [at, image, scale, editor]);
  const ratio = typeof window === "undefined" ? 1 : window.devicePixelRatio || 1;
  return (
    <canvas
      ref={canvas}
      className={`wb-magnifier${at && image ? "" : " wb-magnifier-off"}${aside ? " wb-magnifier-aside" : ""}`}
      width={SIZE * ratio}
      height={SIZE * ratio}
      aria-label={label}
      role="img"
    />
  );
}
