"""Reports doubled, reordered, late and after a cancel, answers repeated, leases lost: whatever the order, the
invariants hold after each step, and an end is an end (I3, I4, I6, I9)."""

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from review.domain.job_states import TERMINAL, NodeType
from review.models import NodeRun, SubjectResult
from review.operations.cancel_job import cancel_job
from review.operations.receive_report import receive_report
from review.operations.relay_outbox import run_steps
from review.operations.sweep_runs import sweep_runs
from review.operations.take_run import take_run
from review.queries.invariants import violations
from review.queries.job_body import job_body
from tasks.domain.errors import IllegalTransition, Problem
from tasks.domain.matrix import Role
from tasks.operations.transactions import db_now
from tests.support.pipeline import CUP, NOWHERE, TABLE, a_house, a_job, answer_to, fresh, no_key, send

pytestmark = pytest.mark.django_db


def a_report(run):
    """A report that keeps the contract of the run's node type."""
    match run.node_type:
        case NodeType.DETECT_SUBJECTS:
            return {"boxes": [CUP, TABLE], "warnings": []}
        case NodeType.VALIDATE_MANUAL_BOX_LIST:
            asked = run.input["items_to_validate"]
            return {
                "items": [
                    {"box_id": box["box_id"], "valid": bool(n % 2), "label": "cup"}
                    for n, box in enumerate(asked)
                ]
            }
        case NodeType.PROCESS_APPROVED_BOX_LIST:
            kept = [box for box in run.input["box_list"] if box["target_policy"] != "skip"]
            return {"subjects": [box["box_id"] for box in kept]}
        case NodeType.QUALITY_GATE_SUBJECT:
            return {"verdict": "refine" if run.step == 0 else "pass"}
        case NodeType.ENCODE_PICTURE:
            return {"encoding": "e"}
    return {"mask": "m", "cutout": "c"}


class Reports(RuleBasedStateMachine):
    """One job, a worker that forgets and repeats, people who answer twice and cancel."""

    def __init__(self):
        super().__init__()
        self.house = a_house()
        self.job = a_job(self.house)
        self.taken = []
        self.said = []
        self.answers = []
        self.end = None

    @initialize(head_start=st.integers(0, 8), keep=st.sampled_from(["all", "drawn"]))
    def go_ahead(self, head_start, keep):
        """Begin anywhere on the way, so that the late stages are met as often as the early ones."""
        for _ in range(head_start):
            self.work_well()
            self.answer(keep, "anna")

    def runs(self):
        runs = NodeRun.objects.filter(job=self.job)
        return list((runs.filter(status__in=["QUEUED", "RUNNING"]) or runs).order_by("created_at", "id"))

    @rule(pick=st.integers(0, 20))
    def take(self, pick):
        runs = self.runs()
        run = runs[pick % len(runs)]
        taken = take_run(run_id=run.pk, worker="test:1")
        if taken is not None:
            self.taken.append((run.pk, taken.attempt))

    @rule()
    def work_well(self):
        """A worker without any trouble does everything that is queued now."""
        for run in self.runs():
            taken = take_run(run_id=run.pk, worker="test:2")
            if taken is not None:
                said = {"report": a_report(run)}
                self.said.append((run.pk, taken.attempt, said))
                receive_report(run_id=run.pk, attempt=taken.attempt, **said)

    @precondition(lambda self: self.taken)
    @rule(
        pick=st.integers(0, 20),
        how=st.sampled_from(["ok", "ok", "ok", "ok", "ok", "ok", "retry", "fail", "broken"]),
    )
    def report(self, pick, how):
        run_id, attempt = self.taken[pick % len(self.taken)]
        said = {
            "ok": {"report": a_report(NodeRun.objects.get(pk=run_id))},
            "retry": {"error": {"code": "X", "message": "x", "retryable": True}},
            "fail": {"error": {"code": "X", "message": "x", "retryable": False}},
            "broken": {"report": {"nonsense": 1}},
        }[how]
        self.said.append((run_id, attempt, said))
        receive_report(run_id=run_id, attempt=attempt, **said)

    @precondition(lambda self: self.said)
    @rule(pick=st.integers(0, 50))
    def repeat_a_report(self, pick):
        run_id, attempt, said = self.said[pick % len(self.said)]
        before = job_body(self.job.pk)
        receive_report(run_id=run_id, attempt=attempt, **said)
        assert job_body(self.job.pk) == before

    @rule()
    def lose_every_lease(self):
        NodeRun.objects.filter(job=self.job, status="RUNNING").update(lease_until=db_now())

    @rule()
    def let_time_pass(self):
        NodeRun.objects.filter(job=self.job, status="QUEUED").update(available_at=db_now())

    @rule()
    def sweep(self):
        sweep_runs(messages_waiting=0)

    @rule()
    def relay(self):
        run_steps()

    @rule(keep=st.sampled_from(["all", "one", "drawn", "skip", "none"]), by=st.sampled_from(["anna", "abel"]))
    def answer(self, keep, by):
        body = job_body(self.job.pk)
        if body["active_pause"] is None:
            return
        boxes = body["box_list"]["boxes"]
        kept = {
            "all": boxes,
            "one": boxes[:1],
            "drawn": [*boxes, {"bbox": [1, 1, 30, 30]}, {"bbox": [50, 50, 90, 90]}],
            "skip": [box | {"target_policy": "skip"} for box in boxes],
            "none": [],
        }[keep]
        answer = answer_to(body, kept)
        try:
            reply = send(self.house, self.job, answer, by=by)
        except Problem as problem:
            if problem.status != 409:
                raise
            return
        self.answers.append((answer, by, reply))

    @precondition(lambda self: self.answers)
    @rule(pick=st.integers(0, 20))
    def repeat_an_answer(self, pick):
        answer, by, reply = self.answers[pick % len(self.answers)]
        before = job_body(self.job.pk)
        assert send(self.house, self.job, answer, by=by) == reply
        assert job_body(self.job.pk) == before

    @rule(chance=st.integers(0, 8))
    def cancel(self, chance):
        if chance:
            return
        key = no_key(self.house.anna, Role.ANNOTATOR, "cancel_job")
        try:
            cancel_job(actor=self.house.anna, job_id=self.job.pk, request=key, context=NOWHERE)
        except IllegalTransition:
            return

    @invariant()
    def what_must_hold_holds(self):
        assert violations() == []

    @invariant()
    def an_end_is_an_end(self):
        job = fresh(self.job)
        now = (job.status, job.version, job.last_event_seq, SubjectResult.objects.filter(job=job).count())
        if self.end is not None:
            assert now == self.end
        elif job.status in TERMINAL:
            self.end = now


def test_whatever_the_order():
    run_state_machine_as_test(
        Reports,
        settings=settings(
            max_examples=15, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
