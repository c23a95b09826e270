import { useMemo } from "react";
import { CropThumb } from "../canvas/CropThumb";
import { colourOf } from "../canvas/palette";
import { openCandidates } from "../draft/itemShapes";
import { useObservable } from "../useObservable";
import { Button } from "./Button";
import { useLabels, usePageState, usePanel, useSituation, useWorkbench } from "./context";
import { DraftActions } from "./DraftActions";
import { ItemList } from "./ItemList";
import { JobProgress } from "./JobProgress";
import { adoptCandidates } from "./jobActions";
import { entryOfItem, entryOfRow, matches } from "./listEntries";
import { PausePanel } from "./PausePanel";
import { PinChecklist } from "./PinChecklist";
import { PolicyNote } from "./PolicyNote";
import { hasLiveJob, isOpen, whyReadOnly } from "./permissions";
import { RemovedList } from "./RemovedList";
import { ResultsList } from "./ResultsList";
import { ReviewActions } from "./ReviewActions";
import { SelectedCard } from "./SelectedCard";
import { Suggestion } from "./Suggestion";

/** The right column: the question, the items or boxes, what is selected, and what can be done. */
export function SidePanel() {
  const { t } = useWorkbench();
  const { tab, results, editor } = usePageState();
  const panel = usePanel();
  const showResults = tab === "results" && results !== null && !panel;
  return (
    <aside
      className={panel ? "wb-side wb-side-panel" : "wb-side"}
      data-testid={panel ? "panel" : "side"}
      aria-label={t(panel ? "panel.title" : "side.title")}
    >
      <section className="wb-question">
        <small>{t("side.question")}</small>
        <h2>{editor.config.question || (panel ? t("panel.defaultQuestion") : t("side.noQuestion"))}</h2>
        {editor.config.selection_mode === "ordered" && editor.config.targets.length > 0 && (
          <small>{t("side.targets", { targets: editor.config.targets.join(" → ") })}</small>
        )}
      </section>
      {!panel && <PinChecklist />}
      {!panel && <PolicyNote />}
      {!panel && results && results.items.length > 0 && <Tabs />}
      {showResults ? <ResultsList /> : <Items />}
      {!showResults && <SelectedCard />}
      <Acts />
    </aside>
  );
}

/** What can be done here; a viewer reads why there is nothing. */
function Acts() {
  const { t } = useWorkbench();
  const { task, role } = usePageState();
  const panel = usePanel();
  if (role === "viewer") {
    return (
      <section className="wb-actions">
        <small>{t("why.viewer")}</small>
      </section>
    );
  }
  if (panel) return <PausePanel panel={panel} />;
  return task.status === "review" ? <ReviewActions /> : <DraftActions />;
}

function Tabs() {
  const { page, t } = useWorkbench();
  const { tab, results } = usePageState();
  return (
    <div className="wb-tabs" role="group" aria-label={t("side.views")}>
      <button type="button" aria-pressed={tab === "items"} onClick={() => page.state.patch({ tab: "items" })}>
        {t("items.title")}
      </button>
      <button
        type="button"
        aria-pressed={tab === "results"}
        onClick={() => page.state.patch({ tab: "results" })}
      >
        {t("results.title")} <span className="wb-tag">{results?.items.length ?? 0}</span>
      </button>
    </div>
  );
}

function Items() {
  const { page, t } = useWorkbench();
  const state = usePageState();
  const { filter } = state;
  const panel = usePanel();
  const live = hasLiveJob(state) && !panel;
  const shapes = useObservable(page.editor.shapes);
  const entries = useMemo(
    () => (panel ? page.panel.rows().map(entryOfRow) : shapes.map(entryOfItem)),
    [panel, shapes, page],
  );
  const shown = entries.filter((entry) => entry.state !== "removed" && matches(entry, filter));
  const removed = entries.filter((entry) => entry.state === "removed");
  const total = entries.length - removed.length;
  return (
    <section className="wb-items">
      {(total > 0 || !live) && (
        <div className="wb-row wb-items-head">
          <h2>{t(panel ? "panel.boxes" : "items.title")}</h2>
          <span className="wb-tag">{shown.length === total ? total : `${shown.length} / ${total}`}</span>
          <span className="wb-grow" />
          <Button
            label="filter.title"
            icon="filter"
            kind="quiet"
            size="small"
            onPress={() => page.state.patch({ filter: { ...filter, open: !filter.open } })}
          />
        </div>
      )}
      {filter.open && <Filter />}
      <div className="wb-scroll">
        {shown.length > 0 && <ItemList entries={shown} label={t(panel ? "panel.boxes" : "items.title")} />}
        {shown.length === 0 && !live && <Empty filtered={total > 0} />}
        <RemovedList entries={removed} />
        {!panel && live && <JobProgress />}
        {!panel && !live && isOpen(state.task) && <Candidates />}
        {!panel && isOpen(state.task) && <Suggestion />}
      </div>
    </section>
  );
}

function Empty({ filtered }: { filtered: boolean }) {
  const { t } = useWorkbench();
  const panel = usePanel();
  const situation = useSituation();
  const closed = whyReadOnly(situation) !== null;
  const key = filtered ? "empty.filtered" : panel ? "empty.panel" : closed ? "empty.readOnly" : "empty.draft";
  return <p className="wb-empty">{t(key)}</p>;
}

function Filter() {
  const { page, t } = useWorkbench();
  const { filter } = usePageState();
  return (
    <div className="wb-filter">
      <input
        className="wb-input"
        placeholder={t("filter.label")}
        aria-label={t("filter.label")}
        value={filter.label}
        onChange={(event) => page.state.patch({ filter: { ...filter, label: event.target.value } })}
      />
      <label>
        <span>{t("filter.score", { score: filter.minScore.toFixed(2) })}</span>
        <input
          type="range"
          min={0}
          max={1}
          step={0.05}
          value={filter.minScore}
          onChange={(event) =>
            page.state.patch({ filter: { ...filter, minScore: Number(event.target.value) } })
          }
        />
      </label>
    </div>
  );
}

function Candidates() {
  const { page, t, image } = useWorkbench();
  const labels = useLabels();
  const { editor, filter } = usePageState();
  const shapes = useObservable(page.editor.shapes);
  const situation = useSituation();
  const open = openCandidates(editor.candidates.items, shapes).filter(
    (candidate) => (candidate.score ?? 1) >= filter.minScore,
  );
  if (!open.length) return null;
  const why = whyReadOnly(situation);
  return (
    <section className="wb-candidates" aria-label={t("candidates.title")}>
      <div className="wb-row wb-items-head">
        <h2>{t("candidates.title")}</h2>
        <span className="wb-tag">{open.length}</span>
        <span className="wb-grow" />
        <Button
          label="candidates.adoptAll"
          kind="quiet"
          size="small"
          why={why}
          onPress={() => adoptCandidates(page, open)}
        />
      </div>
      <ul className="wb-list">
        {open.map((candidate) => {
          const [x, y] = candidate.center;
          return (
            <li key={candidate.id} className="wb-item" data-testid="candidate">
              <CropThumb
                image={image}
                pictureWidth={page.editor.picture.width}
                geometry={candidate.bbox ? { type: "bbox", bbox: candidate.bbox } : { type: "point", x, y }}
                colour={colourOf(candidate.label, labels)}
                dashed
              />
              <div className="wb-item-words">
                <div className="wb-item-name">{candidate.label || t("row.unnamed")}</div>
                <small>
                  {t("row.byModel")}
                  {candidate.score === null ? "" : ` · ${candidate.score.toFixed(2)}`}
                </small>
              </div>
              <Button
                label="candidates.adopt"
                size="small"
                why={why}
                onPress={() => adoptCandidates(page, [candidate])}
              />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
