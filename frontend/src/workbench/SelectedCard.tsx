import { useEffect, useId, useRef, useState } from "react";
import type { TargetPolicy } from "../api/types";
import { colourOf } from "../canvas/palette";
import { boundsOf, type Shape } from "../editor/shapes";
import { useObservable } from "../useObservable";
import { keyOfLabel } from "./commands";
import { useLabels, usePageState, usePanel, useWorkbench } from "./context";
import { Icon, type IconName } from "./Icon";
import { isUnknownLabel } from "./listEntries";

const UNKNOWN_LABEL = "wb-unknown-label";
const POLICIES: TargetPolicy[] = ["segment", "skip", "validate"];

/** The selected item: its label, what becomes of it, where it lies. */
export function SelectedCard() {
  const { page, t } = useWorkbench();
  const { editor } = page;
  const selection = useObservable(editor.selection);
  const shapes = useObservable(editor.shapes);
  const hidden = useObservable(editor.hidden);
  const locked = useObservable(editor.locked);
  const { readOnly } = useObservable(editor.editable);
  const panel = usePanel();
  const doc = useObservable(editor.doc);
  const { selection_mode: mode, labels } = usePageState().editor.config;
  const ordered = doc.name === "draft" && mode === "ordered";
  const selected = shapes.filter((shape) => selection.includes(shape.id));
  const [first] = selected;
  if (!first) return null;
  const unknown =
    doc.name === "draft" ? selected.find(({ label }) => isUnknownLabel(label, labels)) : undefined;
  const isHidden = selected.every((shape) => hidden.has(shape.id));
  const isLocked = selected.every((shape) => locked.has(shape.id));
  const fixed = readOnly || isLocked;
  const tool = (name: IconName, label: string, onPress: () => void, dead = false) => (
    <button
      type="button"
      className="wb-icon-btn"
      aria-label={label}
      aria-disabled={dead}
      title={dead ? t(readOnly ? "tool.readOnly" : "why.locked") : label}
      onClick={() => {
        if (!dead) onPress();
      }}
    >
      <Icon name={name} size={16} />
    </button>
  );
  const each = (action: (id: string) => void) => () => {
    for (const shape of selected) action(shape.id);
  };
  return (
    <section className="wb-selected" aria-label={t("selected.title")}>
      <div className="wb-row">
        <LabelInput key={first.id} shape={first} disabled={fixed} hinted={unknown !== undefined} />
        {tool(
          isHidden ? "eyeOff" : "eye",
          t(isHidden ? "action.show" : "action.hide"),
          each((id) => editor.toggleHidden(id)),
        )}
        {tool(
          isLocked ? "lock" : "unlock",
          t(isLocked ? "action.unlock" : "action.lock"),
          each((id) => editor.toggleLocked(id)),
        )}
        {ordered && (
          <>
            {tool("up", t("command.item.earlier"), () => editor.moveInOrder(-1), fixed)}
            {tool("down", t("command.item.later"), () => editor.moveInOrder(1), fixed)}
          </>
        )}
        {tool("trash", t("action.remove"), () => editor.remove(), fixed)}
      </div>
      {unknown && (
        <small className="wb-warning" id={UNKNOWN_LABEL} data-testid="unknown-label">
          {t("selected.unknownLabel", { label: unknown.label ?? "" })}
        </small>
      )}
      <LabelChips current={first.label} disabled={fixed} />
      {panel && (
        <div className="wb-policy" role="group" aria-label={t("policy.title")}>
          {POLICIES.map((policy) => (
            <button
              key={policy}
              type="button"
              aria-pressed={(first.policy ?? "segment") === policy}
              aria-disabled={fixed}
              data-testid={`policy-${policy}`}
              title={fixed ? t("tool.readOnly") : t(`policy.${policy}Hint`)}
              onClick={() => !fixed && editor.updateSelected({ policy })}
            >
              {t(`policy.${policy}`)}
            </button>
          ))}
        </div>
      )}
      <small className="wb-mono">
        {selected.length > 1 ? t("selected.count", { count: selected.length }) : placeOf(first)}
      </small>
    </section>
  );
}

function LabelInput({ shape, disabled, hinted }: { shape: Shape; disabled: boolean; hinted: boolean }) {
  const { page, t } = useWorkbench();
  const labels = useLabels();
  const [text, setText] = useState(shape.label ?? "");
  const composing = useRef(false);
  const list = useId();
  const release = useRef<(() => void) | null>(null);
  const letGo = () => {
    release.current?.();
    release.current = null;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the field goes with its shape.
  useEffect(() => letGo, []);
  // Undo, a merge or a label key may rename it from elsewhere.
  useEffect(() => setText(shape.label ?? ""), [shape.label]);
  const commit = () => {
    const label = text.trim().slice(0, 100) || null;
    if (label !== shape.label && !disabled) page.editor.setLabel(label);
  };
  return (
    <>
      <input
        className="wb-input wb-grow"
        data-testid="label-input"
        aria-label={t("selected.label")}
        aria-invalid={hinted || undefined}
        aria-describedby={hinted ? UNKNOWN_LABEL : undefined}
        placeholder={t("selected.labelPlaceholder")}
        title={disabled ? t("tool.readOnly") : text || undefined}
        value={text}
        maxLength={100}
        disabled={disabled}
        list={list}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
        onCompositionStart={() => {
          composing.current = true;
        }}
        onCompositionEnd={() => {
          composing.current = false;
        }}
        onFocus={() => {
          release.current ??= page.editor.hold();
        }}
        onBlur={() => {
          commit();
          letGo();
        }}
        onKeyDown={(event) => {
          if (composing.current || event.nativeEvent.isComposing) return;
          if (event.key === "Enter") {
            commit();
            event.currentTarget.blur();
            document.querySelector<HTMLElement>(".wb-canvas")?.focus();
          } else if (event.key === "Escape") {
            setText(shape.label ?? "");
            event.currentTarget.blur();
          }
        }}
      />
      <datalist id={list}>
        {labels.map((label) => (
          <option key={label.name} value={label.name} />
        ))}
      </datalist>
    </>
  );
}

function LabelChips({ current, disabled }: { current: string | null; disabled: boolean }) {
  const { page, t } = useWorkbench();
  const labels = useLabels();
  if (!labels.length) return null;
  return (
    <div className="wb-chips" role="group" aria-label={t("selected.labels")}>
      {labels.map((label, index) => (
        <button
          key={label.name}
          type="button"
          className="wb-chip"
          aria-pressed={label.name === current}
          aria-disabled={disabled}
          title={disabled ? t("tool.readOnly") : label.name}
          onClick={() => !disabled && page.editor.setLabel(label.name)}
        >
          <i style={{ background: colourOf(label.name, labels) }} />
          <span className="wb-clip">{label.name}</span>
          {keyOfLabel(labels, index) && <kbd>{keyOfLabel(labels, index)}</kbd>}
        </button>
      ))}
    </div>
  );
}

function placeOf(shape: Shape): string {
  const number = (value: number) => String(Math.round(value * 10) / 10);
  if (shape.geometry.type === "point") return `x ${number(shape.geometry.x)}  y ${number(shape.geometry.y)}`;
  const [x1, y1, x2, y2] = boundsOf(shape.geometry);
  return `${number(x1)}, ${number(y1)}  ·  ${number(x2 - x1)} × ${number(y2 - y1)} px`;
}
