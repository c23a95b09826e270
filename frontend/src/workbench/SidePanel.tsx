import { useMemo } from "react";
import type { MessageKey } from "../i18n";
import { useObservable } from "../useObservable";
import { Button } from "./Button";
import { Candidates } from "./Candidates";
import { usePageState, usePanel, useSituation, useWorkbench } from "./context";
import { DraftActions } from "./DraftActions";
import { ItemList } from "./ItemList";
import { JobHistory } from "./JobHistory";
import { JobProgress } from "./JobProgress";
import { entryOfCandidate, entryOfItem, entryOfRow, matches } from "./listEntries";
import { PausePanel } from "./PausePanel";
import { PinChecklist } from "./PinChecklist";
import { PolicyNote } from "./PolicyNote";
import type { PageState } from "./pageState";
import { hasLiveJob, isOpen, whyReadOnly } from "./permissions";
import { QuestionHead } from "./QuestionHead";
import { RegionActions, RegionPanel, useRegionOpen } from "./RegionPanel";
import { RemovedList } from "./RemovedList";
import { Reopened } from "./Reopened";
import { ResultsList } from "./ResultsList";
import { ReviewActions } from "./ReviewActions";
import { SelectedCard } from "./SelectedCard";
import { Suggestion } from "./Suggestion";

/** The right column: the question, the items or boxes, what is selected, and what can be done. */
export function SidePanel() {
  const { t } = useWorkbench();
  const { tab, results } = usePageState();
  const panel = usePanel();
  const region = useRegionOpen() && !panel;
  const view = panel || region ? "items" : tab === "results" && !results ? "items" : tab;
  return (
    <aside
      className={panel ? "wb-side wb-side-panel" : "wb-side"}
      data-testid={panel ? "panel" : "side"}
      aria-label={t(panel ? "panel.title" : "side.title")}
    >
      <QuestionHead />
      {!panel && !region && <PinChecklist />}
      {!panel && !region && <Reopened />}
      {!panel && !region && <PolicyNote />}
      {!panel && !region && <Tabs view={view} />}
      {region ? (
        <RegionPanel />
      ) : view === "results" ? (
        <ResultsList />
      ) : view === "history" ? (
        <JobHistory />
      ) : (
        <Items />
      )}
      {view === "items" && !region && <SelectedCard />}
      <Acts region={region} />
    </aside>
  );
}

/** What can be done here; a viewer reads why there is nothing. */
function Acts({ region }: { region: boolean }) {
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
  if (region) return <RegionActions />;
  return task.status === "review" ? <ReviewActions /> : <DraftActions />;
}

/** Items, cut-outs and what was answered, as far as the task has them. */
function Tabs({ view }: { view: PageState["tab"] }) {
  const { page, t } = useWorkbench();
  const { results, job } = usePageState();
  const cutouts = results?.items.length ?? 0;
  if (!job && !cutouts) return null;
  const tab = (name: PageState["tab"], key: MessageKey, count?: number) => (
    <button type="button" aria-pressed={view === name} onClick={() => page.state.patch({ tab: name })}>
      {t(key)}
      {count !== undefined && <span className="wb-tag">{count}</span>}
    </button>
  );
  return (
    <div className="wb-tabs" role="group" aria-label={t("side.views")}>
      {tab("items", "items.title")}
      {cutouts > 0 && tab("results", "results.title", cutouts)}
      {job && tab("history", "history.title")}
    </div>
  );
}

function Items() {
  const { page, t } = useWorkbench();
  const state = usePageState();
  const { filter } = state;
  const panel = usePanel();
  const live = hasLiveJob(state) && !panel;
  const doc = useObservable(page.editor.doc);
  const shapes = useObservable(page.editor.shapes);
  const candidates = doc.name === "candidates";
  const { labels, selection_mode: mode } = state.editor.config;
  const ordered = doc.name === "draft" && mode === "ordered";
  const entries = useMemo(() => {
    if (panel) return page.panel.rows().map(entryOfRow);
    if (candidates) return shapes.map(entryOfCandidate);
    return shapes.map((shape, index) => entryOfItem(shape, ordered ? index + 1 : null, labels));
  }, [panel, candidates, ordered, shapes, page, labels]);
  const present = entries.filter((entry) => entry.state !== "removed");
  const shown = present.filter((entry) => entry.asked && matches(entry, filter));
  const goingAlong = present.filter((entry) => !entry.asked && matches(entry, filter));
  const revision = panel?.pause.stage === "WAITING_BOX_BATCH_REVISION";
  const title = t(
    revision ? "panel.asked" : panel ? "panel.boxes" : candidates ? "candidates.editTitle" : "items.title",
  );
  const total = present.length - goingAlong.length;
  return (
    <section className="wb-items">
      {(total > 0 || !live) && (
        <div className="wb-row wb-items-head">
          <h2>{title}</h2>
          <span className="wb-tag">{shown.length === total ? total : `${shown.length} / ${total}`}</span>
          <span className="wb-grow" />
          {candidates && (
            <Button
              label="candidates.done"
              size="small"
              testId="candidates-done"
              onPress={() => page.editor.open(page.draft)}
            />
          )}
          <Button
            label="filter.title"
            icon="filter"
            kind="quiet"
            size="small"
            pressed={filter.open}
            onPress={() => page.state.patch({ filter: { ...filter, open: !filter.open } })}
          />
        </div>
      )}
      {filter.open && <Filter />}
      <div className="wb-scroll">
        {candidates && <p className="wb-hint">{t("candidates.editHint")}</p>}
        {shown.length > 0 && <ItemList entries={shown} label={title} />}
        {shown.length === 0 && !live && <Empty filtered={total > 0} />}
        {goingAlong.length > 0 && (
          <details className="wb-along">
            <summary>{t("panel.goingAlong", { count: goingAlong.length })}</summary>
            <ItemList entries={goingAlong} label={t("panel.goingAlong", { count: goingAlong.length })} />
          </details>
        )}
        <RemovedList entries={entries.filter((entry) => entry.state === "removed")} />
        {!panel && live && <JobProgress />}
        {!panel && !live && !candidates && isOpen(state.task) && <Candidates />}
        {!panel && !candidates && isOpen(state.task) && <Suggestion />}
      </div>
    </section>
  );
}

function Empty({ filtered }: { filtered: boolean }) {
  const { t } = useWorkbench();
  const panel = usePanel();
  const situation = useSituation();
  const closed = whyReadOnly(situation) !== null;
  const { task } = situation.page;
  const { page } = useWorkbench();
  const candidates = useObservable(page.editor.doc).name === "candidates";
  const key = filtered
    ? "empty.filtered"
    : panel
      ? "empty.panel"
      : closed
        ? "empty.readOnly"
        : candidates
          ? "empty.candidates"
          : task.status === "review"
            ? "empty.review"
            : "empty.draft";
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
