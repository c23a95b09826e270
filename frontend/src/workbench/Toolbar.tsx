import type { ToolName } from "../editor/toolState";
import { useObservable } from "../useObservable";
import { usePageState, useSituation, useWorkbench } from "./context";
import { Icon } from "./Icon";
import { whyNoArea } from "./permissions";

const TOOLS: ToolName[] = ["select", "point", "box", "polygon", "pan", "area"];

export function Toolbar() {
  const { page, t, bindings } = useWorkbench();
  const { editor } = page;
  const tool = useObservable(editor.toolName);
  useObservable(editor.editable);
  // Undo and redo follow the document's history, which changes with its shapes.
  useObservable(editor.shapes);
  const { undo } = useObservable(editor.doc);
  const { adjust } = usePageState();
  const situation = useSituation();
  const whyNoUndo = editor.readOnly ? "tool.readOnly" : undo.canUndo ? null : "why.nothingToUndo";
  const whyNoRedo = editor.readOnly ? "tool.readOnly" : undo.canRedo ? null : "why.nothingToRedo";
  const key = (command: string) => bindings.find((binding) => binding.command === command)?.keys[0] ?? "";
  return (
    <div className="wb-tools" role="toolbar" aria-orientation="vertical" aria-label={t("tools.title")}>
      {TOOLS.map((name) => {
        const why =
          name === "area" ? whyNoArea(situation, editor.toolProblem(name)) : editor.toolProblem(name);
        return (
          <button
            key={name}
            type="button"
            aria-pressed={tool === name}
            aria-disabled={why !== null}
            aria-label={t(`tool.${name}`)}
            data-testid={`tool-${name}`}
            title={why ? `${t(`tool.${name}`)}: ${t(why)}` : `${t(`tool.${name}`)} (${key(`tool.${name}`)})`}
            onClick={() => editor.setTool(name)}
          >
            <Icon name={name} />
          </button>
        );
      })}
      <hr />
      <button
        type="button"
        aria-label={t("command.undo")}
        aria-disabled={whyNoUndo !== null}
        title={whyNoUndo ? t(whyNoUndo) : `${t("command.undo")} (${key("undo")})`}
        onClick={() => editor.undo()}
      >
        <Icon name="undo" />
      </button>
      <button
        type="button"
        aria-label={t("command.redo")}
        aria-disabled={whyNoRedo !== null}
        title={whyNoRedo ? t(whyNoRedo) : `${t("command.redo")} (${key("redo")})`}
        onClick={() => editor.redo()}
      >
        <Icon name="redo" />
      </button>
      <hr />
      <button
        type="button"
        aria-label={t("command.view.fit")}
        title={`${t("command.view.fit")} (${key("view.fit")})`}
        onClick={() => editor.camera.fit()}
      >
        <Icon name="fit" />
      </button>
      <button
        type="button"
        aria-label={t("command.view.adjust")}
        aria-pressed={adjust.open}
        title={`${t("command.view.adjust")} (${key("view.adjust")})`}
        onClick={() => page.state.patch({ adjust: { ...adjust, open: !adjust.open } })}
      >
        <Icon name="adjust" />
      </button>
    </div>
  );
}

export function AdjustPanel() {
  const { page, t } = useWorkbench();
  const { adjust } = usePageState();
  if (!adjust.open) return null;
  const slider = (name: "brightness" | "contrast") => (
    <label>
      <span>{t(`adjust.${name}`)}</span>
      <input
        type="range"
        min={30}
        max={220}
        value={adjust[name]}
        onChange={(event) => page.state.patch({ adjust: { ...adjust, [name]: Number(event.target.value) } })}
      />
      <output>{adjust[name]} %</output>
    </label>
  );
  return (
    <div className="wb-adjust">
      {slider("brightness")}
      {slider("contrast")}
      <button
        type="button"
        className="wb-link"
        onClick={() => page.state.patch({ adjust: { open: true, brightness: 100, contrast: 100 } })}
      >
        {t("adjust.reset")}
      </button>
    </div>
  );
}

export function ZoomReadout() {
  const { page, t } = useWorkbench();
  const { scale } = useObservable(page.editor.camera.viewport);
  const at = useObservable(page.editor.crosshair);
  return (
    <div className="wb-zoom">
      <button
        type="button"
        title={t("command.view.out")}
        aria-label={t("command.view.out")}
        onClick={() => page.editor.camera.zoom(0.8)}
      >
        <Icon name="minus" size={14} />
      </button>
      <button type="button" title={t("command.view.actual")} onClick={() => page.editor.camera.oneToOne()}>
        {Math.round(scale * 100)} %
      </button>
      <button
        type="button"
        title={t("command.view.in")}
        aria-label={t("command.view.in")}
        onClick={() => page.editor.camera.zoom(1.25)}
      >
        <Icon name="plus" size={14} />
      </button>
      {at && (
        <span>
          x {Math.floor(at[0])} y {Math.floor(at[1])}
        </span>
      )}
    </div>
  );
}
