"""A member is removed while a request of theirs is under way: nothing of it stays behind."""

import functools
import threading
from typing import Any
from unittest import mock

import pytest

from locks.models import TaskLock
from tasks.operations import acquire_lock, claim, next_task
from tests.support.pipeline import a_house
from tests.support.racing import at_once, until_somebody_waits
from tests.support.workflow import call, task_in

WAYS = {
    "claim": ("post", "tasks/{task}/claim", (claim, "lock_task")),
    "next": ("post", "projects/{project}/next", (next_task, "lock_task")),
    "lock": ("put", "tasks/{task}/lock", (acquire_lock, "lock_task")),
}


@pytest.mark.parametrize("way", WAYS)
def test_the_removal_waits_and_frees_what_was_just_taken(committed_db: str, way: str) -> None:
    house = a_house()
    task = task_in(house.inbox)
    method, path, (module, name) = WAYS[way]
    is_authorised = threading.Event()
    plain = getattr(module, name)

    def slowly(*arguments: Any, **named: Any) -> Any:
        is_authorised.set()
        until_somebody_waits()
        return plain(*arguments, **named)

    def remove() -> Any:
        assert is_authorised.wait(20)
        return call(house.olga, "delete", f"projects/{house.project.pk}/members/{house.anna.pk}")

    take = functools.partial(
        call, house.anna, method, path.format(task=task.pk, project=house.project.pk), {"client_id": "page"}
    )
    with mock.patch.object(module, name, slowly):
        taken, removed = at_once([take, remove])
    assert (taken.status, removed.status) == (200, 204)
    assert not TaskLock.objects.filter(user=house.anna).exists()


def test_a_removal_that_is_first_is_obeyed(committed_db: str) -> None:
    house = a_house()
    task = task_in(house.inbox)
    assert call(house.olga, "delete", f"projects/{house.project.pk}/members/{house.anna.pk}").status == 204
    answer = call(house.anna, "post", f"tasks/{task.pk}/claim", {"client_id": "page"})
    assert (answer.status, answer.code) == (404, "NOT_FOUND")
