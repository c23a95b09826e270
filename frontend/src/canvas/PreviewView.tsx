import { Circle, Line, Rect } from "react-konva";
import type { Preview } from "../editor/toolState";
import { AreaView } from "./AreaView";

/** What the gesture in progress would make; the person's own, so solid. */
export function PreviewView({ preview, colour, unit }: { preview: Preview; colour: string; unit: number }) {
  if (preview.kind === "area") return <AreaView kind={preview.area} bbox={preview.bbox} unit={unit} />;
  if (preview.kind === "point")
    return (
      <Circle
        x={preview.at[0] + 0.5}
        y={preview.at[1] + 0.5}
        radius={9 * unit}
        stroke={colour}
        strokeWidth={2}
        strokeScaleEnabled={false}
      />
    );
  if (preview.kind === "polygon") {
    const [first] = preview.points;
    return (
      <>
        <Line points={preview.points.flat()} stroke={colour} strokeWidth={2} strokeScaleEnabled={false} />
        {first && (
          <Circle
            x={first[0]}
            y={first[1]}
            radius={5 * unit}
            fill="#ffffff"
            stroke={colour}
            strokeWidth={2}
            strokeScaleEnabled={false}
          />
        )}
      </>
    );
  }
  const [x1, y1, x2, y2] = preview.bbox;
  const band = preview.kind === "band";
  return (
    <Rect
      x={x1}
      y={y1}
      width={x2 - x1}
      height={y2 - y1}
      stroke={band ? "#e9ebef" : colour}
      strokeWidth={band ? 1 : 2}
      strokeScaleEnabled={false}
      fill={band ? "#e9ebef1a" : `${colour}22`}
    />
  );
}
