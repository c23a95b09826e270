import { CropThumb } from "../canvas/CropThumb";
import { colourOf } from "../canvas/palette";
import { openCandidates } from "../draft/itemShapes";
import { useObservable } from "../useObservable";
import { Button } from "./Button";
import { useLabels, usePageState, useSituation, useWorkbench } from "./context";
import { Icon } from "./Icon";
import { adoptCandidates } from "./jobActions";
import { whyReadOnly } from "./permissions";

/** What the model found and the draft does not hold yet; to be adopted, or corrected before it is judged. */
export function Candidates() {
  const { page, t, image } = useWorkbench();
  const labels = useLabels();
  const { filter } = usePageState();
  const shapes = useObservable(page.editor.shapes);
  useObservable(page.session.state);
  const situation = useSituation();
  const all = page.session.working.candidates;
  const open = openCandidates(all, shapes).filter((candidate) => (candidate.score ?? 1) >= filter.minScore);
  if (!all.length) return null;
  const why = whyReadOnly(situation);
  return (
    <section className="wb-candidates" aria-label={t("candidates.title")}>
      <div className="wb-row wb-items-head">
        <h2>{t("candidates.title")}</h2>
        <span className="wb-tag">{open.length}</span>
        <span className="wb-grow" />
        <button
          type="button"
          className="wb-icon-btn wb-icon-small"
          aria-label={t("candidates.edit")}
          aria-disabled={why !== null}
          title={why ? t(why) : t("candidates.edit")}
          data-testid="candidates-edit"
          onClick={() => {
            if (!why) page.editor.open(page.documents.candidates);
          }}
        >
          <Icon name="pencil" size={14} />
        </button>
        {open.length > 0 && (
          <Button
            label="candidates.adoptAll"
            kind="quiet"
            size="small"
            why={why}
            onPress={() => adoptCandidates(page, open)}
          />
        )}
      </div>
      {open.length === 0 && <p className="wb-hint">{t("candidates.allAdopted")}</p>}
      <ul className="wb-list" aria-label={t("candidates.title")}>
        {open.map((candidate) => {
          const [x, y] = candidate.center;
          return (
            <li key={candidate.id} className="wb-item" data-testid="candidate">
              <CropThumb
                image={image}
                pictureWidth={page.editor.picture.width}
                geometry={candidate.bbox ? { type: "bbox", bbox: candidate.bbox } : { type: "point", x, y }}
                colour={colourOf(candidate.label, labels)}
                dashed={page.documents.isProposal(candidate)}
              />
              <div className="wb-item-words">
                <div className="wb-item-name">{candidate.label || t("row.unnamed")}</div>
                <small>
                  {t(candidate.score === null ? "row.byHand" : "row.byModel")}
                  {candidate.score === null ? "" : ` · ${candidate.score.toFixed(2)}`}
                  {candidate.score === null || page.documents.isProposal(candidate)
                    ? ""
                    : ` · ${t("row.changedByHand")}`}
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
