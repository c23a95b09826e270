import { memo } from "react";
import { Label, Tag, Text } from "react-konva";
import { useFont, widthOf } from "./flagWords";
import { inkOn } from "./palette";

interface Props {
  text: string;
  x: number;
  y: number;
  colour: string;
  dimmed: boolean;
  /** Stage width, so that a flag at the right edge stays readable. */
  limit: number;
}

const FONT = '"Inter Variable", system-ui, "PingFang SC", "Noto Sans CJK SC", sans-serif';
export const FLAG_HEIGHT = 20;

/** The flag above a shape, always of the same size on the screen. */
export const LabelFlag = memo(function LabelFlag({ text, x, y, colour, dimmed, limit }: Props) {
  const width = widthOf(text) + 14;
  const measured = useFont('600 12px "Inter Variable"');
  return (
    <Label
      x={Math.max(2, Math.min(x - 1, limit - width))}
      y={Math.max(2, y - FLAG_HEIGHT - 1)}
      opacity={dimmed ? 0.4 : 1}
    >
      <Tag key={`tag-${measured}`} fill={colour} cornerRadius={[3, 3, 3, 0]} />
      <Text
        key={`text-${measured}`}
        text={text}
        fontFamily={FONT}
        fontStyle="600"
        fontSize={12}
        padding={4}
        fill={inkOn(colour)}
      />
    </Label>
  );
});
