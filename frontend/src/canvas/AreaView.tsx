import { Group, Rect } from "react-konva";
import type { Bbox } from "../api/types";
import type { AreaKind } from "../editor/areas";

/** Blue is searched, gold is only compared with. Drawn by a person, so solid. */
export const AREA_COLOURS: Record<AreaKind, string> = { region: "#4ea1ff", reference: "#e6b422" };

/** A marked rectangle of a local detection, in picture pixels. */
export function AreaView({ kind, bbox, unit }: { kind: AreaKind; bbox: Bbox; unit: number }) {
  const [x1, y1, x2, y2] = bbox;
  const place = { x: x1, y: y1, width: x2 - x1, height: y2 - y1 };
  const colour = AREA_COLOURS[kind];
  return (
    <Group>
      <Rect
        {...place}
        stroke="#000000"
        strokeWidth={5}
        strokeScaleEnabled={false}
        opacity={0.35}
        perfectDrawEnabled={false}
      />
      <Rect
        {...place}
        fill={`${colour}1a`}
        stroke={colour}
        strokeWidth={3}
        strokeScaleEnabled={false}
        cornerRadius={2 * unit}
        perfectDrawEnabled={false}
      />
    </Group>
  );
}
