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
    const element = canvas.current;
    if (!element || !image) return;
    element.width = SIZE * ratio;
    element.height = SIZE * ratio;
    const draw = () => drawCrop(element, image, geometry, image.naturalWidth / pictureWidth);
    if (typeof IntersectionObserver === "undefined") {
      draw();
      return;
    }
    // A draft holds up to 2,000 items: only what comes into sight is drawn.
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      draw();
      observer.disconnect();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [image, pictureWidth, geometry, ratio]);
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas takes no focus.
    <canvas
      ref={canvas}
      className="wb-thumb"
      aria-hidden="true"
      style={{ borderColor: colour, borderStyle: dashed ? "dashed" : "solid" }}
    />
  );
}

function drawCrop(
  element: HTMLCanvasElement,
  image: HTMLImageElement,
  geometry: Geometry,
  factor: number,
): void {
  const context = element.getContext("2d");
  if (!context) return;
  const bounds = boundsOf(geometry).map((value) => value * factor) as [number, number, number, number];
  const [x1, y1, x2, y2] = bounds;
  const least = geometry.type === "point" ? AROUND_POINT * factor : 2;
  const side = Math.max(least, Math.min(x2 - x1, y2 - y1));
  const [left, top] = [(x1 + x2 - side) / 2, (y1 + y2 - side) / 2];
  context.imageSmoothingQuality = "high";
  context.fillStyle = "#0d1015";
  context.fillRect(0, 0, element.width, element.height);
  context.drawImage(image, left, top, side, side, 0, 0, element.width, element.height);
}
