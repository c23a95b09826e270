import { useEffect, useRef } from "react";
import type { Geometry } from "../api/types";
import { boundsOf } from "../editor/shapes";

interface Props {
  image: HTMLImageElement | null;
  pictureWidth: number;
  geometry: Geometry;
  colour: string;
  dashed: boolean;
}

const SIZE = 44;
/** How much picture a point's thumbnail shows around it. */
const AROUND_POINT = 48;

/** The crop of one item, filled like `object-fit: cover`. Decorative: its label stands beside it. */
export function CropThumb({ image, pictureWidth, geometry, colour, dashed }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const ratio = window.devicePixelRatio || 1;
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context || !image) return;
    const factor = image.naturalWidth / pictureWidth;
    const [x1, y1, x2, y2] = boundsOf(geometry).map((value) => value * factor) as [
      number,
      number,
      number,
      number,
    ];
    const least = geometry.type === "point" ? AROUND_POINT * factor : 2;
    const side = Math.max(least, Math.min(x2 - x1, y2 - y1));
    const [cx, cy] = [(x1 + x2) / 2, (y1 + y2) / 2];
    context.imageSmoothingQuality = "high";
    context.fillStyle = "#0d1015";
    context.fillRect(0, 0, SIZE * ratio, SIZE * ratio);
    context.drawImage(image, cx - side / 2, cy - side / 2, side, side, 0, 0, SIZE * ratio, SIZE * ratio);
  }, [image, pictureWidth, geometry, ratio]);
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas takes no focus.
    <canvas
      ref={canvas}
      className="wb-thumb"
      width={SIZE * ratio}
      height={SIZE * ratio}
      aria-hidden="true"
      style={{ borderColor: colour, borderStyle: dashed ? "dashed" : "solid" }}
    />
  );
}
