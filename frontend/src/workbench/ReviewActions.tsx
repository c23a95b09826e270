import { useState } from "react";
import { BeforeAfter } from "./BeforeAfter";
import { Button } from "./Button";
import { usePageState, useSituation, useWorkbench } from "./context";
import { Decisions } from "./Decisions";
import { Icon } from "./Icon";
import {
  canReview,
  hasDecided,
  isClaimed,
  whyNoApproval,
  whyNoConfirm,
  whyNoDecision,
  whyNoRecall,
  whyNoReviewClaim,
  whyNoSendBack,
} from "./permissions";
import { approve, confirm, next, recall, reviewClaim, sendBack, takeOver } from "./taskActions";

/** The reviewer's side: claim, look, approve or send back with a reason and pins. */
export function ReviewActions() {
  const { page, t, goTo } = useWorkbench();
  const { pins, pinning, editor } = usePageState();
  const situation = useSituation();
  const [reason, setReason] = useState("");
  const [rejecting, setRejecting] = useState(false);
  const held = situation.lock.kind === "held";
  const claimed = isClaimed(situation);
  const decided = hasDecided(situation.page);
  const why = whyNoDecision(situation);
  const whyBack = whyNoSendBack(reason, pins);
  const corrected = held && (!editor.is_confirmed || situation.session.edits > 0);
  if (!canReview(situation.page)) {
    return (
      <section className="wb-actions">
        <small>{t(situation.lock.kind === "other" ? "review.goesOn" : "review.waits")}</small>
        <div className="wb-row">
          <Button
            label="task.recall"
            action="recall"
            why={whyNoRecall(situation)}
            testId="recall"
            onPress={() => void recall(page)}
          />
          <Button
            label="task.next"
            kind="primary"
            grow
            action="next"
            keys="N"
            onPress={() => void next(page, goTo)}
          />
        </div>
      </section>
    );
  }
  return (
    <section className="wb-actions" aria-label={t("review.title")}>
      <Decisions />
      <BeforeAfter />
      {decided && (
        <Button
          label="task.next"
          kind="primary"
          size="big"
          grow
          action="next"
          keys="N"
          onPress={() => void next(page, goTo)}
        />
      )}
      {!claimed && !decided && (
        <Button
          label="review.claim"
          kind="primary"
          size="big"
          grow
          action="reviewClaim"
          why={whyNoReviewClaim(situation)}
          testId="review-claim"
          onPress={() => void reviewClaim(page)}
        />
      )}
      {claimed && !held && (
        <Button
          label="review.correct"
          kind="quiet"
          size="small"
          icon="pencil"
          action="takeOver"
          why={situation.lock.kind === "other" ? "why.heldByOther" : null}
          testId="review-correct"
          onPress={() => void takeOver(page)}
        />
      )}
      {corrected && (
        <Button
          label="review.confirmCorrection"
          action="confirm"
          why={whyNoConfirm(situation)}
          onPress={() => void confirm(page)}
        />
      )}
      {claimed && !rejecting && (
        <div className="wb-row">
          <Button
            label="review.approve"
            kind="primary"
            size="big"
            grow
            icon="check"
            action="approve"
            why={whyNoApproval(situation)}
            testId="approve"
            onPress={() => void approve(page, "")}
          />
          <Button
            label="review.sendBack"
            size="big"
            icon="back"
            why={why}
            testId="send-back"
            onPress={() => {
              setRejecting(true);
              page.state.patch({ pinning: true });
            }}
          />
        </div>
      )}
      {claimed && rejecting && (
        <form
          className="wb-reject"
          onSubmit={(event) => {
            event.preventDefault();
            if (whyBack === null) void sendBack(page, reason.trim());
          }}
        >
          <label>
            <span>{t("review.reason")}</span>
            <textarea
              className="wb-input"
              rows={2}
              value={reason}
              data-testid="reject-reason"
              onChange={(event) => setReason(event.target.value)}
            />
          </label>
          <small>{t(pinning ? "review.pinHint" : "review.pinsOff")}</small>
          {pins.map((pin, index) => (
            <div className="wb-row" key={`${pin.x} ${pin.y}`}>
              <b className="wb-pin">{index + 1}</b>
              <input
                className="wb-input wb-grow"
                aria-label={t("review.pinText", { number: index + 1 })}
                placeholder={t("review.pinPlaceholder")}
                value={pin.text}
                onChange={(event) =>
                  page.state.patch({
                    pins: pins.map((other, i) =>
                      i === index ? { ...other, text: event.target.value } : other,
                    ),
                  })
                }
              />
              <button
                type="button"
                className="wb-icon-btn"
                aria-label={t("review.removePin", { number: index + 1 })}
                title={t("review.removePin", { number: index + 1 })}
                onClick={() => page.state.patch({ pins: pins.filter((_, i) => i !== index) })}
              >
                <Icon name="trash" size={16} />
              </button>
            </div>
          ))}
          <div className="wb-row">
            <Button
              label="review.sendBack"
              kind="danger"
              grow
              action="reject"
              why={whyBack}
              testId="reject"
              onPress={() => void sendBack(page, reason.trim())}
            />
            <Button
              label="action.cancel"
              onPress={() => {
                setRejecting(false);
                page.state.patch({ pinning: false, pins: [] });
              }}
            />
          </div>
        </form>
      )}
    </section>
  );
}
