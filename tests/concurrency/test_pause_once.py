"""Many at once with real commits: a pause is consumed once, whoever asks and however often (I3, I4, I9)."""

import json
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from uuid import uuid4

import pytest
from django.db import connection

from review.domain.job_states import NodeType
from review.models import IgnoredReport, Intervention, NodeRun, Pause
from review.operations.cancel_job import cancel_job
from review.operations.receive_report import Receipt, receive_report
from review.operations.relay_outbox import publish_due, run_steps
from review.operations.take_run import take_run
from review.queries.invariants import violations
from review.queries.job_body import job_body
from tasks.domain.errors import Problem
from tasks.domain.matrix import Role
from tasks.models import OutboxMessage
from tests.support.pipeline import (
    CUP,
    NOWHERE,
    a_house,
    a_job,
    answer_to,
    fresh,
    no_key,
    queued,
    report,
    send,
    waiting,
)

MANY = 100


#: As many as a web process has connections.
WIDTH = 20


def at_once(*calls):
    """Run every call, WIDTH of them from the same instant on; what each returned or raised, in order."""
    barrier = threading.Barrier(min(len(calls), WIDTH))
    started = threading.local()

    def run(call):
        if not hasattr(started, "once"):
            started.once = True
            barrier.wait()
        try:
            return call()
        except Problem as problem:
            return problem
        finally:
            connection.close()

    with ThreadPoolExecutor(min(len(calls), WIDTH)) as pool:
        return list(pool.map(run, calls))


def codes(results):
    return Counter(result.code if isinstance(result, Problem) else "OK" for result in results)


def test_the_same_answer_a_hundred_times_at_once_has_one_effect(committed_db):
    house = a_house()
    job, body = waiting(house)
    answer = answer_to(body, body["box_list"]["boxes"])
    replies = at_once(*[lambda: send(house, job, answer)] * MANY)
    assert {reply.body for reply in replies} == {replies[0].body}
    assert replies[0].status == 200
    assert Intervention.objects.count() == 1
    assert NodeRun.objects.filter(job=job, node_type=NodeType.PROCESS_APPROVED_BOX_LIST).count() == 1
    assert fresh(job).version == 3
    assert violations() == []


def test_different_answers_at_once_one_wins_and_the_others_get_the_job(committed_db):
    house = a_house()
    job, body = waiting(house)
    answers = [answer_to(body, [], intervention_id=str(uuid4())) for _ in range(MANY)]
    results = at_once(*[lambda answer=answer: send(house, job, answer) for answer in answers])
    assert codes(results) == {"OK": 1, "VERSION_CONFLICT": MANY - 1}
    for result in results:
        if isinstance(result, Problem):
            assert result.fields["snapshot"]["status"] == "EMPTY_SELECTION"
    assert Intervention.objects.count() == 1
    assert violations() == []


def test_several_people_at_once(committed_db):
    house = a_house()
    job, body = waiting(house)
    names = ["anna", "abel", "rita", "otto", "olga"] * 4
    results = at_once(
        *[lambda name=name: send(house, job, answer_to(body, [], client_id=name), by=name) for name in names]
    )
    found = codes(results)
    assert found["OK"] == 1
    assert set(found) <= {"OK", "VERSION_CONFLICT", "LOCK_HELD"}
    assert all("snapshot" in result.fields for result in results if isinstance(result, Problem))
    assert violations() == []


def cancel(house, job):
    key = no_key(house.anna, Role.ANNOTATOR, "cancel_job")
    return cancel_job(actor=house.anna, job_id=job.pk, request=key, context=NOWHERE)


@pytest.mark.parametrize("_", range(5))
def test_an_answer_and_a_cancel_at_once_leave_one_of_the_two(committed_db, _):
    house = a_house()
    job, body = waiting(house)
    answered, cancelled = at_once(
        lambda: send(house, job, answer_to(body, body["box_list"]["boxes"])), lambda: cancel(house, job)
    )
    assert json.loads(cancelled.body)["status"] == fresh(job).status == "CANCELLED"
    if isinstance(answered, Problem):
        assert answered.code == "JOB_CANCELLED"
        assert Pause.objects.get(job=job).status == "CANCELLED"
    assert violations() == []


def test_one_message_many_times_is_one_run(committed_db):
    job = a_job(a_house())
    run = queued(job, NodeType.DETECT_SUBJECTS)
    taken = at_once(*[lambda n=n: take_run(run_id=run.pk, worker=f"test:{n}") for n in range(16)])
    assert [each.attempt for each in taken if each is not None] == [1]


def test_one_report_many_times_is_one_pause(committed_db):
    job = a_job(a_house())
    run = queued(job, NodeType.DETECT_SUBJECTS)
    assert take_run(run_id=run.pk, worker="test:1")
    found = {"boxes": [CUP], "warnings": []}
    receipts = at_once(*[lambda: receive_report(run_id=run.pk, attempt=1, report=found)] * 16)
    assert Counter(receipts) == {Receipt.ACCEPTED: 1, Receipt.DUPLICATE: 15}
    assert Pause.objects.filter(job=job).count() == 1
    assert violations() == []


@pytest.mark.parametrize("_", range(5))
def test_a_report_and_a_cancel_at_once_end_cancelled(committed_db, _):
    house = a_house()
    job = a_job(house)
    run = queued(job, NodeType.DETECT_SUBJECTS)
    assert take_run(run_id=run.pk, worker="test:1")
    found = {"boxes": [CUP], "warnings": []}
    receipt, _ = at_once(
        lambda: receive_report(run_id=run.pk, attempt=1, report=found), lambda: cancel(house, job)
    )
    assert fresh(job).status == "CANCELLED"
    assert IgnoredReport.objects.filter(run=run).exists() == (receipt == Receipt.IGNORED)
    assert violations() == []


def test_the_last_subjects_reporting_at_once_end_the_job_once(committed_db):
    house = a_house()
    job, body = waiting(house, *[CUP | {"bbox": [n, n, n + 20, n + 20]} for n in range(6)])
    boxes = body["box_list"]["boxes"]
    send(house, job, answer_to(body, boxes))
    report(queued(job, NodeType.PROCESS_APPROVED_BOX_LIST), {"subjects": [box["box_id"] for box in boxes]})
    for box in boxes:
        report(queued(job, NodeType.SEGMENT_SUBJECT, box_id=box["box_id"]), {"mask": "m", "cutout": "c"})
    gates = [queued(job, NodeType.QUALITY_GATE_SUBJECT, box_id=box["box_id"]) for box in boxes]
    receipts = at_once(*[lambda gate=gate: report(gate, {"verdict": "pass"}) for gate in gates])
    assert set(receipts) == {Receipt.ACCEPTED}
    assert OutboxMessage.objects.filter(kind="finalize_results").count() == 1
    done = at_once(run_steps, run_steps, run_steps)
    assert sum(done) == 1
    assert fresh(job).status == "SUCCEEDED"
    assert len(job_body(job.pk)["approved_box_list"]["boxes"]) == 6
    assert violations() == []


def test_two_relays_publish_each_message_once(committed_db):
    house = a_house()
    for _ in range(30):
        a_job(house)
    published = []

    def until_empty():
        while publish_due(publish=lambda task, payload: published.append(payload["run_id"])):
            pass

    at_once(until_empty, until_empty, until_empty)
    assert len(published) == len(set(published)) == 30
    assert not OutboxMessage.objects.filter(sent_at=None).exists()


def test_an_answer_repeated_while_it_is_being_given_is_not_given_twice(committed_db):
    house = a_house()
    job, body = waiting(house)
    answer = answer_to(body, body["box_list"]["boxes"])
    other = replace(answer, subjects=[], deleted_box_ids=[box["box_id"] for box in body["box_list"]["boxes"]])
    results = at_once(*[lambda: send(house, job, answer)] * 8, *[lambda: send(house, job, other)] * 8)
    found = codes(results)
    assert found == {"OK": 8, "IDEMPOTENCY_CONFLICT": 8}
    assert Intervention.objects.count() == 1
    assert violations() == []
