import type Konva from "konva";
import { useEffect, useMemo, useRef } from "react";
import { Group, Image as KonvaImage, Layer, Line, Rect, Stage } from "react-konva";
import type { Bbox, Label } from "../api/types";
import type { AreaKind } from "../editor/areas";
import type { Editor } from "../editor/editor";
import { boundsOf, type Shape } from "../editor/shapes";
import { useObservable } from "../useObservable";
import { AreaView } from "./AreaView";
import { Handles } from "./Handles";
import { LabelFlag } from "./LabelFlag";
import { type PinMark, PinMarks } from "./PinMarks";
import { PreviewView } from "./PreviewView";
import { colourOf } from "./palette";
import { ShapeView } from "./ShapeView";
import { usePointer } from "./usePointer";

interface Props {
  editor: Editor;
  image: HTMLImageElement | null;
  labels: readonly Label[];
  /** Shapes that lie under the editor's own: candidates, another revision. */
  ghosts: readonly Shape[];
  /** What a local detection found, above everything: dashed, and faint where it is to be left. */
  finds: readonly { shape: Shape; chosen: boolean }[];
  /** The marked rectangles of a local detection. */
  areas: readonly { kind: AreaKind; bbox: Bbox }[];
  /** Ids that this round does not ask about. */
  dimmed: ReadonlySet<string>;
  flagOf: (shape: Shape) => string;
  pins: readonly PinMark[];
  brightness: number;
  contrast: number;
  description: string;
  onPin: ((x: number, y: number) => void) | null;
}

/** Above this many shapes only the selected ones carry a flag, and all go without their rim. */
const MANY = 120;

/** Konva's rendering of the editor. It listens to nothing itself: every pointer goes to the core. */
export function PictureStage(props: Props) {
  const { editor, image, labels, ghosts, finds, dimmed, flagOf, pins, brightness, contrast } = props;
  const wrapper = useRef<HTMLDivElement>(null);
  const pictureLayer = useRef<Konva.Layer>(null);
  const view = useObservable(editor.camera.viewport);
  const stage = useObservable(editor.camera.stage);
  const shapes = useObservable(editor.shapes);
  const selection = useObservable(editor.selection);
  const hovered = useObservable(editor.hovered);
  const hidden = useObservable(editor.hidden);
  const preview = useObservable(editor.preview);
  const tool = useObservable(editor.toolState);
  const crosshair = useObservable(editor.crosshair);
  const activeLabel = useObservable(editor.activeLabel);
  usePointer(wrapper, editor, props.onPin);

  useEffect(() => {
    const element = wrapper.current;
    if (!element) return;
    const measure = () => editor.camera.resize({ width: element.clientWidth, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [editor]);

  useEffect(() => {
    const canvas = pictureLayer.current?.getNativeCanvasElement();
    if (canvas)
      canvas.style.filter =
        brightness === 100 && contrast === 100 ? "" : `brightness(${brightness}%) contrast(${contrast}%)`;
  }, [brightness, contrast]);

  const unit = 1 / view.scale;
  const visible = useMemo(() => shapes.filter((shape) => !hidden.has(shape.id)), [shapes, hidden]);
  const selected = useMemo(() => new Set(selection), [selection]);
  const single = visible.filter((shape) => selected.has(shape.id));
  const { width, height } = editor.picture;
  const transform = { x: view.x, y: view.y, scaleX: view.scale, scaleY: view.scale };
  const drawing = tool.cursor === "crosshair" || props.onPin !== null;
  const many = visible.length + ghosts.length > MANY;
  const flagged = many ? single : [...ghosts, ...visible];
  const left = finds.filter(({ chosen }) => !chosen).map(({ shape }) => shape);
  const cross = drawing && crosshair ? editor.camera.toScreen(crosshair) : null;

  return (
    <div
      ref={wrapper}
      className="wb-canvas"
      data-testid="canvas"
      role="application"
      aria-label={props.description}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes the keyboard.
      tabIndex={0}
      style={{ cursor: props.onPin ? "crosshair" : tool.cursor }}
    >
      <Stage width={stage.width} height={stage.height} listening={false}>
        <Layer ref={pictureLayer} listening={false} imageSmoothingEnabled={view.scale < 3}>
          <Group {...transform}>
            <Rect
              width={width}
              height={height}
              fill="#1b212b"
              shadowColor="#000"
              shadowBlur={40}
              shadowOpacity={0.7}
              shadowOffsetY={8}
            />
            {image && <KonvaImage image={image} width={width} height={height} />}
          </Group>
        </Layer>
        <Layer listening={false}>
          <Group {...transform}>
            {ghosts.map((shape) => (
              <ShapeView
                key={`ghost-${shape.id}`}
                shape={shape}
                colour={colourOf(shape.label, labels)}
                selected={false}
                hovered={false}
                dimmed
                plain={many}
                unit={unit}
              />
            ))}
            {visible.map((shape) => (
              <ShapeView
                key={shape.id}
                shape={shape}
                colour={colourOf(shape.label, labels)}
                selected={selected.has(shape.id)}
                hovered={hovered === shape.id}
                dimmed={dimmed.has(shape.id) || shape.policy === "skip"}
                plain={many}
                unit={unit}
              />
            ))}
            {props.areas.map(({ kind, bbox }) => (
              <AreaView key={kind} kind={kind} bbox={bbox} unit={unit} />
            ))}
            {finds.map(({ shape, chosen }) => (
              <ShapeView
                key={`find-${shape.id}`}
                shape={shape}
                colour={colourOf(shape.label, labels)}
                selected={false}
                hovered={hovered === shape.id}
                dimmed={!chosen}
                plain={false}
                unit={unit}
              />
            ))}
            {preview && <PreviewView preview={preview} colour={colourOf(activeLabel, labels)} unit={unit} />}
          </Group>
          {[...flagged, ...finds.map(({ shape }) => shape)].map((shape) => {
            const [x1, y1] = boundsOf(shape.geometry);
            const [x, y] = editor.camera.toScreen(
              shape.geometry.type === "point" ? [x1 + 0.5, y1 - 8 * unit] : [x1, y1],
            );
            return (
              <LabelFlag
                key={`flag-${shape.id}`}
                text={flagOf(shape)}
                x={x}
                y={y}
                colour={colourOf(shape.label, labels)}
                dimmed={dimmed.has(shape.id) || ghosts.includes(shape) || left.includes(shape)}
                limit={stage.width}
              />
            );
          })}
          {single.length === 1 && single[0] && !editor.readOnly && (
            <Handles editor={editor} shape={single[0]} colour={colourOf(single[0].label, labels)} />
          )}
          <PinMarks pins={pins} editor={editor} />
          {cross && (
            <>
              <Line
                points={[cross[0], 0, cross[0], stage.height]}
                stroke="#ffffff"
                strokeWidth={1}
                opacity={0.35}
              />
              <Line
                points={[0, cross[1], stage.width, cross[1]]}
                stroke="#ffffff"
                strokeWidth={1}
                opacity={0.35}
              />
            </>
          )}
        </Layer>
      </Stage>
    </div>
  );
}
