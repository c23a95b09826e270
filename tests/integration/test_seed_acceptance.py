"""The first seed's ten steps, on its own smoke test: two things to keep, one to leave out."""

import json

import pytest
from django.core.management import call_command

from review.domain.job_states import NodeType
from review.models import NodeRun, Pause
from review.operations.cancel_job import cancel_job
from review.operations.receive_report import Receipt, receive_report
from review.queries.invariants import violations
from review.queries.job_body import job_body
from tasks.domain.errors import Problem
from tasks.domain.matrix import Role
from tasks.models import Event
from tests.support.pipeline import (
    CUP,
    NOWHERE,
    TABLE,
    a_house,
    a_job,
    answer_to,
    detected,
    fresh,
    no_key,
    send,
    waiting,
)

pytestmark = pytest.mark.django_db
SHOES = (CUP | {"label": "shoe"}, CUP | {"label": "shoe", "bbox": [70.0, 10.0, 120.0, 60.0]})
HAND = TABLE | {"label": "hand"}


def refused(house, job, answer):
    with pytest.raises(Problem) as caught:
        send(house, job, answer)
    assert caught.value.status == 409
    assert caught.value.fields["snapshot"] == job_body(job.pk)
    return caught.value.code


def test_the_shoes_are_kept_and_the_hand_is_not():
    house = a_house()
    # 1. Asked at once, it detects.
    job = a_job(house)
    assert job_body(job.pk)["status"] == "DETECTING"
    # 2. The report has landed: a pause, WAITING, without a deadline.
    body = detected(job, *SHOES, HAND)
    assert body["active_pause"]["status"] == "WAITING"
    assert not {"timeout_at", "timeout_seconds", "auto_submit_on_timeout"} & set(body["active_pause"])
    # 3. The stream tells of the wait.
    assert Event.objects.filter(job_id=job.pk, type="pause.created").count() == 1
    # 4. A query brings the whole list back.
    assert [box["label"] for box in body["box_list"]["boxes"]] == ["shoe", "shoe", "hand"]
    # 5. Asked again, later, by whomever: the same token (the fault suite kills processes in between).
    assert job_body(job.pk) == body
    # 6. Only the shoes: the pause is consumed, the status has moved on.
    answer = answer_to(body, body["box_list"]["boxes"][:2])
    reply = send(house, job, answer)
    assert json.loads(reply.body)["outcome"] == "PROCESSING"
    assert Pause.objects.get(job=job).status == "CONSUMED"
    # 7. The same id again: the same reply, no second next step.
    assert send(house, job, answer) == reply
    assert NodeRun.objects.filter(job=job, node_type=NodeType.PROCESS_APPROVED_BOX_LIST).count() == 1
    # 8. Another id with the old token: 409 with what is now.
    assert refused(house, job, answer_to(body, [])) == "VERSION_CONFLICT"
    assert violations() == []


def test_nothing_kept_is_no_failure():
    house = a_house()
    job, body = waiting(house)
    send(house, job, answer_to(body, []))
    assert (fresh(job).status, fresh(job).failure) == ("EMPTY_SELECTION", None)


def test_a_cancelled_wait_is_not_brought_back_by_a_report():
    house = a_house()
    job, _ = waiting(house)
    key = no_key(house.anna, Role.ANNOTATOR, "cancel_job")
    cancel_job(actor=house.anna, job_id=job.pk, request=key, context=NOWHERE)
    run = NodeRun.objects.get(job=job, node_type=NodeType.DETECT_SUBJECTS)
    found = {"boxes": [CUP], "warnings": []}
    assert receive_report(run_id=run.pk, attempt=1, report=found) == Receipt.DUPLICATE
    assert receive_report(run_id=run.pk, attempt=2, report=found) == Receipt.IGNORED
    assert fresh(job).status == "CANCELLED"


def test_the_scanner_run_by_hand_consumes_nothing():
    house = a_house()
    job, body = waiting(house)
    Pause.objects.filter(job=job).update(created_at="2020-01-01T00:00:00Z")
    call_command("sweep_pauses")
    assert job_body(job.pk)["active_pause"]["pause_token"] == body["active_pause"]["pause_token"]


def test_the_second_tab_with_the_old_version_is_told_what_is_new():
    house = a_house()
    job, body = waiting(house)
    send(house, job, answer_to(body, [{"bbox": [1, 1, 40, 40]}], client_id="tab-1"))
    assert refused(house, job, answer_to(body, [], client_id="tab-2")) == "VERSION_CONFLICT"
