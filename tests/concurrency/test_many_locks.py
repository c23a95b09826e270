"""I1 on many tasks: sixteen people after each of two hundred tasks, and every task has one winner."""

import functools
from collections import Counter
from uuid import UUID

from locks import operations as leases
from locks.errors import LeaseHeld
from locks.models import TaskLock
from tasks.models import User
from tests.support.pipeline import a_house
from tests.support.racing import at_once
from tests.support.workflow import annotators, many_tasks


def won(user: User, tasks: list[UUID]) -> list[UUID]:
    """Those of the tasks whose lock this person was given."""
    given = []
    for task_id in tasks:
        try:
            leases.acquire(task_id=task_id, user_id=user.pk, client_id="page", ttl_seconds=300)
        except LeaseHeld:
            continue
        given.append(task_id)
    return given


def test_sixteen_race_for_two_hundred_tasks(committed_db: str) -> None:
    """All in the same order, so that they meet at each task anew; each statement is its own transaction."""
    house = a_house()
    people = annotators(house.project, 16)
    tasks = many_tasks(house.inbox, 200)
    results = at_once([functools.partial(won, user, tasks) for user in people])
    winners = Counter(task_id for given in results for task_id in given)
    assert winners == Counter(tasks)
    holders = dict(TaskLock.objects.values_list("task_id", "user_id"))
    for user, given in zip(people, results, strict=True):
        assert set(given) == {task_id for task_id, holder in holders.items() if holder == user.pk}
