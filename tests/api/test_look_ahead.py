"""The workbench's look ahead names the picture that "next" then gives, and claims nothing."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from locks.models import TaskLock
from tasks.domain.statuses import Status
from tasks.models import Project, Task, User
from tests.support.pipeline import a_house
from tests.support.workflow import a_batch, call, held_by, task_in

pytestmark = pytest.mark.django_db
MOST_QUERIES = 13


def ahead(user: User, task: Task) -> Any:
    client = Client()
    client.force_login(user)
    return client.get(f"/tasks/{task.pk}/ahead/")


def pictures(user: User, task: Task) -> list[str]:
    answer = ahead(user, task)
    assert answer.status_code == 200
    return list(answer.json()["pictures"])


def given(user: User, project: Project, what: str = "next") -> str:
    """The picture of the task that "next" gives."""
    body = call(user, "post", f"projects/{project.pk}/{what}", {"client_id": "page"}).body
    return str(body["task"]["asset"]["image_url"])


def at_hand(house: Any) -> Task:
    """The task that Anna is just finishing."""
    task = task_in(house.inbox, Status.IN_PROGRESS, assignee=house.anna)
    held_by(task, house.anna)
    return task


def hand_in(task: Task) -> None:
    TaskLock.objects.filter(task=task).delete()
    Task.objects.filter(pk=task.pk).update(status=Status.REVIEW)


@pytest.mark.parametrize("sampling", list(Project.Sampling))
def test_it_names_what_next_gives_by_each_sampling(sampling: Project.Sampling) -> None:
    house = a_house(sampling=sampling)
    second = a_batch(house.project, house.anna)
    for number in range(6):
        task = task_in(house.inbox if number % 2 else second, order=6 - number)
        Task.objects.filter(pk=task.pk).update(model_confidence=(number * 7 % 5) / 5)
    task = at_hand(house)
    told = pictures(house.anna, task)
    assert len(told) == len(set(told)) == 3
    hand_in(task)
    assert given(house.anna, house.project) == told[0]


def test_what_came_back_and_what_was_left_comes_first() -> None:
    house = a_house()
    task_in(house.inbox)
    task = at_hand(house)
    left = task_in(house.inbox, Status.IN_PROGRESS, assignee=house.anna)
    assert pictures(house.anna, task)[0] == f"/api/v1/assets/{left.asset_id}/image"
    returned = task_in(house.inbox, assignee=house.anna, is_reserved=True)
    told = pictures(house.anna, task)
    assert told[0] == f"/api/v1/assets/{returned.asset_id}/image"
    hand_in(task)
    assert given(house.anna, house.project) == told[0]


def test_not_what_others_hold_nor_the_task_at_hand() -> None:
    house = a_house()
    held_by(task_in(house.inbox), house.abel)
    only_looked_at = task_in(house.inbox)
    assert pictures(house.anna, only_looked_at) == []


def test_a_reviewer_in_review_is_told_the_next_review() -> None:
    house = a_house()
    reviews = [
        task_in(house.inbox, Status.REVIEW, confirmed_by=house.anna, submitted_by=house.anna)
        for _ in range(3)
    ]
    task_in(house.inbox)
    told = pictures(house.rita, reviews[0])
    Task.objects.filter(pk=reviews[0].pk).update(status=Status.COMPLETED)
    assert given(house.rita, house.project, "next-review") == told[0]
    # The annotator cannot review: the next one to work on.
    assert pictures(house.anna, reviews[1])[0] not in told


def test_it_changes_nothing_locks_no_row_and_costs_little() -> None:
    house = a_house()
    for _ in range(3):
        task_in(a_batch(house.project, house.anna))
    task = at_hand(house)
    before = list(Task.objects.order_by("pk").values()), TaskLock.objects.count()
    client = Client()
    client.force_login(house.anna)
    with CaptureQueriesContext(connection) as queries:
        assert client.get(f"/tasks/{task.pk}/ahead/").status_code == 200
    assert len(queries) <= MOST_QUERIES
    assert not [query for query in queries if re.search(r"FOR (NO KEY )?UPDATE", query["sql"])]
    assert (list(Task.objects.order_by("pk").values()), TaskLock.objects.count()) == before


def test_strangers_find_nothing_and_viewers_have_no_next() -> None:
    house = a_house()
    task_in(house.inbox)
    task = at_hand(house)
    assert ahead(house.people["stranger"], task).status_code == 404
    assert pictures(house.people["vera"], task) == []
