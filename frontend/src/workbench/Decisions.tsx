import { usePageState, useWorkbench } from "./context";

/** How many reviewers have to agree, and what the others have said about this revision. */
export function Decisions() {
  const { t, config } = useWorkbench();
  const { review } = usePageState().editor;
  if (!review || (review.required === 1 && !review.decisions.length)) return null;
  return (
    <div className="wb-decisions" data-testid="decisions">
      <small>
        {t(`review.rule_${review.rule}`, { count: review.required })}
        {review.outcome === "tie" ? ` ${t("review.tie")}` : ""}
      </small>
      <ul aria-label={t("review.decisions")}>
        {review.decisions.map((decision) => (
          <li key={decision.id}>
            <span className={decision.decision === "approve" ? "wb-tag wb-tag-ok" : "wb-tag wb-tag-seal"}>
              {t(decision.decision === "approve" ? "review.approved" : "review.rejected")}
            </span>
            <span>
              <b>{decision.by.name || decision.by.username}</b>{" "}
              <small>{new Date(decision.at).toLocaleString(config.language, { hourCycle: "h23" })}</small>
              {decision.reason && <q>{decision.reason}</q>}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
