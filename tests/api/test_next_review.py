"""POST /projects/{id}/next-review gives what the person can decide: ties, decided ones, own corrections."""

import pytest

from tests.support.editing import SPOON_ITEM, a_desk

pytestmark = pytest.mark.django_db


def asks(desk, who):
    """`(task or None, why)` of the next review for `who`."""
    answer = desk.call(who, "post", f"projects/{desk.house.project.pk}/next-review", {"client_id": who})
    assert answer.status == 200, answer.body
    return (answer.body["task"] or {}).get("id"), answer.body.get("why")


def a_tie():
    desk = a_desk(required_approvals=2, review_rule="majority").in_review()
    for who in ("rita", "ravi", "otto"):
        desk.review_claim(who)
    desk.approve("rita")
    desk.reject("ravi")
    return desk


def test_a_tie_is_the_owners_and_nobody_elses():
    desk = a_tie()
    assert asks(desk, "otto") == (None, None)  # claimed it before the tie
    assert asks(desk, "root") == (None, None)
    assert asks(desk, "olga") == (str(desk.task.pk), "sequence")
    assert desk.approve("olga").body["task"]["status"] == "completed"


def test_who_looks_at_a_tie_does_not_keep_the_owner_from_it():
    desk = a_tie()
    desk.review_claim("root")
    desk.review_claim("rita")
    assert asks(desk, "olga") == (str(desk.task.pk), "sequence")


def test_one_decision_of_two_is_no_tie():
    desk = a_desk(required_approvals=2, review_rule="majority").in_review()
    desk.review_claim("rita")
    desk.reject("rita")
    assert asks(desk, "ravi") == (str(desk.task.pk), "sequence")


@pytest.mark.parametrize("end", ["removed", "another role"])
def test_a_claim_of_a_reviewer_who_is_none_any_more_does_not_count(end):
    desk = a_desk(required_approvals=2, review_rule="all").in_review()
    for who in ("rita", "ravi"):
        desk.review_claim(who)
    assert asks(desk, "otto") == (None, None)
    member = f"projects/{desk.house.project.pk}/members/{desk.house.people['ravi'].pk}"
    if end == "removed":
        desk.call("olga", "delete", member)
    else:
        desk.call("olga", "patch", member, {"role": "annotator"})
    assert asks(desk, "otto") == (str(desk.task.pk), "sequence")


def test_who_has_decided_is_not_given_the_same_again_though_they_look_at_it():
    desk = a_desk(required_approvals=2, review_rule="all").in_review()
    desk.review_claim("rita")
    desk.approve("rita")
    desk.review_claim("rita")
    assert asks(desk, "rita") == (None, None)


def test_a_newer_revision_is_for_those_who_decided_on_the_older_one():
    desk = a_desk(required_approvals=2, review_rule="all").in_review()
    desk.review_claim("rita")
    desk.approve("rita")
    desk.call("olga", "put", "tasks/{task}/lock", {"client_id": "page"})
    desk.save("olga", [SPOON_ITEM])
    desk.confirm("olga")
    desk.call("olga", "delete", "tasks/{task}/lock?client_id=page")
    assert asks(desk, "rita") == (str(desk.task.pk), "sequence")


def test_a_reviewer_goes_on_after_a_correction_which_is_for_another():
    desk = a_desk().in_review()
    desk.review_claim("rita")
    assert asks(desk, "rita") == (str(desk.task.pk), "resumed")
    desk.save("rita", [SPOON_ITEM])
    assert asks(desk, "rita") == (str(desk.task.pk), "resumed")  # not confirmed yet
    desk.confirm("rita")
    assert asks(desk, "rita") == (None, None)


def test_the_owner_stays_at_their_own_which_they_may_decide_on_with_a_reason():
    desk = a_desk().in_review(by="olga")
    desk.review_claim("olga")
    assert asks(desk, "olga") == (str(desk.task.pk), "resumed")


def test_a_hold_that_stops_the_work_takes_no_reviewer_either_where_several_review():
    desk = a_desk(required_approvals=2, review_rule="all").in_review()
    desk.review_claim("rita")
    hold = {"reason": "Wrong pictures.", "release_locks": True}
    assert desk.call("olga", "post", f"batches/{desk.task.batch_id}/hold", hold).status == 200
    assert asks(desk, "ravi") == (None, None)
    refused = desk.call("ravi", "post", "tasks/{task}/review-claim", {"client_id": "page"})
    assert (refused.status, refused.code) == (409, "BATCH_ON_HOLD")
    desk.review_claim("rita")  # theirs already
