import { Circle, Rect } from "react-konva";
import type { Editor } from "../editor/editor";
import { handlesOf } from "../editor/hitTest";
import { boundsOf, type Shape } from "../editor/shapes";
import { useObservable } from "../useObservable";

/** The handle that the keyboard moves. */
const HELD = "#e2553f";

/** Below this side on the screen the corners are drawn smaller and the edges not at all: the box must be seen. */
const LEAST_SIDE = 40;

/** The selected shape's handles: small to look at, 24 px to hit (the core's hit test sees to that). */
export function Handles({ editor, shape, colour }: { editor: Editor; shape: Shape; colour: string }) {
  const held = useObservable(editor.grip.handle);
  const [x1, y1, x2, y2] = boundsOf(shape.geometry);
  const isSmall = Math.min(x2 - x1, y2 - y1) * editor.camera.scale < LEAST_SIDE;
  return handlesOf(shape).map(({ name, at }) => {
    const [x, y] = editor.camera.toScreen(at);
    const corner = name.length === 2 || name.startsWith("v");
    if (isSmall && !corner && name !== held) return null;
    return corner ? (
      <Circle
        key={name}
        x={x}
        y={y}
        radius={name === held ? 7 : isSmall ? 3 : 5}
        fill={name === held ? HELD : "#ffffff"}
        stroke={colour}
        strokeWidth={1.5}
        shadowBlur={4}
        shadowColor="#000"
        shadowOpacity={0.5}
      />
    ) : (
      <Rect
        key={name}
        x={x - (name === held ? 6 : 3)}
        y={y - (name === held ? 6 : 3)}
        width={name === held ? 12 : 6}
        height={name === held ? 12 : 6}
        cornerRadius={1.5}
        fill={name === held ? HELD : "#ffffff"}
        stroke={colour}
        strokeWidth={1}
        opacity={0.9}
      />
    );
  });
}
