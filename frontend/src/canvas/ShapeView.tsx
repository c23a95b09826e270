import { memo } from "react";
import { Circle, Line, Rect } from "react-konva";
import type { Shape } from "../editor/shapes";

export interface ShapeViewProps {
  shape: Shape;
  colour: string;
  selected: boolean;
  hovered: boolean;
  dimmed: boolean;
  /** Without the dark rim: hundreds of them cost more than they show. */
  plain: boolean;
  /** Picture pixels per screen pixel, for the parts that keep their size. */
  unit: number;
}

/** One shape in picture pixels. Dashed: a model's proposal. Solid: made or confirmed by a person. */
export const ShapeView = memo(function ShapeView(look: ShapeViewProps) {
  const { shape } = look;
  const { geometry } = shape;
  const stroke = {
    stroke: look.colour,
    strokeWidth: look.selected ? 2.5 : 2,
    strokeScaleEnabled: false,
    opacity: look.dimmed ? 0.35 : 1,
    dash: shape.by === "model" ? [7, 5] : [],
    dashEnabled: shape.by === "model",
    fill: look.selected
      ? `${look.colour.slice(0, 7)}1f`
      : look.hovered
        ? `${look.colour.slice(0, 7)}14`
        : undefined,
    perfectDrawEnabled: false,
  };
  if (geometry.type === "bbox") {
    const [x1, y1, x2, y2] = geometry.bbox;
    const radius = 2 * look.unit;
    return (
      <>
        {!look.plain && (
          <Rect
            x={x1}
            y={y1}
            width={x2 - x1}
            height={y2 - y1}
            cornerRadius={radius}
            stroke="#000000"
            strokeWidth={stroke.strokeWidth + 2}
            strokeScaleEnabled={false}
            opacity={look.dimmed ? 0.1 : 0.28}
            perfectDrawEnabled={false}
          />
        )}
        <Rect x={x1} y={y1} width={x2 - x1} height={y2 - y1} cornerRadius={radius} {...stroke} />
      </>
    );
  }
  if (geometry.type === "polygon") return <Line points={geometry.points.flat()} closed {...stroke} />;
  return (
    <>
      <Circle
        x={geometry.x + 0.5}
        y={geometry.y + 0.5}
        radius={9 * look.unit}
        stroke="#000000"
        strokeWidth={4.5}
        strokeScaleEnabled={false}
        opacity={look.dimmed ? 0.1 : 0.3}
      />
      <Circle x={geometry.x + 0.5} y={geometry.y + 0.5} radius={9 * look.unit} {...stroke} />
      <Circle x={geometry.x + 0.5} y={geometry.y + 0.5} radius={2.5 * look.unit} fill={look.colour} />
    </>
  );
});
