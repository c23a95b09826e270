import { useMemo } from "react";
import type { Candidate } from "../api/types";
import { CropThumb } from "../canvas/CropThumb";
import { colourOf } from "../canvas/palette";
import type { MessageKey } from "../i18n";
import { type Choice, countChosen, movable, replaceable } from "../region/choices";
import { staleParts } from "../region/localDetection";
import { useObservable } from "../useObservable";
import { Button } from "./Button";
import { useLabels, usePageState, useSituation, useWorkbench } from "./context";
import { Icon } from "./Icon";
import { whyNoRun } from "./permissions";
import { RunProgress } from "./RunProgress";
import { applyRegion, detectRegion, leaveRegion, whyNoApply } from "./runActions";

/** Whether the side shows the local detection: an area is being marked, looked at, or its finds are chosen from. */
export function useRegionOpen(): boolean {
  const { page } = useWorkbench();
  const tool = useObservable(page.editor.toolName);
  const { preview } = useObservable(page.local.state);
  const { region } = useObservable(page.editor.areas.state);
  const run = useObservable(page.runs.state);
  return tool === "area" || preview !== null || (region !== null && run?.kind === "DETECT_REGION");
}

export function RegionPanel() {
  const { page, t } = useWorkbench();
  const { preview } = useObservable(page.local.state);
  return (
    <section className="wb-items wb-region" aria-label={t("region.title")} data-testid="region-panel">
      <div className="wb-row wb-items-head">
        <h2>{t("region.title")}</h2>
        {preview && <span className="wb-tag">{preview.items.length}</span>}
        <span className="wb-grow" />
        <Button label="action.close" kind="quiet" size="small" onPress={() => leaveRegion(page)} />
      </div>
      <div className="wb-scroll">{preview ? <Finds /> : <Marking />}</div>
    </section>
  );
}

/** What to draw, and what each colour means. */
function Marking() {
  const { page, t } = useWorkbench();
  const { region, reference, drawing } = useObservable(page.editor.areas.state);
  const run = useObservable(page.runs.state);
  const size = (area: readonly number[]) =>
    `${(area[2] ?? 0) - (area[0] ?? 0)} × ${(area[3] ?? 0) - (area[1] ?? 0)} px`;
  const areas = page.editor.areas;
  const draw = (kind: "region" | "reference") => {
    areas.choose(kind);
    page.editor.setTool("area");
  };
  return (
    <>
      <p className="wb-hint">{t("region.hint")}</p>
      <ul className="wb-areas" aria-label={t("region.areas")}>
        <li className="wb-area-region">
          <i aria-hidden="true" />
          <div>
            <b>{t("region.region")}</b>
            <small>{region ? size(region) : t("region.regionHint")}</small>
          </div>
          <Button
            label={region ? "region.redraw" : "region.draw"}
            size="small"
            pressed={drawing === "region"}
            onPress={() => draw("region")}
          />
        </li>
        <li className="wb-area-reference">
          <i aria-hidden="true" />
          <div>
            <b>{t("region.reference")}</b>
            <small>{reference ? size(reference) : t("region.referenceHint")}</small>
          </div>
          {reference ? (
            <Button
              label="action.remove"
              size="small"
              onPress={() => areas.set({ reference: null, drawing: "region" })}
            />
          ) : (
            <Button
              label="region.draw"
              size="small"
              pressed={drawing === "reference"}
              onPress={() => draw("reference")}
            />
          )}
        </li>
      </ul>
      {!reference && (
        <button
          type="button"
          className="wb-link wb-region-whole"
          onClick={() => {
            const { width, height } = page.editor.picture;
            areas.set({ reference: [0, 0, width, height], drawing: "region" });
          }}
        >
          {t("region.wholePicture")}
        </button>
      )}
      {run?.kind === "DETECT_REGION" && <RunProgress />}
    </>
  );
}

/** What was found there, each with what is to become of it. */
function Finds() {
  const { page, t } = useWorkbench();
  const { preview, choices } = useObservable(page.local.state);
  usePageState();
  if (!preview) return null;
  const stale = staleParts(preview, page.session.base.versions);
  return (
    <>
      <p className="wb-hint">{t("region.findsHint")}</p>
      {stale.map((part) => (
        <p key={part} className="wb-warning wb-hint" role="alert">
          <Icon name="warn" size={14} /> {t(STALE[part] ?? "why.regionStale")}
        </p>
      ))}
      <ul className="wb-list" aria-label={t("region.finds")}>
        {preview.items.map((found) => (
          <Find key={found.id} found={found} choice={choices.get(found.id) ?? { does: "leave" }} />
        ))}
      </ul>
    </>
  );
}

const STALE: Record<string, MessageKey> = {
  candidate_set: "region.staleSet",
  config_version: "region.staleConfig",
  applied_once: "region.appliedOnce",
};

function Find({ found, choice }: { found: Candidate; choice: Choice }) {
  const { page, t, image } = useWorkbench();
  const labels = useLabels();
  const { preview } = useObservable(page.local.state);
  const session = useObservable(page.session.state);
  const old = useMemo(
    () => (preview ? replaceable(page.session.working.candidates, preview.region) : []),
    [preview, page],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the session tells when its working copy changed.
  const points = useMemo(() => movable(page.session.working.items), [page, session]);
  const [x, y] = found.center;
  const name = found.label || t("row.unnamed");
  const nameOf = (label: string | null) => label || t("row.unnamed");
  return (
    <li
      className={choice.does === "leave" ? "wb-item wb-find wb-item-dim" : "wb-item wb-find"}
      data-testid="region-find"
      data-choice={choice.does}
    >
      <CropThumb
        image={image}
        pictureWidth={page.editor.picture.width}
        geometry={found.bbox ? { type: "bbox", bbox: found.bbox } : { type: "point", x, y }}
        colour={colourOf(found.label, labels)}
        dashed
      />
      <div className="wb-item-words">
        <div className="wb-item-name">{name}</div>
        <select
          className="wb-input wb-select"
          aria-label={t("region.choiceOf", { label: name })}
          value={optionOf(choice)}
          onChange={(event) => page.local.choose(found.id, choiceOf(event.target.value))}
        >
          <option value="add">{t("region.add")}</option>
          <option value="leave">{t("region.leave")}</option>
          {old.map((candidate) => (
            <option key={candidate.id} value={`replace ${candidate.id}`}>
              {t("region.replace", { label: nameOf(candidate.label) })}
            </option>
          ))}
          {points.map((item, index) => (
            <option key={item.id} value={`move ${item.id}`}>
              {t("region.move", { label: nameOf(item.label), number: index + 1 })}
            </option>
          ))}
        </select>
      </div>
      <div className="wb-conf">
        <span>{found.score === null ? "–" : found.score.toFixed(2)}</span>
      </div>
    </li>
  );
}

function optionOf(choice: Choice): string {
  return "id" in choice ? `${choice.does} ${choice.id}` : choice.does;
}

function choiceOf(value: string): Choice {
  const at = value.indexOf(" ");
  if (at < 0) return { does: value === "add" ? "add" : "leave" };
  const id = value.slice(at + 1);
  return value.startsWith("replace ") ? { does: "replace", id } : { does: "move", id };
}

/** The foot: look there, or apply what was chosen. */
export function RegionActions() {
  const { page, t } = useWorkbench();
  const { preview, choices } = useObservable(page.local.state);
  const { region } = useObservable(page.editor.areas.state);
  useObservable(page.session.state);
  const situation = useSituation();
  if (preview) {
    return (
      <section className="wb-actions" aria-label={t("region.title")}>
        <small>{t("region.count", { count: countChosen(choices) })}</small>
        <div className="wb-row">
          <Button
            label="region.apply"
            kind="primary"
            size="big"
            grow
            action="applyRegion"
            why={whyNoApply(page)}
            testId="region-apply"
            onPress={() => void applyRegion(page)}
          />
          <Button label="region.discard" size="big" onPress={() => leaveRegion(page)} />
        </div>
      </section>
    );
  }
  return (
    <section className="wb-actions" aria-label={t("region.title")}>
      <div className="wb-row">
        <Button
          label="region.detect"
          kind="primary"
          size="big"
          icon="spark"
          grow
          action="detectRegion"
          why={whyNoRun(situation) ?? (region ? null : "why.noRegion")}
          testId="region-detect"
          onPress={() => void detectRegion(page)}
        />
        <Button label="action.cancel" size="big" onPress={() => leaveRegion(page)} />
      </div>
    </section>
  );
}
