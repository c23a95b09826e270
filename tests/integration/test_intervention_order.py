"""Interventions: the order of the checks, repeated ones, and that a refusal changes nothing."""

import json

import pytest

from locks.models import TaskLock
from review.domain.job_errors import (
    JobCancelled,
    PauseNotActive,
    PauseTokenMismatch,
    RunActive,
    SubjectsIncomplete,
)
from review.domain.job_states import NodeType
from review.models import CandidateSet, Intervention, Job, NodeRun, Pause
from review.operations.cancel_job import cancel_job
from review.operations.dispatch_run import dispatch_run
from review.queries.invariants import violations
from review.queries.job_body import job_body
from tasks.domain.errors import (
    IdempotencyConflict,
    IllegalTransition,
    LockHeld,
    LockLost,
    NotFound,
    RoleForbidden,
    ValidationFailed,
    VersionConflict,
)
from tasks.domain.matrix import Role
from tasks.models import AuditEntry, Batch, Event, IdempotentRequest, OutboxMessage, Task
from tasks.operations.claim import claim_within
from tasks.operations.row_locks import lock_task
from tasks.operations.transactions import operation
from tests.support.pipeline import (
    NOWHERE,
    a_house,
    answer_to,
    fresh,
    no_key,
    send,
    waiting,
)

pytestmark = pytest.mark.django_db


def everything(job):
    """What a refused answer must not change."""
    tables = (
        Event,
        OutboxMessage,
        AuditEntry,
        CandidateSet,
        Intervention,
        IdempotentRequest,
        NodeRun,
        TaskLock,
    )
    return (
        job_body(job.pk),
        [table.objects.count() for table in tables],
        Task.objects.values_list("status", "version", "event_seq", "audit_head").get(pk=job.task_id),
        list(Pause.objects.filter(job=job).values_list("status", "pause_token")),
    )


def refuse(error, house, job, answer, *, by="anna"):
    before = everything(job)
    with pytest.raises(error) as caught:
        send(house, job, answer, by=by)
    assert everything(job) == before
    if caught.value.status == 409:
        assert caught.value.fields["snapshot"] == job_body(job.pk)
    assert violations() == []
    return caught.value


@operation
def held_by(house, job, name):
    claim_within(
        task=lock_task(job.task_id),
        actor=house.people[name],
        role=Role.ANNOTATOR,
        client_id="page",
        context=NOWHERE,
    )


def cancel(house, job, by="anna"):
    user = house.people[by]
    return cancel_job(
        actor=user, job_id=job.pk, request=no_key(user, Role.ANNOTATOR, "cancel_job"), context=NOWHERE
    )


def test_an_answer_claims_a_pending_task_and_lets_the_lock_go_without_a_page():
    house = a_house()
    job, body = waiting(house)
    send(house, job, answer_to(body, body["box_list"]["boxes"]))
    task = Task.objects.get(pk=job.task_id)
    assert (task.status, task.assignee) == ("in_progress", house.anna)
    assert not TaskLock.objects.filter(task=task).exists()
    assert violations() == []


def test_an_answer_from_a_page_keeps_its_lock():
    house = a_house()
    job, body = waiting(house)
    send(house, job, answer_to(body, [], client_id="page-1"))
    assert TaskLock.objects.get(task_id=job.task_id).client_id == "page-1"


def test_a_lock_held_before_is_kept_though_no_page_is_named():
    house = a_house()
    job, body = waiting(house)
    held_by(house, job, "anna")
    token = TaskLock.objects.get(task_id=job.task_id).token
    send(house, job, answer_to(body, []))
    lock = TaskLock.objects.get(task_id=job.task_id)
    assert (lock.token, lock.client_id) == (token, "page")


def test_somebody_else_s_lock_is_lock_held_with_the_job():
    house = a_house()
    job, body = waiting(house)
    held_by(house, job, "abel")
    problem = refuse(LockHeld, house, job, answer_to(body, []))
    assert problem.fields["holder"]["username"] == house.abel.username


def test_an_old_lock_token_is_lock_lost():
    house = a_house()
    job, body = waiting(house)
    held_by(house, job, "anna")
    refuse(LockLost, house, job, answer_to(body, [], lock_token=1))


def test_the_same_answer_again_gets_the_same_bytes():
    house = a_house()
    job, body = waiting(house)
    answer = answer_to(body, body["box_list"]["boxes"])
    first = send(house, job, answer)
    before = everything(job)
    assert send(house, job, answer) == first
    assert everything(job) == before


def test_the_same_answer_again_gets_its_reply_whatever_happened_meanwhile():
    house = a_house()
    job, body = waiting(house)
    answer = answer_to(body, body["box_list"]["boxes"])
    first = send(house, job, answer)
    cancel(house, job)
    held_by(house, job, "abel")
    assert send(house, job, answer) == first


def test_the_same_id_with_other_content_is_a_conflict():
    house = a_house()
    job, body = waiting(house)
    answer = answer_to(body, body["box_list"]["boxes"])
    send(house, job, answer)
    other = answer_to(body, [], intervention_id=answer.intervention_id)
    refuse(IdempotencyConflict, house, job, other)


def test_the_same_id_from_another_person_is_a_conflict():
    house = a_house()
    job, body = waiting(house)
    answer = answer_to(body, body["box_list"]["boxes"])
    send(house, job, answer)
    refuse(IdempotencyConflict, house, job, answer, by="abel")


def test_a_cancelled_job_takes_no_answer():
    house = a_house()
    job, body = waiting(house)
    cancel(house, job)
    refuse(JobCancelled, house, job, answer_to(body, []))


def test_another_version_is_a_conflict_even_with_the_right_token():
    house = a_house()
    job, body = waiting(house)
    refuse(VersionConflict, house, job, answer_to(body, [], base_version=1))


def test_a_consumed_pause_is_a_version_conflict_and_with_the_new_version_not_active():
    house = a_house()
    job, body = waiting(house)
    send(house, job, answer_to(body, body["box_list"]["boxes"]))
    refuse(VersionConflict, house, job, answer_to(body, []))
    refuse(PauseNotActive, house, job, answer_to(body, [], base_version=fresh(job).version))
    # Said before the boxes are looked at.
    impossible = [{"bbox": [-5, 0, 9000, 9000]}]
    refuse(PauseNotActive, house, job, answer_to(body, impossible, base_version=fresh(job).version))


def test_an_ended_job_has_no_active_pause():
    house = a_house()
    job, body = waiting(house)
    send(house, job, answer_to(body, []))
    refuse(PauseNotActive, house, job, answer_to(body, [], base_version=fresh(job).version))


def test_another_token_is_a_mismatch():
    house = a_house()
    job, body = waiting(house)
    refuse(PauseTokenMismatch, house, job, answer_to(body, [], pause_token="pause_other"))


@pytest.mark.parametrize(
    ("box", "field", "code"),
    [
        ({"bbox": [0, 0, 161, 20]}, "subjects.0.bbox", "out_of_range"),
        ({"bbox": [-1, 0, 20, 20]}, "subjects.0.bbox", "out_of_range"),
        ({"bbox": [5, 5, 5, 20]}, "subjects.0.bbox", "no_area"),
        ({"bbox": [20, 5, 5, 20]}, "subjects.0.bbox", "no_area"),
        ({"bbox": [0, 0, float("inf"), 20]}, "subjects.0.bbox", "not_finite"),
        ({"box_id": "box_0000", "bbox": [0, 0, 20, 20]}, "subjects.0.box_id", "unknown_box"),
        ({"label": "x"}, "subjects.0.bbox", "required"),
        ({"label": "x" * 101, "bbox": [0, 0, 20, 20]}, "subjects.0.label", "too_long"),
    ],
)
def test_a_box_that_cannot_be_is_named_with_its_field(box, field, code):
    house = a_house()
    job, body = waiting(house)
    answer = answer_to(body, [box], deleted_box_ids=None)
    if code == "not_finite":
        # What cannot be written as JSON never gets a request key; the shape check refuses it first.
        from review.operations.intervene import check_may_answer

        with pytest.raises(ValidationFailed) as caught:
            check_may_answer(actor=house.anna, job_id=job.pk, answer=answer)
        problem = caught.value
    else:
        problem = refuse(ValidationFailed, house, job, answer)
    assert problem.status == 422
    assert (field, code) in [(error.field, error.code) for error in problem.errors]
    assert Pause.objects.get(job=job).status == "WAITING"


def test_every_wrong_box_is_named_at_once():
    house = a_house()
    job, body = waiting(house)
    cup = body["box_list"]["boxes"][0]
    answer = answer_to(body, [cup, cup, {"bbox": [0, 0, 500, 10]}], deleted_box_ids=None)
    problem = refuse(ValidationFailed, house, job, answer)
    assert {(error.field, error.code) for error in problem.errors} == {
        ("subjects.1.box_id", "duplicate"),
        ("subjects.2.bbox", "out_of_range"),
    }


def test_more_than_64_boxes_are_refused():
    house = a_house()
    job, body = waiting(house)
    problem = refuse(
        ValidationFailed, house, job, answer_to(body, [{"bbox": [0, 0, 20, 20]}] * 65, deleted_box_ids=None)
    )
    assert [error.code for error in problem.errors] == ["too_many"]


@pytest.mark.parametrize(
    "box",
    [
        {"bbox": ["0", 0, 1, 1]},
        {"bbox": [True, 0, 1, 1]},
        {"bbox": [0, 0, 1]},
        {"label": 5},
        {"colour": 1},
        "box",
    ],
)
def test_a_wrong_type_is_a_400(box):
    house = a_house()
    job, body = waiting(house)
    problem = refuse(
        ValidationFailed,
        house,
        job,
        answer_to(body, [box], deleted_box_ids=None)
        if box != "box"
        else answer_to(body, [], subjects=["box"]),
    )
    assert problem.status == 400


def test_a_box_lost_by_a_client_is_not_a_box_that_a_person_deleted():
    house = a_house()
    job, body = waiting(house)
    cup, table = body["box_list"]["boxes"]
    problem = refuse(SubjectsIncomplete, house, job, answer_to(body, [cup], deleted_box_ids=[]))
    assert problem.fields == {"missing": [table["box_id"]], "unexpected": []}
    problem = refuse(SubjectsIncomplete, house, job, answer_to(body, [cup], deleted_box_ids=[cup["box_id"]]))
    assert problem.fields == {"missing": [table["box_id"]], "unexpected": [cup["box_id"]]}
    assert Pause.objects.get(job=job).status == "WAITING"


def test_the_diff_says_why_each_box_is_gone():
    house = a_house()
    job, body = waiting(house)
    cup, table = body["box_list"]["boxes"]
    new = {"box_id": "mine", "label": "spoon", "bbox": [70, 20, 110, 70]}
    send(house, job, answer_to(body, [cup | {"bbox": [10, 10, 70, 70]}, new]))
    diff = Intervention.objects.get(job=job).diff
    assert diff["edited"] == [cup["box_id"]]
    assert diff["kept"] == []
    assert len(diff["new"]) == 1
    assert diff["dropped"] == [{"box_id": table["box_id"], "why": "deleted"}]
    stored = {box["box_id"]: box for box in job_body(job.pk)["box_list"]["boxes"]}
    assert stored[cup["box_id"]] | {} == cup | {
        "bbox": [10, 10, 70, 70],
        "center": [40.0, 40.0],
        "edited": True,
    }
    assert stored[diff["new"][0]]["source"] == "manual"


def test_a_client_that_names_no_deletions_has_omitted_them():
    house = a_house()
    job, body = waiting(house)
    send(house, job, answer_to(body, [], deleted_box_ids=None))
    assert {each["why"] for each in Intervention.objects.get(job=job).diff["dropped"]} == {"omitted"}


def test_what_only_we_write_is_ignored():
    house = a_house()
    job, body = waiting(house)
    cup = body["box_list"]["boxes"][0]
    forged = cup | {"score": 1.0, "source": "manual", "edited": True, "center": [0, 0]}
    send(house, job, answer_to(body, [forged]))
    assert job_body(job.pk)["approved_box_list"]["boxes"] == [cup]


def test_a_candidate_id_is_a_box_id():
    house = a_house()
    job, body = waiting(house)
    cup, table = body["box_list"]["boxes"]
    send(house, job, answer_to(body, [{"candidate_id": cup["box_id"]}], deleted_box_ids=[table["box_id"]]))
    assert job_body(job.pk)["approved_box_list"]["boxes"] == [cup]


def test_strangers_see_nothing_and_viewers_may_not_answer():
    house = a_house()
    job, body = waiting(house)
    refuse(NotFound, house, job, answer_to(body, []), by="stranger")
    problem = refuse(RoleForbidden, house, job, answer_to(body, []), by="vera")
    assert "annotator" in problem.fields["required_roles"]


def test_an_annotator_answers_in_batches_of_their_own_only():
    house = a_house()
    job, body = waiting(house)
    Batch.objects.filter(pk=job.task.batch_id).update(open=False)
    refuse(NotFound, house, job, answer_to(body, []), by="abel")


def test_a_task_in_review_takes_no_answer():
    house = a_house()
    job, body = waiting(house)
    Task.objects.filter(pk=job.task_id).update(status="in_progress")
    Task.objects.filter(pk=job.task_id).update(status="review")
    refuse(IllegalTransition, house, job, answer_to(body, []), by="rita")


def test_another_run_of_the_task_has_to_end_first():
    house = a_house()
    job, body = waiting(house)

    @operation
    def a_run_of_the_workbench():
        task = lock_task(job.task_id)
        dispatch_run(task=task, job=None, node_type=NodeType.DETECT_REGION, node_input={}, actor=house.anna)

    a_run_of_the_workbench()
    problem = refuse(RunActive, house, job, answer_to(body, body["box_list"]["boxes"]))
    assert problem.fields["run"]["node_type"] == "DETECT_REGION"
    # Keeping nothing needs no worker.
    assert json.loads(send(house, job, answer_to(body, [])).body)["outcome"] == "EMPTY_SELECTION"


def test_the_audit_and_the_reply_are_one_with_the_answer():
    house = a_house()
    job, body = waiting(house)
    answer = answer_to(body, [])
    send(house, job, answer)
    row = AuditEntry.objects.get(task_id=job.task_id, action="job.intervention")
    assert (row.actor_id, row.role, row.after["outcome"]) == (house.anna.pk, "annotator", "EMPTY_SELECTION")
    stored = IdempotentRequest.objects.get(scope=f"job:{job.pk}", key=answer.intervention_id)
    assert json.loads(bytes(stored.reply))["version"] == Job.objects.get(pk=job.pk).version
