"""People who press "next" at the same moment get different tasks, always."""

import functools
import os
from uuid import UUID, uuid4

import pytest

from locks.models import TaskLock
from tasks.domain.statuses import Status
from tasks.models import BatchCount, Project, Task, User
from tests.support.pipeline import a_house
from tests.support.racing import at_once
from tests.support.workflow import a_batch, annotators, call, held_by, many_tasks, task_in

#: More of them where a night is to be spent on it.
ROUNDS = int(os.environ.get("NEXT_ROUNDS", "1"))


def press(user: User, project: Project, request_id: str | None = None) -> tuple[UUID | None, str]:
    """Press "next": the task and why, or the code of a refusal."""
    body = {"client_id": "page", **({"request_id": request_id} if request_id else {})}
    answer = call(user, "post", f"projects/{project.pk}/next", body)
    assert answer.status == 200, answer.body
    task = answer.body["task"]
    return (None, "") if task is None else (UUID(task["id"]), answer.body["why"])


@pytest.mark.parametrize("sampling", ["sequence", "random"])
def test_sixty_four_people_get_sixty_four_tasks(committed_db: str, sampling: str) -> None:
    house = a_house(sampling=sampling)
    for _ in range(ROUNDS):
        people = annotators(house.project, 64)
        wanted = set(many_tasks(house.inbox, 64))
        got = at_once([functools.partial(press, user, house.project) for user in people])
        assert {task for task, _ in got} == wanted
        assert {why for _, why in got} == {sampling}
        for user, (task_id, _) in zip(people, got, strict=True):
            task = Task.objects.get(pk=task_id)
            assert (task.status, task.assignee) == (Status.IN_PROGRESS, user)
            assert TaskLock.objects.get(task=task).user == user
        counts = BatchCount.objects.filter(batch=house.inbox, status=Status.PENDING)
        assert sum(counts.values_list("delta", flat=True)) == 0


def test_more_people_than_tasks(committed_db: str) -> None:
    house = a_house()
    people = annotators(house.project, 24)
    wanted = set(many_tasks(house.inbox, 10))
    got = at_once([functools.partial(press, user, house.project) for user in people])
    tasks = [task for task, _ in got if task is not None]
    assert len(tasks) == 10
    assert set(tasks) == wanted


def test_one_person_pressing_twice_gets_one_task(committed_db: str) -> None:
    house = a_house()
    many_tasks(house.inbox, 8)
    got = at_once([functools.partial(press, house.anna, house.project) for _ in range(4)])
    assert len({task for task, _ in got}) == 1
    assert sorted(why for _, why in got) == ["resumed"] * 3 + ["sequence"]
    assert Task.objects.filter(status=Status.IN_PROGRESS).count() == 1


def test_one_request_sent_four_times_has_one_reply(committed_db: str) -> None:
    house = a_house()
    many_tasks(house.inbox, 8)
    body = {"client_id": "page", "request_id": str(uuid4())}
    answers = at_once(
        [
            functools.partial(call, house.anna, "post", f"projects/{house.project.pk}/next", body)
            for _ in range(4)
        ]
    )
    assert len({answer.raw for answer in answers}) == 1
    assert Task.objects.filter(status=Status.IN_PROGRESS).count() == 1


def test_the_last_two_submissions_at_once_still_move_the_batch(committed_db: str) -> None:
    house = a_house()
    for _ in range(3):
        batch = a_batch(house.project, house.anna, house.abel, status="annotating")
        tasks = []
        for user in (house.anna, house.abel):
            task = task_in(batch, Status.IN_PROGRESS, confirmed_by=user, assignee=user)
            held_by(task, user)
            tasks.append(task)
        answers = at_once(
            [
                functools.partial(call, user, "post", f"tasks/{task.pk}/submit", {})
                for user, task in zip((house.anna, house.abel), tasks, strict=True)
            ]
        )
        assert [answer.status for answer in answers] == [200, 200]
        batch.refresh_from_db()
        assert batch.status == "reviewing"
