"""POST /tasks/{id}/submit."""

from uuid import uuid4

import pytest

from locks.models import TaskLock
from tests.support.editing import CUP_ITEM, SPOON_ITEM, a_desk
from tests.support.pipeline import a_job

pytestmark = pytest.mark.django_db
PATH = "tasks/{task}/submit"


def ready():
    desk = a_desk()
    desk.claim("anna")
    desk.save("anna", [CUP_ITEM])
    desk.confirm("anna")
    return desk


def test_submitting_sends_it_to_review_and_lets_the_lock_go():
    desk = ready()
    answer = desk.submit("anna", lock_token=desk.tokens["anna"], expected_draft_version=1)
    assert (answer.status, answer.body["task"]["status"]) == (200, "review")
    assert answer.body["task"]["lock"] is None
    assert not TaskLock.objects.filter(task=desk.task).exists()
    desk.task.refresh_from_db()
    assert desk.task.submitted_by == desk.house.anna
    assert desk.task.submitted_at is not None
    assert desk.audited()[-2:] == ["task.submit", "lock.release"]
    assert desk.events()[-2:] == ["task.status", "lock.changed"]


def test_a_repeated_request_has_its_first_reply_and_without_an_id_the_state_decides():
    desk = ready()
    sent = {"request_id": str(uuid4())}
    first = desk.call("anna", "post", PATH, sent)
    assert desk.call("anna", "post", PATH, sent).raw == first.raw
    assert desk.audited().count("task.submit") == 1
    answer = desk.refused("anna", "post", PATH, {}, status=409, code="ILLEGAL_TRANSITION")
    assert answer.body["snapshot"]["status"] == "review"


def test_what_is_not_confirmed_is_not_submitted():
    desk = a_desk()
    desk.claim("anna")
    desk.refused("anna", "post", PATH, {}, status=409, code="NOT_CONFIRMED")
    desk.save("anna", [CUP_ITEM])
    desk.confirm("anna")
    desk.save("anna", [SPOON_ITEM])
    desk.refused("anna", "post", PATH, {}, status=409, code="NOT_CONFIRMED")
    answer = desk.refused(
        "anna", "post", PATH, {"expected_draft_version": 1}, status=409, code="VERSION_CONFLICT"
    )
    assert answer.body["snapshot"]["draft"]["version"] == 2


def test_a_live_job_comes_first():
    desk = a_desk()
    a_job(desk.house, task=desk.task)
    desk.claim("anna")
    answer = desk.refused("anna", "post", PATH, {}, status=409, code="JOB_ACTIVE")
    assert answer.body["snapshot"]["job"]["status"] == "DETECTING"


def test_pins_of_the_last_rejection_have_to_be_answered_but_confirmation_comes_before_them():
    desk = ready()
    desk.submit("anna")
    desk.review_claim("rita")
    pins = [{"x": 1, "y": 2, "text": "here"}, {"x": 3, "y": 4, "text": "and here"}]
    rejected = desk.reject("rita", pins=pins).body["task"]["last_decision"]["pins"]
    desk.claim("anna")
    desk.refused("anna", "post", PATH, {}, status=409, code="PINS_OPEN")
    desk.save("anna", [SPOON_ITEM])
    desk.refused("anna", "post", PATH, {}, status=409, code="NOT_CONFIRMED")
    desk.confirm("anna")
    for pin in rejected:
        desk.refused("anna", "post", PATH, {}, status=409, code="PINS_OPEN")
        desk.call("anna", "post", f"tasks/{{task}}/pins/{pin['id']}/answer", {})
    assert desk.submit("anna").status == 200


def test_who_may_submit_and_when():
    desk = a_desk()
    desk.refused("anna", "post", PATH, {}, status=409, code="ILLEGAL_TRANSITION")
    desk.claim("anna")
    desk.save("anna", [CUP_ITEM])
    desk.confirm("anna")
    desk.refuses_others("post", PATH, {})
    for who in ("abel", "rita", "olga", "root"):
        desk.refused(who, "post", PATH, {}, status=409, code="LOCK_HELD")
    token = desk.tokens["anna"] + 1
    desk.refused("anna", "post", PATH, {"lock_token": token}, status=409, code="LOCK_LOST")
    answer = desk.refused("anna", "post", PATH, {"nonsense": 1}, status=400, code="VALIDATION_FAILED")
    assert answer.fields == ["nonsense"]


def test_staff_takes_a_free_lock_for_it_and_an_annotator_needs_to_hold_it():
    desk = ready()
    desk.call("anna", "delete", "tasks/{task}/lock?client_id=page of anna")
    desk.refused("anna", "post", PATH, {}, status=409, code="LOCK_LOST")
    assert desk.submit("rita").body["task"]["status"] == "review"
    assert not TaskLock.objects.filter(task=desk.task).exists()
