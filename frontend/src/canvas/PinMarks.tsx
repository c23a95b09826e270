import { Circle, Group, Text } from "react-konva";
import type { Editor } from "../editor/editor";

export interface PinMark {
  key: string;
  number: number;
  x: number;
  y: number;
  answered: boolean;
}

/** A reviewer's pins: vermilion while open, grey once answered. */
export function PinMarks({ pins, editor }: { pins: readonly PinMark[]; editor: Editor }) {
  return pins.map((pin) => {
    const [x, y] = editor.camera.toScreen([pin.x, pin.y]);
    return (
      <Group key={pin.key} x={x} y={y} opacity={pin.answered ? 0.6 : 1}>
        <Circle
          radius={11}
          fill={pin.answered ? "#566070" : "#e2553f"}
          stroke="#ffffff"
          strokeWidth={2}
          shadowBlur={6}
          shadowColor="#000"
          shadowOpacity={0.5}
        />
        <Text
          text={String(pin.number)}
          x={-11}
          y={-6}
          width={22}
          align="center"
          fontSize={12}
          fontStyle="700"
          fill="#ffffff"
        />
      </Group>
    );
  });
}
