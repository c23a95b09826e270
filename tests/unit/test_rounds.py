"""What a validation leads to in each round, what an answer leads to, and how jobs end."""

import itertools

import pytest

from review.domain.boxes import MODEL, Box
from review.domain.job_states import JobStatus
from review.domain.next_step import (
    ChainRun,
    SubjectOutcome,
    end_of_job,
    step_after_intervention,
    subject_state,
)
from review.domain.rounds import RoundOutcome, judge


def box(box_id, **more):
    return Box(**({"box_id": box_id, "label": None, "bbox": (0, 0, 20, 20), "center": (10, 10)} | more))


def model(box_id, **more):
    return box(box_id, source=MODEL, label="cup", **more)


def answer(box_id, valid=True, **more):
    return {"box_id": box_id, "valid": valid, "label": "spoon", "score": 0.6} | more


@pytest.mark.parametrize(
    ("boxes", "outcome"),
    [
        ([], "EMPTY_SELECTION"),
        ([model("a")], "PROCESSING"),
        ([model("a"), box("b")], "VALIDATING"),
        ([model("a", target_policy="validate")], "VALIDATING"),
        ([model("a"), box("b", valid=True)], "PROCESSING"),
        ([model("a", target_policy="skip")], "FINALIZING"),
        ([model("a", target_policy="skip"), box("b", target_policy="skip")], "FINALIZING"),
        ([model("a", target_policy="skip"), model("b")], "PROCESSING"),
    ],
)
def test_the_table_of_answers(boxes, outcome):
    assert step_after_intervention(boxes).outcome == outcome


@pytest.mark.parametrize(
    ("round", "valid", "kept", "outcome"),
    [
        (1, True, True, "ALL_PASSED"),
        (1, False, True, "NEED_BATCH_REVISION"),
        (1, False, False, "NEED_BATCH_REVISION"),
        (2, True, False, "ALL_PASSED"),
        (2, False, True, "PARTIAL_APPROVED"),
        (2, False, False, "ALL_REJECTED"),
    ],
)
def test_the_rounds(round, valid, kept, outcome):
    boxes = [*([model("a")] if kept else []), box("b")]
    found = judge(
        boxes=boxes, answers=[answer("b", valid, code=None if valid else "TOO_SMALL")], round_number=round
    )
    assert found.outcome == RoundOutcome(outcome)
    assert [problem["box_id"] for problem in found.problems] == ([] if valid else ["b"])
    assert [each.box_id for each in found.approved] == [
        each.box_id for each in boxes if valid or each.box_id == "a"
    ]


def test_a_name_fills_an_empty_label_and_never_replaces_a_person_s():
    empty, named = box("a"), box("b", label="my thing")
    found = judge(boxes=[empty, named], answers=[answer("a"), answer("b")], round_number=1)
    assert [each.label for each in found.boxes] == ["spoon", "my thing"]
    assert [each.score for each in found.boxes] == [0.6, None]


def test_what_validation_was_asked_for_is_done_once():
    found = judge(boxes=[model("a", target_policy="validate")], answers=[answer("a")], round_number=1)
    assert (found.boxes[0].target_policy, found.boxes[0].valid) == ("segment", True)
    assert not found.boxes[0].needs_validation


@pytest.mark.parametrize(
    "answers", [[], [answer("x")], [answer("b"), answer("b")], [answer("b"), answer("a")]]
)
def test_answers_for_other_boxes_are_refused(answers):
    with pytest.raises(ValueError, match="exactly the boxes"):
        judge(boxes=[model("a"), box("b")], answers=answers, round_number=1)


def test_the_ends():
    outcomes = list(SubjectOutcome)
    for length in range(4):
        for chosen in itertools.product(outcomes, repeat=length):
            end = end_of_job(chosen)
            lost = {SubjectOutcome.FAILED, SubjectOutcome.REJECTED} & set(chosen)
            won = {SubjectOutcome.SUCCEEDED} & set(chosen)
            assert (end.failure is not None) == (end.target == JobStatus.FAILED)
            assert (end.target == JobStatus.SUCCEEDED) == (not lost)
            if lost and won:
                assert end.target == JobStatus.PARTIAL_SUCCEEDED
            if set(chosen) == {SubjectOutcome.REJECTED}:
                assert end.failure["code"] == "ALL_REJECTED"


def run(node_type, step=0, status="SUCCEEDED", **report):
    return ChainRun(
        node_type=node_type,
        step=step,
        status=status,
        report=report or {},
        error={"code": "X", "message": "y"},
    )


SEGMENT = run("SEGMENT_SUBJECT", mask="m1", cutout="c1")
REFINE = run("REFINE_SUBJECT", mask="m2", cutout="c2")


@pytest.mark.parametrize(
    ("chain", "outcome", "cutout"),
    [
        ([], None, ""),
        ([run("SEGMENT_SUBJECT", status="RUNNING")], None, ""),
        ([run("SEGMENT_SUBJECT", status="FAILED")], "failed", ""),
        ([SEGMENT], None, "c1"),
        ([SEGMENT, run("QUALITY_GATE_SUBJECT", verdict="pass")], "succeeded", "c1"),
        ([SEGMENT, run("QUALITY_GATE_SUBJECT", verdict="fail")], "failed", "c1"),
        ([SEGMENT, run("QUALITY_GATE_SUBJECT", verdict="refine")], None, "c1"),
        ([SEGMENT, run("QUALITY_GATE_SUBJECT", verdict="refine"), REFINE], None, "c2"),
        (
            [
                SEGMENT,
                run("QUALITY_GATE_SUBJECT", verdict="refine"),
                REFINE,
                run("QUALITY_GATE_SUBJECT", 1, verdict="pass"),
            ],
            "succeeded",
            "c2",
        ),
        (
            [
                SEGMENT,
                run("QUALITY_GATE_SUBJECT", verdict="refine"),
                REFINE,
                run("QUALITY_GATE_SUBJECT", 1, verdict="refine"),
            ],
            "failed",
            "c2",
        ),
        ([SEGMENT, run("QUALITY_GATE_SUBJECT", status="INTERRUPTED")], "failed", "c1"),
    ],
)
def test_the_chain_of_a_subject(chain, outcome, cutout):
    for order in (chain, list(reversed(chain))):
        state = subject_state(order)
        assert (state.outcome, state.cutout) == (outcome, cutout)
        assert (state.reason is not None) == (outcome == "failed")
