"""POST /tasks/{id}/pins/{pin}/answer."""

from uuid import uuid4

import pytest

from review.models import Pin
from tests.support.editing import a_desk

pytestmark = pytest.mark.django_db


def rejected():
    desk = a_desk().in_review()
    desk.review_claim("rita")
    desk.reject("rita", pins=[{"x": 1, "y": 2, "text": "here"}])
    return desk, f"tasks/{{task}}/pins/{Pin.objects.get(task=desk.task).pk}/answer"


def test_an_answer_is_kept_and_shown_in_the_last_decision():
    desk, path = rejected()
    desk.claim("anna")
    answer = desk.call("anna", "post", path, {"text": "Moved it."})
    assert answer.status == 200
    shown = answer.body["task"]["last_decision"]["pins"][0]
    assert shown["answer"] == "Moved it."
    assert shown["answered_at"]
    pin = Pin.objects.get(task=desk.task)
    assert (pin.answer, pin.answered_by) == ("Moved it.", desk.house.anna)
    assert desk.audited()[-1] == "pin.answer"
    assert desk.told() == ("pin.answer", "anna")
    before = desk.audited(), desk.events()
    desk.call("anna", "post", path, {"text": "Moved it."})
    assert (desk.audited(), desk.events()) == before
    desk.call("anna", "post", path, {})
    pin.refresh_from_db()
    assert (pin.answer, pin.answered_at is not None) == ("", True)


def test_who_may_answer_and_when():
    desk, path = rejected()
    desk.refused("anna", "post", path, {}, status=409, code="ILLEGAL_TRANSITION")
    desk.claim("anna")
    desk.refuses_others("post", path, {})
    desk.refused("abel", "post", path, {}, status=409, code="LOCK_HELD")
    desk.refused("anna", "post", path, {"lock_token": 1}, status=409, code="LOCK_LOST")
    desk.refused("anna", "post", path, {"text": 5}, status=400, code="VALIDATION_FAILED")
    for nothing in (uuid4(), "x"):
        address = f"tasks/{{task}}/pins/{nothing}/answer"
        desk.refused("anna", "post", address, {}, status=404, code="NOT_FOUND")
    other, foreign = rejected()
    address = f"tasks/{desk.task.pk}/pins/" + foreign.split("/")[3] + "/answer"
    desk.refused("anna", "post", address, {}, status=404, code="NOT_FOUND")
    assert other.task.pk != desk.task.pk
