"""POST /tasks/{id}/reject."""

from uuid import uuid4

import pytest

from locks.models import TaskLock
from review.models import Pin
from tests.support.editing import SPOON_ITEM, a_desk

pytestmark = pytest.mark.django_db
PATH = "tasks/{task}/reject"
BODY = {"reason": "The box is too large."}
PIN = {"x": 5, "y": 6.5, "text": "here"}


def test_rejecting_sends_it_back_to_its_annotator_with_why_and_where():
    desk = a_desk().in_review()
    desk.review_claim("rita")
    answer = desk.reject("rita", annotation_revision=1, pins=[PIN])
    task = answer.body["task"]
    assert (answer.status, task["status"], task["lock"]) == (200, "pending", None)
    last = task["last_decision"]
    assert (last["decision"], last["reason"], last["by"]["id"]) == (
        "reject",
        BODY["reason"],
        str(desk.house.rita.pk),
    )
    pin = Pin.objects.get(task=desk.task)
    assert last["pins"] == [
        {"id": str(pin.pk), "x": 5.0, "y": 6.5, "text": "here", "answer": None, "answered_at": None}
    ]
    desk.task.refresh_from_db()
    assert (desk.task.assignee, desk.task.is_reserved) == (desk.house.anna, True)
    assert not TaskLock.objects.filter(task=desk.task).exists()
    assert desk.audited()[-2:] == ["task.reject", "lock.release"]
    assert desk.events()[-3:] == ["decision.made", "task.status", "lock.changed"]
    assert desk.call("abel", "post", "tasks/{task}/claim", {"client_id": "x"}).status == 403
    desk.claim("anna")


def test_a_repeated_request_has_its_first_reply():
    desk = a_desk().in_review()
    desk.review_claim("rita")
    sent = BODY | {"request_id": str(uuid4()), "pins": [PIN]}
    first = desk.call("rita", "post", PATH, sent)
    before = desk.everything()
    assert desk.call("rita", "post", PATH, sent).raw == first.raw
    assert desk.everything() == before
    other = sent | {"reason": "Another."}
    desk.refused("rita", "post", PATH, other, status=409, code="IDEMPOTENCY_CONFLICT")


@pytest.mark.parametrize(
    ("sent", "status", "field"),
    [
        ({}, 400, "reason"),
        ({"reason": 5}, 400, "reason"),
        ({"reason": ""}, 422, "reason"),
        ({"reason": "  "}, 422, "reason"),
        (BODY | {"pins": [{"x": 1, "y": 1}]}, 400, "pins.0.text"),
        (BODY | {"pins": [{**PIN, "x": "1"}]}, 400, "pins.0.x"),
        (BODY | {"pins": [{**PIN, "z": 1}]}, 400, "pins.0.z"),
        (BODY | {"pins": [PIN, {**PIN, "x": 160}]}, 422, "pins.1"),
        (BODY | {"pins": [{**PIN, "text": " "}]}, 422, "pins.0.text"),
        (BODY | {"annotation_revision": 0}, 400, "annotation_revision"),
    ],
)
def test_what_a_rejection_has_to_say(sent, status, field):
    desk = a_desk().in_review()
    desk.review_claim("rita")
    answer = desk.refused("rita", "post", PATH, sent, status=status, code="VALIDATION_FAILED")
    assert answer.fields == [field]


def test_who_may_reject_and_when():
    desk = a_desk()
    desk.refused("rita", "post", PATH, BODY, status=409, code="ILLEGAL_TRANSITION")
    desk.in_review()
    desk.refuses_others("post", PATH, BODY, forbidden=("vera", "anna", "abel"))
    desk.refused("rita", "post", PATH, BODY, status=409, code="LOCK_LOST")
    desk.review_claim("rita")
    desk.refused("olga", "post", PATH, BODY, status=409, code="LOCK_HELD")
    sent = BODY | {"annotation_revision": 2}
    desk.refused("rita", "post", PATH, sent, status=409, code="STALE_REVISION")
    desk.save("rita", [SPOON_ITEM])
    desk.confirm("rita")
    desk.refused("rita", "post", PATH, BODY, status=403, code="FOUR_EYES")


def test_one_of_all_rejects_and_several_rejections_bring_all_their_pins():
    desk = a_desk(required_approvals=2, review_rule="all").in_review()
    desk.review_claim("rita")
    assert desk.reject("rita").body["task"]["status"] == "pending"
    both = a_desk(required_approvals=3, review_rule="majority").in_review()
    for who in ("rita", "ravi"):
        both.review_claim(who)
    assert both.reject("rita", "Too large.", pins=[PIN]).body["task"]["status"] == "review"
    last = both.reject("ravi", "Too small.", pins=[{**PIN, "text": "there"}]).body["task"]["last_decision"]
    assert last["reason"] == "Too large.\n\nToo small."
    assert [pin["text"] for pin in last["pins"]] == ["here", "there"]
