import { memo, useCallback, useEffect, useRef } from "react";
import { CropThumb } from "../canvas/CropThumb";
import { colourOf } from "../canvas/palette";
import { useObservable } from "../useObservable";
import { keyOfLabel } from "./commands";
import { useLabels, useWorkbench } from "./context";
import { Icon } from "./Icon";
import type { ListEntry } from "./listEntries";

const optionId = (id: string) => `wb-option-${id}`;

/** The items as a real listbox: arrows walk, Space and Shift choose several, the picture follows. */
export function ItemList({ entries, label }: { entries: readonly ListEntry[]; label: string }) {
  const { page } = useWorkbench();
  const { editor } = page;
  const selection = useObservable(editor.selection);
  const hovered = useObservable(editor.hovered);
  const hidden = useObservable(editor.hidden);
  const locked = useObservable(editor.locked);
  const list = useRef<HTMLDivElement>(null);
  const active = selection.at(-1);
  useEffect(() => {
    const option = active ? document.getElementById(optionId(active)) : null;
    option?.scrollIntoView({ block: "nearest" });
  }, [active]);

  const choose = useCallback(
    (id: string, several: boolean) => {
      if (several) editor.toggleSelected(id);
      else editor.select([id]);
      editor.bringIntoSight(id);
    },
    [editor],
  );
  const onKeyDown = (event: React.KeyboardEvent) => {
    const index = entries.findIndex(({ shape }) => shape.id === active);
    const target = {
      ArrowDown: index + 1,
      ArrowUp: index < 0 ? 0 : index - 1,
      Home: 0,
      End: entries.length - 1,
    }[event.key];
    if (target === undefined || event.altKey || event.ctrlKey) return;
    event.preventDefault();
    event.stopPropagation();
    const entry = entries[Math.max(0, Math.min(entries.length - 1, target))];
    if (!entry) return;
    if (event.shiftKey) editor.select([...selection.filter((id) => id !== entry.shape.id), entry.shape.id]);
    else editor.select([entry.shape.id]);
    editor.bringIntoSight(entry.shape.id);
  };
  return (
    <div
      ref={list}
      className="wb-list"
      role="listbox"
      aria-label={label}
      aria-multiselectable="true"
      aria-activedescendant={
        active && entries.some(({ shape }) => shape.id === active) ? optionId(active) : undefined
      }
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      {entries.map((entry) => (
        <ItemRow
          key={entry.shape.id}
          entry={entry}
          selected={selection.includes(entry.shape.id)}
          hovered={hovered === entry.shape.id}
          hidden={hidden.has(entry.shape.id)}
          locked={locked.has(entry.shape.id)}
          onChoose={choose}
        />
      ))}
    </div>
  );
}

interface RowProps {
  entry: ListEntry;
  selected: boolean;
  hovered: boolean;
  hidden: boolean;
  locked: boolean;
  onChoose: (id: string, several: boolean) => void;
}

const ItemRow = memo(function ItemRow({ entry, selected, hovered, hidden, locked, onChoose }: RowProps) {
  const { page, t, image } = useWorkbench();
  const labels = useLabels();
  const { shape } = entry;
  const labelIndex = labels.findIndex((known) => known.name === shape.label);
  const key = labelIndex >= 0 ? keyOfLabel(labels, labelIndex) : "";
  const classes = ["wb-item"];
  if (selected) classes.push("wb-item-on");
  if (hovered) classes.push("wb-item-hover");
  if (!entry.asked || hidden) classes.push("wb-item-dim");
  if (entry.warns) classes.push("wb-item-warns");
  if (entry.problem) classes.push("wb-item-problem");
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox itself takes the keys for its options.
    <div
      id={optionId(shape.id)}
      role="option"
      aria-selected={selected}
      tabIndex={-1}
      className={classes.join(" ")}
      data-testid="box-item"
      data-box-id={shape.id}
      data-state={entry.state}
      onMouseDown={(event) => {
        // A click keeps the arrows for the picture; whoever comes by Tab walks the list with them.
        event.preventDefault();
        document.querySelector<HTMLElement>(".wb-canvas")?.focus({ preventScroll: true });
      }}
      onClick={(event) => onChoose(shape.id, event.shiftKey || event.ctrlKey || event.metaKey)}
      onPointerEnter={() => page.editor.hover(shape.id)}
      onPointerLeave={() => page.editor.hover(null)}
    >
      <CropThumb
        image={image}
        pictureWidth={page.editor.picture.width}
        geometry={shape.geometry}
        colour={colourOf(shape.label, labels)}
        dashed={shape.by === "model"}
      />
      <div className="wb-item-words">
        <div className="wb-item-name">
          {entry.place !== null && <span className="wb-order">{entry.place}</span>}
          {shape.label ? (
            <span className="wb-two-lines" title={shape.label}>
              {shape.label}
            </span>
          ) : (
            <i>{t("row.unnamed")}</i>
          )}
          {hidden && <Icon name="eyeOff" size={14} />}
          {locked && <Icon name="lock" size={14} />}
          <span className="wb-only-read">
            {hidden && t("row.hidden")} {locked && t("row.locked")}
          </span>
        </div>
        <small>{entry.problem ?? entry.words.map((word) => t(word)).join(" · ")}</small>
      </div>
      <div className="wb-conf">
        <span>{shape.score === null ? "–" : shape.score.toFixed(2)}</span>
        {key && <kbd>{key}</kbd>}
      </div>
    </div>
  );
});
