import { Circle, Rect } from "react-konva";
import type { Editor } from "../editor/editor";
import { handlesOf } from "../editor/hitTest";
import type { Shape } from "../editor/shapes";
import { useObservable } from "../useObservable";

/** The handle that the keyboard moves. */
const HELD = "#e2553f";

/** The selected shape's handles: small to look at, 24 px to hit (the core's hit test sees to that). */
export function Handles({ editor, shape, colour }: { editor: Editor; shape: Shape; colour: string }) {
  const held = useObservable(editor.grip.handle);
  return handlesOf(shape).map(({ name, at }) => {
    const [x, y] = editor.camera.toScreen(at);
    const corner = name.length === 2 || name.startsWith("v");
    return corner ? (
      <Circle
        key={name}
        x={x}
        y={y}
        radius={name === held ? 7 : 5}
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
