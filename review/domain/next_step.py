"""Where a job goes: after a person's answer, after each model's answer, and how it ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from review.domain.boxes import SKIP, Box
from review.domain.job_states import JobStatus, NodeType, RunStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What follows an intervention."""

    outcome: str
    target: JobStatus
    #: None: nothing is dispatched to a worker.
    node: NodeType | None


_EMPTY: Final = Step(outcome="EMPTY_SELECTION", target=JobStatus.EMPTY_SELECTION, node=None)
_VALIDATING: Final = Step(
    outcome="VALIDATING",
    target=JobStatus.VALIDATING_MANUAL_BOXES,
    node=NodeType.VALIDATE_MANUAL_BOX_LIST,
)
_FINALIZING: Final = Step(outcome="FINALIZING", target=JobStatus.FINALIZING_RESULTS, node=None)
_PROCESSING: Final = Step(
    outcome="PROCESSING",
    target=JobStatus.PROCESSING_APPROVED_SUBJECTS,
    node=NodeType.PROCESS_APPROVED_BOX_LIST,
)


def step_after_intervention(boxes: Sequence[Box]) -> Step:
    """Page 04's table, row by row."""
    if not boxes:
        return _EMPTY
    if any(box.needs_validation for box in boxes):
        return _VALIDATING
    return step_after_approval(boxes)


def step_after_approval(boxes: Sequence[Box]) -> Step:
    """Where approved boxes go: nothing to cut out means that only the results are left to store."""
    return _FINALIZING if all(box.target_policy == SKIP for box in boxes) else _PROCESSING


class SubjectOutcome(StrEnum):
    """How one box of a job ends."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    REJECTED = "rejected"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainRun:
    """One run of a subject's chain, as far as the decision needs it."""

    node_type: str
    step: int
    status: str
    report: dict[str, Any] | None
    error: dict[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectState:
    """What a subject's chain has come to. `outcome` None: it is still on its way."""

    outcome: SubjectOutcome | None
    reason: dict[str, Any] | None = None
    mask: str = ""
    cutout: str = ""
    gate: dict[str, Any] | None = None


def subject_state(chain: Sequence[ChainRun]) -> SubjectState:
    """SEGMENT_SUBJECT → QUALITY_GATE_SUBJECT → (REFINE_SUBJECT → QUALITY_GATE_SUBJECT, once)."""
    by_place = {(run.node_type, run.step): run for run in chain}
    mask, cutout = "", ""
    gate: dict[str, Any] | None = None
    for place in CHAIN:
        run = by_place.get(place)
        if run is None:
            break
        if run.status in {RunStatus.FAILED, RunStatus.INTERRUPTED}:
            error = run.error or {}
            reason = {
                "code": error.get("code", "RUN_FAILED"),
                "message": error.get("message", "The model run failed."),
            }
            return SubjectState(
                outcome=SubjectOutcome.FAILED, reason=reason, mask=mask, cutout=cutout, gate=gate
            )
        if run.status != RunStatus.SUCCEEDED or run.report is None:
            return SubjectState(outcome=None, mask=mask, cutout=cutout, gate=gate)
        if run.node_type in {NodeType.SEGMENT_SUBJECT, NodeType.REFINE_SUBJECT}:
            mask, cutout = run.report["mask"], run.report["cutout"]
            continue
        gate = run.report
        outcome = _verdict(run)
        if outcome is not None:
            return SubjectState(outcome=outcome[0], reason=outcome[1], mask=mask, cutout=cutout, gate=gate)
    return SubjectState(outcome=None, mask=mask, cutout=cutout, gate=gate)


#: The places of a chain in order: (node type, step).
CHAIN: Final = (
    (NodeType.SEGMENT_SUBJECT.value, 0),
    (NodeType.QUALITY_GATE_SUBJECT.value, 0),
    (NodeType.REFINE_SUBJECT.value, 0),
    (NodeType.QUALITY_GATE_SUBJECT.value, 1),
)


def _verdict(run: ChainRun) -> tuple[SubjectOutcome, dict[str, Any] | None] | None:
    report = run.report or {}
    verdict = report.get("verdict")
    if verdict == "pass":
        return SubjectOutcome.SUCCEEDED, None
    # Refinement is asked for once: what still needs it afterwards has failed.
    if verdict == "refine" and run.step == 0:
        return None
    reasons = " ".join(_said(reason) for reason in report.get("reasons") or [])
    message = f"The cut-out did not pass the quality gate. {reasons}".strip()
    return SubjectOutcome.FAILED, {"code": "QUALITY_GATE", "message": message}


def _said(reason: Any) -> str:
    return str(reason.get("message", reason)) if isinstance(reason, dict) else str(reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """How a job ends."""

    target: JobStatus
    failure: dict[str, Any] | None = None


def end_of_job(outcomes: Sequence[SubjectOutcome]) -> End:
    """The terminal status for these results, and the failure where there is one."""
    count = {outcome: list(outcomes).count(outcome) for outcome in SubjectOutcome}
    lost = count[SubjectOutcome.FAILED] + count[SubjectOutcome.REJECTED]
    if not lost:
        return End(target=JobStatus.SUCCEEDED)
    if count[SubjectOutcome.SUCCEEDED]:
        return End(target=JobStatus.PARTIAL_SUCCEEDED)
    if count[SubjectOutcome.FAILED]:
        message = "No subject came through: see each result's reason."
        return End(
            target=JobStatus.FAILED,
            failure={"code": "ALL_SUBJECTS_FAILED", "message": message, "retryable": False},
        )
    if count[SubjectOutcome.SKIPPED]:
        return End(target=JobStatus.PARTIAL_SUCCEEDED)
    message = "No box was recognised in the second round either. Start a new job to try again."
    return End(
        target=JobStatus.FAILED, failure={"code": "ALL_REJECTED", "message": message, "retryable": False}
    )
