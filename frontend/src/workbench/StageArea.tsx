import { useMemo } from "react";
import { shortened } from "../canvas/flagWords";
import { Magnifier } from "../canvas/Magnifier";
import { PictureStage } from "../canvas/PictureStage";
import type { PinMark } from "../canvas/PinMarks";
import type { Picture } from "../canvas/usePicture";
import { openCandidates, shapeOfCandidate, shapeOfItem } from "../draft/itemShapes";
import { NOTHING_KNOWN } from "../draft/provenance";
import { boundsOf, type Shape } from "../editor/shapes";
import { shapeOfBox } from "../panel/boxShapes";
import { useObservable } from "../useObservable";
import { comparison } from "./BeforeAfter";
import { useLabels, usePageState, usePanel, useWorkbench } from "./context";
import { LockBanner } from "./LockBanner";
import { matches } from "./listEntries";
import type { WorkbenchPage } from "./page";
import type { PageState } from "./pageState";
import { hasLiveJob, isAnswered, isOpen, rejectionOf } from "./permissions";
import { dropPin } from "./pins";
import { useRegionOpen } from "./RegionPanel";
import { AdjustPanel, Toolbar, ZoomReadout } from "./Toolbar";

/** The picture, as large as can be, with its tools; what lies over it never covers its middle. */
export function StageArea({ picture }: { picture: Picture & { reload: () => void } }) {
  const { page, t } = useWorkbench();
  const state = usePageState();
  const labels = useLabels();
  const panel = usePanel();
  const shapes = useObservable(page.editor.shapes);
  const compared = useObservable(comparison);
  const { filter } = state;
  // What this round does not ask about, and what the filter leaves out of the list.
  const dimmed = useMemo(() => {
    const rows = panel && shapes.length ? page.panel.rows() : [];
    const notAsked = rows.filter((row) => !row.asked).map((row) => row.shape);
    const filtered = shapes.filter((shape) => !matches({ shape }, filter));
    return new Set([...notAsked, ...filtered].map((shape) => shape.id));
  }, [panel, shapes, page, filter]);
  const session = useObservable(page.session.state);
  const doc = useObservable(page.editor.doc);
  const region = useRegionOpen();
  const { preview, choices } = useObservable(page.local.state);
  const marked = useObservable(page.editor.areas.state);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the session tells when its candidates changed.
  const ghosts = useMemo(() => {
    if (compared) return revisionGhosts(compared, page.editor.picture.width);
    if (panel || !isOpen(state.task)) return [];
    if (doc.name === "candidates") return page.draft.store.all().map(asGhost);
    if (hasLiveJob(state)) return approvedGhosts(state);
    return candidateGhosts(page, state, shapes);
  }, [compared, panel, state, shapes, page, session, doc]);
  const finds = useMemo(
    () =>
      (preview?.items ?? []).map((found) => ({
        shape: { ...shapeOfCandidate(found, NOTHING_KNOWN), by: "model" as const },
        chosen: choices.get(found.id)?.does !== "leave",
      })),
    [preview, choices],
  );
  const areas = region
    ? (["reference", "region"] as const).flatMap((kind) => {
        const bbox = marked[kind];
        return bbox ? [{ kind, bbox }] : [];
      })
    : [];
  const ordered = doc.name === "draft" && state.editor.config.selection_mode === "ordered";
  const flagOf = (shape: Shape) => {
    const name = shape.label ? shortened(shape.label) : t("row.unnamed");
    const place = ordered ? shapes.indexOf(shape) + 1 : 0;
    if (place > 0) return `${place} ${name}`;
    if (shape.score !== null) return `${name} ${shape.score.toFixed(2)}`;
    return panel && shape.by === "person" ? `${name} · ${t("row.byHand")}` : name;
  };
  const onPin = useMemo(
    () => (state.pinning ? (x: number, y: number) => dropPin(page, x, y) : null),
    [state.pinning, page],
  );
  const url = `${state.task.asset.width} × ${state.task.asset.height}`;
  return (
    <main className="wb-stage">
      <PictureStage
        editor={page.editor}
        image={picture.image}
        labels={labels}
        ghosts={ghosts}
        finds={finds}
        areas={areas}
        dimmed={dimmed}
        flagOf={flagOf}
        pins={pinsOf(state)}
        brightness={state.adjust.brightness}
        contrast={state.adjust.contrast}
        description={t("picture.label", { name: `${state.task.name} (${url})`, count: shapes.length })}
        onPin={onPin}
      />
      <Toolbar />
      <AdjustPanel />
      <Magnifier editor={page.editor} image={picture.image} label={t("magnifier.label")} />
      <ZoomReadout />
      <LockBanner />
      {picture.state === "loading" && (
        <p className="wb-stage-note" role="status">
          {t("picture.loading")}
        </p>
      )}
      {picture.state === "failed" && (
        <div className="wb-stage-note" role="alert">
          <p>{t("picture.failed")}</p>
          <button type="button" className="wb-btn wb-btn-plain wb-btn-normal" onClick={picture.reload}>
            {t("picture.retry")}
          </button>
        </div>
      )}
    </main>
  );
}

/** What the running job works on. */
function approvedGhosts(state: PageState): Shape[] {
  const boxes = state.job?.approved_box_list?.boxes ?? [];
  return boxes.map((box) => ({ ...shapeOfBox(box), id: `job-${box.box_id}`, by: "person" }));
}

/** The model's finds that the draft does not hold, faint under the person's work. */
function candidateGhosts(page: WorkbenchPage, state: PageState, shapes: readonly Shape[]): Shape[] {
  const { candidates } = page.session.working;
  const open = openCandidates(candidates, shapes).filter(
    ({ score }) => (score ?? 1) >= state.filter.minScore,
  );
  const wanted = new Set(open.map(({ id }) => id));
  const all = page.documents.candidates.store.all();
  return all.filter(({ id }) => wanted.has(id)).map((shape) => ({ ...shape, id: `candidate-${shape.id}` }));
}

/** The draft's items while the candidates are corrected. */
function asGhost(shape: Shape): Shape {
  return { ...shape, id: `item-${shape.id}` };
}

function revisionGhosts(
  { revision, share }: NonNullable<ReturnType<typeof comparison.get>>,
  width: number,
): Shape[] {
  return (revision.items ?? [])
    .map((item) => ({ ...shapeOfItem(item, [], NOTHING_KNOWN), id: `before-${item.id}` }))
    .filter((shape) => boundsOf(shape.geometry)[0] <= width * share);
}

function pinsOf(state: PageState): PinMark[] {
  if (state.pinning) {
    return state.pins.map((pin, index) => ({
      key: String(index),
      number: index + 1,
      x: pin.x,
      y: pin.y,
      answered: false,
    }));
  }
  return (rejectionOf(state.task)?.pins ?? []).map((pin, index) => ({
    key: pin.id,
    number: index + 1,
    x: pin.x,
    y: pin.y,
    answered: isAnswered(pin),
  }));
}
