"""The review queue's order and its reasons."""

import pytest

from review.models import Prediction
from review.queries.review_cards import review_cards
from review.queries.review_queue import Need, by_need, need_of
from tasks.models import Task
from tasks.operations.transactions import db_now
from tests.support.editing import CUP_ITEM, SPOON_ITEM, Desk, a_desk
from tests.support.pipeline import a_task

pytestmark = pytest.mark.django_db


def suggest(desk, *, config_version=1, **more):
    active = desk.detected(("b1", [0, 0, 9, 9]))
    Prediction.objects.create(
        task=desk.task, candidate_set=active, config_version=config_version, created_at=db_now(), **more
    )


def change(desk, **columns):
    Task.objects.filter(pk=desk.task.pk).update(**columns)


def test_what_needs_a_person_most_comes_first_and_says_why():
    first = a_desk().in_review()
    desks = [first, *(Desk(first.house, a_task(first.house)).in_review() for _ in range(9))]
    oldest, stale, warned, unsure, count, broken, partial, failed, difficult, youngest = desks
    suggest(stale, config_version=7)
    suggest(warned, warnings=[{"code": "UNCERTAIN"}])
    change(unsure, model_confidence=0.4)
    change(count, selection_mode="ordered", targets=["cup", "spoon"])
    suggest(broken, applicable=False)
    change(partial, job_status="PARTIAL_SUCCEEDED")
    change(failed, job_status="FAILED")
    change(difficult, mark="difficult")
    queue = list(by_need(Task.objects.filter(project=first.house.project)))
    expected = [difficult, failed, broken, partial, count, warned, unsure, stale, oldest, youngest]
    assert [task.pk for task in queue] == [desk.task.pk for desk in expected]
    assert [need_of(task).reason for task in queue] == [
        "difficult",
        "failed_recognition",
        "incomplete",
        "incomplete",
        "count",
        "uncertain",
        "uncertain",
        "stale",
        "age",
        "age",
    ]


@pytest.mark.parametrize(
    ("mode", "targets", "items", "need"),
    [
        ("free", [], [CUP_ITEM, SPOON_ITEM], Need.AGE),
        ("single", [], [CUP_ITEM], Need.AGE),
        ("single", [], [CUP_ITEM, SPOON_ITEM], Need.COUNT),
        ("all", [], [CUP_ITEM], Need.AGE),
        ("ordered", ["cup", "spoon"], [CUP_ITEM, SPOON_ITEM], Need.AGE),
        ("ordered", ["cup"], [CUP_ITEM, SPOON_ITEM], Need.COUNT),
    ],
)
def test_the_number_of_items_is_held_against_the_question(mode, targets, items, need):
    desk = a_desk().in_review(items=items)
    change(desk, selection_mode=mode, targets=targets)
    assert need_of(by_need(Task.objects.filter(pk=desk.task.pk)).get()) == need


def test_a_suggestion_that_is_current_and_sure_is_no_reason():
    desk = a_desk().in_review()
    suggest(desk)
    assert need_of(by_need(Task.objects.filter(pk=desk.task.pk)).get()) == Need.AGE


def test_the_next_review_is_the_first_of_the_queue_and_the_page_says_why():
    first = a_desk().in_review()
    second = Desk(first.house, a_task(first.house)).in_review()
    change(second, job_status="PARTIAL_SUCCEEDED")
    cards, count = review_cards(project=first.house.project, viewer=first.house.rita)
    assert (count, [card.task.pk for card in cards]) == (2, [second.task.pk, first.task.pk])
    assert [card.reasons for card in cards] == [["incomplete"], ["oldest"]]
    path = f"projects/{first.house.project.pk}/next-review"
    answer = first.call("rita", "post", path, {"client_id": "page"})
    assert answer.body["task"]["id"] == str(second.task.pk)
