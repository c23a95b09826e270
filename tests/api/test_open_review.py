"""GET /tasks/{id}/editor while the task is in review: who has decided what, and whether I take part."""

import pytest

from tests.support.editing import SPOON_ITEM, a_desk

pytestmark = pytest.mark.django_db


def review(desk, who):
    return desk.editor(who)["review"]


def test_only_reviewers_see_it_and_only_in_review():
    desk = a_desk()
    assert review(desk, "rita") is None
    desk.in_review()
    for who in ("anna", "vera"):
        assert review(desk, who) is None
    assert review(desk, "rita") == {
        "required": 1, "rule": "any", "outcome": "open", "claimed": False, "decisions": []
    }  # fmt: skip
    desk.review_claim("rita")
    assert review(desk, "rita")["claimed"] is True
    assert review(desk, "ravi")["claimed"] is False
    desk.approve("rita")
    assert review(desk, "rita") is None


def test_with_several_reviewers_each_has_a_claim_and_the_others_decisions_are_shown():
    desk = a_desk(required_approvals=2, review_rule="majority").in_review()
    desk.review_claim("rita")
    desk.review_claim("ravi")
    assert [review(desk, who)["claimed"] for who in ("rita", "ravi", "olga")] == [True, True, False]
    desk.approve("rita", comment="Fine.")
    shown = review(desk, "ravi")
    assert (shown["required"], shown["rule"], shown["outcome"]) == (2, "majority", "open")
    (decision,) = shown["decisions"]
    assert (decision["decision"], decision["reason"]) == ("approve", "Fine.")
    assert decision["by"]["username"] == desk.house.rita.username
    desk.reject("ravi")
    assert review(desk, "olga")["outcome"] == "tie"


def test_decisions_on_an_older_revision_have_fallen_away():
    desk = a_desk(required_approvals=2, review_rule="all").in_review()
    desk.review_claim("rita")
    desk.approve("rita")
    desk.call("ravi", "put", "tasks/{task}/lock", {"client_id": "page of ravi"})
    assert desk.save("ravi", [SPOON_ITEM]).status == 200
    assert desk.confirm("ravi").status == 201
    assert review(desk, "ravi")["decisions"] == []
