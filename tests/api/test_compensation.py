"""POST /jobs/{id}/compensate: a person is asked after all, by a new job; the old one stays as it is."""

from uuid import uuid4

import pytest

from review.models import Job, NodeRun, Pause, PolicyAct
from review.operations.compensate_job import compensate_job
from review.queries.invariants import violations
from tasks.domain.errors import RoleForbidden
from tasks.domain.matrix import Role
from tasks.domain.policies import PolicyKind
from tasks.models import AuditEntry, Batch, Task
from tests.support.pipeline import (
    CUP,
    NOWHERE,
    TABLE,
    a_house,
    a_job,
    answer_to,
    detected,
    finalized,
    no_key,
    processed,
    send,
    waiting,
)
from tests.support.policies import HOUR, declared, sweep, waited
from tests.support.unchanged import unchanged
from tests.support.workflow import call, held_by

pytestmark = pytest.mark.django_db


def decided(house, *, ended=True):
    """A job that the timeout default has answered."""
    declared(house, PolicyKind.TIMEOUT_DEFAULT)
    job, _ = waiting(house)
    waited(job, HOUR + 1)
    assert sweep() == (1, 0, 0, 0)
    if ended:
        processed(job)
        finalized()
    return Job.objects.get(pk=job.pk)


def compensate(user, job, **body):
    return call(user, "post", f"jobs/{job.pk}/compensate", body)


def rows_of(job):
    return (
        Job.objects.filter(pk=job.pk).values().get(),
        list(Pause.objects.filter(job=job).values()),
        list(NodeRun.objects.filter(job=job).order_by("pk").values()),
        list(PolicyAct.objects.filter(job=job).values()),
    )


def test_a_new_job_refers_to_the_old_one_which_does_not_change():
    house = a_house()
    old = decided(house)
    before = rows_of(old)
    results = call(house.anna, "get", f"jobs/{old.pk}/results").body
    answer = compensate(house.anna, old)
    assert answer.status == 202
    new = Job.objects.get(pk=answer.body["job_id"])
    assert answer.body == {
        "accepted": True,
        "job_id": str(new.pk),
        "task_id": str(old.task_id),
        "status": "DETECTING",
        "compensates": str(old.pk),
    }
    assert (new.task_id, new.compensates_id, new.created_by_id) == (old.task_id, old.pk, house.anna.pk)
    assert call(house.anna, "get", f"jobs/{new.pk}").body["compensates"] == str(old.pk)
    entry = AuditEntry.objects.filter(action="job.create").latest("id")
    assert (entry.actor_id, entry.after["compensates"]) == (house.anna.pk, str(old.pk))
    # A person answers it, and what they keep replaces what the default had put into the draft.
    body = detected(new, CUP, TABLE)
    send(house, new, answer_to(body, body["box_list"]["boxes"][:1]))
    processed(new)
    finalized()
    draft = call(house.anna, "get", f"tasks/{old.task_id}/editor").body["draft"]
    assert [item["label"] for item in draft["items"]] == ["cup"]
    assert rows_of(old) == before
    assert call(house.anna, "get", f"jobs/{old.pk}/results").body == results
    assert violations() == []


def test_no_policy_acts_on_it():
    house = a_house()
    old = decided(house)
    declared(house, PolicyKind.ROUTING, threshold=0.1)
    declared(house, PolicyKind.TIMEOUT_TO_QUEUE)
    new = Job.objects.get(pk=compensate(house.anna, old).body["job_id"])
    body = detected(new, CUP)
    assert body["status"] == "WAITING_USER_SELECTION"
    assert "if_unanswered" not in body
    waited(new, 1000 * HOUR)
    with unchanged("a sweep"):
        assert sweep() == (0, 0, 0, 0)


def test_what_a_routing_let_through_can_be_asked_about_too():
    house = a_house()
    declared(house, PolicyKind.ROUTING)
    job = a_job(house)
    detected(job, CUP)
    processed(job)
    finalized()
    assert compensate(house.anna, job).status == 202


def test_the_same_request_starts_one_job():
    house = a_house()
    old = decided(house)
    request_id = str(uuid4())
    first = compensate(house.anna, old, request_id=request_id)
    with unchanged("a repeated request"):
        assert compensate(house.anna, old, request_id=request_id).raw == first.raw
        theirs = compensate(house.abel, old, request_id=request_id)
        second = compensate(house.anna, old)
    assert (theirs.status, theirs.code) == (409, "IDEMPOTENCY_CONFLICT")
    assert (second.status, second.code) == (409, "JOB_ACTIVE")


def test_while_the_old_one_runs_there_is_nothing_to_compensate_yet():
    house = a_house()
    old = decided(house, ended=False)
    with unchanged():
        answer = compensate(house.anna, old)
    assert (answer.status, answer.code) == (409, "JOB_ACTIVE")


def test_a_job_that_a_person_answered_is_not_compensated():
    house = a_house()
    declared(house, PolicyKind.TIMEOUT_DEFAULT)
    job, body = waiting(house)
    send(house, job, answer_to(body, []))
    with unchanged():
        answer = compensate(house.anna, job)
    assert (answer.status, answer.code) == (409, "ILLEGAL_TRANSITION")
    assert answer.body["snapshot"]["job_id"] == str(job.pk)


@pytest.mark.parametrize("status", ["completed", "review"])
def test_the_task_s_status_has_to_allow_a_job(status):
    house = a_house()
    old = decided(house)
    Task.objects.filter(pk=old.task_id).update(status="in_progress")
    Task.objects.filter(pk=old.task_id).update(status="review")
    if status == "completed":
        Task.objects.filter(pk=old.task_id).update(status=status)
    with unchanged():
        answer = compensate(house.anna, old)
        lost = compensate(house.rita, old)
    assert (answer.status, answer.code) == (409, "ILLEGAL_TRANSITION")
    assert lost.code == ("LOCK_LOST" if status == "review" else "ILLEGAL_TRANSITION")
    if status == "review":
        held_by(old.task, house.rita)
        assert compensate(house.rita, old).status == 202


def test_who_may():
    house = a_house()
    old = decided(house)
    with unchanged():
        vera = compensate(house.vera, old)
        stranger = compensate(house.stranger, old)
        nobody = compensate(None, old)
        missing = call(house.anna, "post", f"jobs/{uuid4()}/compensate", {})
        odd = compensate(house.anna, old, reason="x")
        key = no_key(house.vera, Role.VIEWER, "compensate_job")
        with pytest.raises(RoleForbidden):
            compensate_job(actor=house.vera, job_id=old.pk, request=key, context=NOWHERE)
    assert (vera.status, vera.code) == (403, "ROLE_FORBIDDEN")
    assert "annotator" in vera.body["required_roles"]
    assert (stranger.status, missing.status, nobody.status) == (404, 404, 401)
    assert (odd.status, odd.body["errors"][0]["field"]) == (400, "reason")
    Batch.objects.filter(pk=house.inbox.pk).update(open=False)
    Task.objects.filter(pk=old.task_id).update(assignee=house.anna)
    with unchanged():
        assert compensate(house.anna, old).status == 403
    assert compensate(house.rita, old).status == 202
