import { Circle, Rect } from "react-konva";
import type { Editor } from "../editor/editor";
import { handlesOf } from "../editor/hitTest";
import type { Shape } from "../editor/shapes";

/** The selected shape's handles: small to look at, 24 px to hit (the core's hit test sees to that). */
export function Handles({ editor, shape, colour }: { editor: Editor; shape: Shape; colour: string }) {
  return handlesOf(shape).map(({ name, at }) => {
    const [x, y] = editor.camera.toScreen(at);
    const corner = name.length === 2 || name.startsWith("v");
    return corner ? (
      <Circle
        key={name}
        x={x}
        y={y}
        radius={5}
        fill="#ffffff"
        stroke={colour}
        strokeWidth={1.5}
        shadowBlur={4}
        shadowColor="#000"
        shadowOpacity={0.5}
      />
    ) : (
      <Rect
        key={name}
        x={x - 3}
        y={y - 3}
        width={6}
        height={6}
        cornerRadius={1.5}
        fill="#ffffff"
        stroke={colour}
        strokeWidth={1}
        opacity={0.9}
      />
    );
  });
}
