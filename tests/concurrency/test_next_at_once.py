"""People who press "next" at the same moment get different tasks, always."""

import functools
import os
import threading
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction

from locks.models import TaskLock
from tasks.domain.actor import RequestContext
from tasks.domain.matrix import Role
from tasks.domain.statuses import Status
from tasks.models import BatchCount, Project, Task, User
from tasks.operations.claim import claim_within
from tasks.operations.next_task import choose
from tasks.operations.row_locks import lock_task, lock_user
from tasks.operations.transactions import operation
from tasks.queries.next_task import workable_batches
from tests.support.pipeline import a_house
from tests.support.racing import at_once, until_somebody_waits
from tests.support.workflow import a_batch, annotators, call, held_by, many_tasks, task_in

#: By hand: NEXT_ROUNDS=1000.
ROUNDS = int(os.environ.get("NEXT_ROUNDS", "50"))


def press(user: User, project: Project, request_id: str | None = None) -> tuple[UUID | None, str]:
    """Press "next": the task and why, or the code of a refusal."""
    body = {"client_id": "page", **({"request_id": request_id} if request_id else {})}
    answer = call(user, "post", f"projects/{project.pk}/next", body)
    assert answer.status == 200, answer.body
    task = answer.body["task"]
    return (None, "") if task is None else (UUID(task["id"]), answer.body["why"])


@operation
def choose_and_claim(user: User, project: Project) -> tuple[UUID | None, str]:
    """The transaction of "next" without HTTP and the bodies of its reply, so that many rounds are cheap."""
    lock_user(user.pk)
    batches = workable_batches(user=user, project=project, role=Role.ANNOTATOR)
    chosen = choose(user=user, project=project, role=Role.ANNOTATOR, batches=batches)
    if chosen is None:
        return None, ""
    task = lock_task(chosen[0])
    claim_within(task=task, actor=user, role=Role.ANNOTATOR, client_id="page", context=RequestContext())
    return chosen


def rounds_of_next(
    user: User, project: Project, rounds: int, ready: threading.Barrier
) -> list[tuple[UUID | None, str]]:
    """What this person got in each round."""
    got = []
    try:
        for _ in range(rounds):
            ready.wait(60)
            got.append(choose_and_claim(user, project))
        ready.wait(60)
    except BaseException:
        # The others would wait for this one.
        ready.abort()
        raise
    return got


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "sampling", "rounds"),
    [(64, "sequence", ROUNDS), (64, "random", 3), (16, "random", 5)],
)
def test_so_many_people_get_so_many_tasks(committed_db: str, number: int, sampling: str, rounds: int) -> None:
    house = a_house(sampling=sampling)
    people = annotators(house.project, number)
    wanted = set(many_tasks(house.inbox, number))
    found: list[tuple[dict[UUID, UUID], dict[UUID, UUID], int]] = []

    def between_rounds() -> None:
        """Note who has what, then give it all back; runs in one thread while all others wait."""
        tasks = Task.objects.filter(batch=house.inbox)
        assigned = tasks.filter(status=Status.IN_PROGRESS).values_list("pk", "assignee_id")
        counts = BatchCount.objects.filter(batch=house.inbox, status=Status.PENDING)
        pending = sum(counts.values_list("delta", flat=True))
        found.append((dict(assigned), dict(TaskLock.objects.values_list("task_id", "user_id")), pending))
        TaskLock.objects.all().delete()
        tasks.update(status=Status.PENDING, assignee=None, last_worked_at=None)
        BatchCount.objects.all().delete()
        BatchCount.objects.create(batch=house.inbox, status=Status.PENDING, delta=number)

    ready = threading.Barrier(number, action=between_rounds)
    got = at_once(
        [functools.partial(rounds_of_next, user, house.project, rounds, ready) for user in people],
        seconds=120 + 2 * rounds,
    )
    assert found[0] == ({}, {}, number)
    assert len(found) == rounds + 1
    for place, (assigned, holders, pending) in enumerate(found[1:]):
        given = {answers[place][0]: user.pk for user, answers in zip(people, got, strict=True)}
        assert set(given) == wanted, place
        assert assigned == holders == given, place
        assert {answers[place][1] for answers in got} == {sampling}, place
        assert pending == 0, place


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


def test_a_known_request_is_answered_before_any_lock(committed_db: str) -> None:
    house = a_house()
    many_tasks(house.inbox, 3)
    request_id = str(uuid4())
    first = press(house.anna, house.project, request_id)
    with transaction.atomic():
        lock_user(house.anna.pk)
        (again,) = at_once([functools.partial(press, house.anna, house.project, request_id)], seconds=4)
    assert again == first


def test_next_waits_for_the_save_of_the_page_that_was_left(committed_db: str) -> None:
    """A refresh never hands out another task, even while the last autosave is still committing."""
    house = a_house()
    many_tasks(house.inbox, 3)
    reviews = [task_in(house.inbox, Status.REVIEW, confirmed_by=house.anna) for _ in range(3)]
    mine = {
        "next": press(house.anna, house.project)[0],
        "next-review": UUID(
            call(house.rita, "post", f"tasks/{reviews[1].pk}/review-claim", {"client_id": "page"}).body[
                "task"
            ]["id"]
        ),
    }
    for path, user in (("next", house.anna), ("next-review", house.rita)):
        got: list[tuple[str, str]] = []

        def ask(path: str = path, user: User = user, got: list[tuple[str, str]] = got) -> None:
            body = call(user, "post", f"projects/{house.project.pk}/{path}", {"client_id": "new page"}).body
            got.append((body["task"]["id"], body["why"]))
            connection.close()

        thread = threading.Thread(target=ask)
        with transaction.atomic():
            lock_task(mine[path])
            thread.start()
            until_somebody_waits()
        thread.join(20)
        assert got == [(str(mine[path]), "resumed")]


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
