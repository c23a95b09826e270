"""POST /tasks/{id}/approve: claims, revisions, four eyes, quorum."""

from uuid import uuid4

import pytest

from locks.models import TaskLock
from review.models import Decision, ReviewerAssignment
from tasks.models import AuditEntry
from tests.support.editing import SPOON_ITEM, a_desk

pytestmark = pytest.mark.django_db
PATH = "tasks/{task}/approve"
BODY = {"annotation_revision": 1}


def status(desk):
    desk.task.refresh_from_db()
    return desk.task.status


def test_approving_completes_the_task():
    desk = a_desk().in_review()
    desk.review_claim("rita")
    answer = desk.approve("rita", comment="Well done.")
    task = answer.body["task"]
    assert (answer.status, task["status"], task["lock"]) == (200, "completed", None)
    assert task["last_decision"]["decision"] == "approve"
    assert task["last_decision"]["reason"] == "Well done."
    assert task["last_decision"]["by"]["id"] == str(desk.house.rita.pk)
    assert not TaskLock.objects.filter(task=desk.task).exists()
    assert desk.audited()[-2:] == ["task.approve", "lock.release"]
    assert desk.events()[-3:] == ["decision.made", "task.status", "lock.changed"]
    desk.task.refresh_from_db()
    assert desk.task.reviewer is None


def test_a_repeated_request_has_its_first_reply():
    desk = a_desk().in_review()
    desk.review_claim("rita")
    sent = BODY | {"request_id": str(uuid4())}
    first = desk.call("rita", "post", PATH, sent)
    before = desk.everything()
    assert desk.call("rita", "post", PATH, sent).raw == first.raw
    assert desk.everything() == before
    desk.refused("ravi", "post", PATH, sent, status=409, code="IDEMPOTENCY_CONFLICT")
    desk.refused("rita", "post", PATH, BODY, status=409, code="ILLEGAL_TRANSITION")


def test_who_may_approve_and_when():
    desk = a_desk()
    desk.refused("rita", "post", PATH, BODY, status=409, code="ILLEGAL_TRANSITION")
    desk.in_review()
    desk.refuses_others("post", PATH, BODY, forbidden=("vera", "anna", "abel"))
    desk.refused("rita", "post", PATH, BODY, status=409, code="LOCK_LOST")
    desk.review_claim("rita")
    for who in ("ravi", "olga", "root"):
        desk.refused(who, "post", PATH, BODY, status=409, code="LOCK_HELD")
    for sent, field in (
        ({}, "annotation_revision"),
        (BODY | {"x": 1}, "x"),
        ({"annotation_revision": "1"}, None),
    ):
        answer = desk.refused("rita", "post", PATH, sent, status=400, code="VALIDATION_FAILED")
        assert answer.fields == [field or "annotation_revision"]


def test_holding_the_lock_without_having_claimed_the_review_is_not_enough():
    desk = a_desk().in_review()
    assert desk.call("rita", "put", "tasks/{task}/lock", {"client_id": "page"}).status == 200
    desk.refused("rita", "post", PATH, BODY, status=409, code="LOCK_LOST")


def test_a_revision_that_is_not_the_newest_is_not_approved():
    desk = a_desk().in_review()
    desk.review_claim("rita")
    answer = desk.refused("rita", "post", PATH, {"annotation_revision": 2}, status=409, code="STALE_REVISION")
    assert answer.body["snapshot"]["annotation_revision"] == 1
    desk.save("rita", [SPOON_ITEM], config={"expected_version": 1, "question": "Which?"})
    desk.refused("rita", "post", PATH, BODY, status=409, code="STALE_REVISION")


def test_four_eyes_a_corrected_revision_needs_another_reviewer():
    desk = a_desk().in_review()
    desk.review_claim("rita")
    desk.save("rita", [SPOON_ITEM])
    desk.confirm("rita")
    for more in ({}, {"override_reason": "I am sure."}):
        sent = {"annotation_revision": 2, **more}
        desk.refused("rita", "post", PATH, sent, status=403, code="FOUR_EYES")
    desk.call("rita", "delete", "tasks/{task}/lock?client_id=page of rita")
    desk.review_claim("ravi")
    assert desk.approve("ravi", 2).body["task"]["status"] == "completed"


def test_the_owner_may_override_four_eyes_with_a_reason_that_is_audited():
    desk = a_desk().in_review("olga")
    desk.review_claim("olga")
    desk.refused("olga", "post", PATH, BODY, status=403, code="FOUR_EYES")
    desk.refused("olga", "post", PATH, BODY | {"override_reason": " "}, status=403, code="FOUR_EYES")
    assert desk.approve("olga", override_reason="Nobody else is here.").status == 200
    entry = AuditEntry.objects.get(task_id=desk.task.pk, action="task.approve")
    assert (entry.after or {})["four_eyes_override"] == "Nobody else is here."
    assert Decision.objects.get(task=desk.task).override_reason == "Nobody else is here."


def test_another_admin_may_not_override_and_without_the_rule_nobody_needs_to():
    desk = a_desk().in_review("otto")
    desk.review_claim("otto")
    sent = BODY | {"override_reason": "I am sure."}
    desk.refused("otto", "post", PATH, sent, status=403, code="FOUR_EYES")
    free = a_desk(four_eyes=False).in_review("rita")
    free.review_claim("rita")
    assert free.approve("rita").status == 200


def test_majority_of_three():
    desk = a_desk(required_approvals=3, review_rule="majority").in_review()
    for who in ("rita", "ravi", "olga"):
        desk.review_claim(who)
    desk.refused("root", "post", PATH, BODY, status=409, code="LOCK_LOST")
    assert desk.approve("rita").body["task"]["status"] == "review"
    assert desk.audited()[-1] == "task.approve"
    assert not ReviewerAssignment.objects.filter(task=desk.task, reviewer=desk.house.rita).exists()
    desk.refused("rita", "post", PATH, BODY, status=409, code="LOCK_LOST")
    desk.review_claim("rita")
    desk.refused("rita", "post", PATH, BODY, status=409, code="ILLEGAL_TRANSITION")
    assert desk.approve("ravi").body["task"]["status"] == "completed"
    assert not ReviewerAssignment.objects.filter(task=desk.task).exists()
    assert desk.audited().count("task.approve") == 2


def test_any_one_decides_at_once_and_all_needs_each():
    desk = a_desk(required_approvals=2, review_rule="any").in_review()
    desk.review_claim("rita")
    assert desk.approve("rita").body["task"]["status"] == "completed"
    every = a_desk(required_approvals=2, review_rule="all").in_review()
    for who, expected in (("rita", "review"), ("ravi", "completed")):
        every.review_claim(who)
        assert every.approve(who).body["task"]["status"] == expected


def test_a_tie_goes_to_the_owner():
    desk = a_desk(required_approvals=2, review_rule="majority").in_review()
    for who in ("rita", "ravi", "otto", "olga"):
        desk.review_claim(who)
    desk.approve("rita")
    assert desk.reject("ravi").body["task"]["status"] == "review"
    desk.refused("otto", "post", PATH, BODY, status=403, code="ROLE_FORBIDDEN")
    assert desk.approve("olga").body["task"]["status"] == "completed"


def test_decisions_fall_away_when_a_newer_revision_is_confirmed():
    desk = a_desk(required_approvals=2, review_rule="all").in_review()
    desk.review_claim("rita")
    desk.approve("rita")
    desk.call("olga", "put", "tasks/{task}/lock", {"client_id": "page"})
    desk.save("olga", [SPOON_ITEM])
    desk.confirm("olga")
    desk.review_claim("ravi")
    assert desk.approve("ravi", 2).body["task"]["status"] == "review"
    desk.review_claim("rita")
    assert desk.approve("rita", 2).body["task"]["status"] == "completed"


def test_who_corrects_while_the_others_decide_loses_the_lock_with_the_review():
    desk = a_desk(required_approvals=2, review_rule="any").in_review()
    desk.review_claim("rita")
    desk.call("olga", "put", "tasks/{task}/lock", {"client_id": "page"})
    assert desk.approve("rita").body["task"]["lock"] is None
    assert not TaskLock.objects.filter(task=desk.task).exists()
    assert (
        AuditEntry.objects.get(task_id=desk.task.pk, reason="the review was decided").actor_id
        == desk.house.rita.pk
    )
