"""Every order in which the messages of two people about one lock may arrive.

anna holds the task on page 1 and reloads: page 1 beats a last time and leaves, page 2 opens. abel wants the
task at the same moment, and leaves again. No order may end a lock by a message of somebody who does not hold
it, and whoever must have it in the end has it. One message after the other: what runs at the same moment is
`test_lock_races.py`.
"""

from collections.abc import Callable
from itertools import permutations

import pytest

from locks import operations as leases
from locks.errors import LeaseHeld, LeaseLost
from locks.models import TaskLock
from tasks.domain.actor import RequestContext
from tasks.domain.errors import LockHeld, LockLost
from tasks.models import Task, User
from tasks.operations.acquire_lock import acquire_lock
from tasks.operations.beat_lock import beat_lock
from tasks.operations.release_lock import release_lock
from tests.support.pipeline import a_house
from tests.support.workflow import held_by, let_pass, many_tasks

pytestmark = pytest.mark.django_db

NOWHERE = RequestContext()
#: Seconds from TTL/2 to where the messages begin; before it there is time for all of them to arrive.
BEFORE, AFTER = -2.0, 0.1
TTLS = [60, 120, 300, 3600]

#: Who has the lock and on which page; None: nobody.
Holder = tuple[str, str] | None


#: What a page sends, and what it is told.
Send = Callable[[User, Task, str], str]


def acquire_lease(user: User, task: Task, page: str) -> str:
    """A page opens: the lease alone."""
    ttl = task.project.task_lock_ttl_seconds
    try:
        leases.acquire(task_id=task.pk, user_id=user.pk, client_id=page, ttl_seconds=ttl)
    except LeaseHeld:
        return "held by another"
    return "has it"


def release_lease(user: User, task: Task, page: str) -> str:
    """A page goes: the lease alone."""
    released = leases.release(task_id=task.pk, user_id=user.pk, client_id=page)
    return "nothing" if released is None else "let go"


def beat_lease(user: User, task: Task, page: str) -> str:
    """A page says that it is still there: the lease alone."""
    try:
        leases.heartbeat(task_id=task.pk, user_id=user.pk)
    except LeaseLost:
        return "lost"
    return "has it"


def acquire(user: User, task: Task, page: str) -> str:
    """A page opens."""
    try:
        acquire_lock(actor=user, seen=task, client_id=page, context=NOWHERE)
    except LockHeld:
        return "held by another"
    return "has it"


def release(user: User, task: Task, page: str) -> str:
    """A page goes."""
    was_released = release_lock(actor=user, seen=task, client_id=page, context=NOWHERE)
    return "let go" if was_released else "nothing"


def beat(user: User, task: Task, page: str) -> str:
    """A page says that it is still there."""
    try:
        beat_lock(actor=user, task_id=task.pk)
    except LockLost:
        return "lost"
    return "has it"


LEASES: dict[str, Send] = {"opens": acquire_lease, "leaves": release_lease, "beats": beat_lease}
OPERATIONS: dict[str, Send] = {"opens": acquire, "leaves": release, "beats": beat}

#: (what, whose, which page)
Message = tuple[str, str, str]
RELOAD: list[Message] = [("beats", "anna", "1"), ("leaves", "anna", "1"), ("opens", "anna", "2")]
#: abel's page has the id of anna's second: a page is one only together with its person.
MESSAGES: list[Message] = [*RELOAD, ("opens", "abel", "2"), ("leaves", "abel", "2")]


def after(message: Message, holder: Holder, is_stale: bool) -> tuple[str, Holder, bool]:
    """What the sender is told, who has the lock then, and whether it is stale (page 03, in a few lines)."""
    what, person, page = message
    is_theirs = holder is not None and holder[0] == person
    if what == "beats":
        return ("has it", holder, False) if is_theirs else ("lost", holder, is_stale)
    if what == "leaves":
        return ("let go", None, False) if holder == (person, page) else ("nothing", holder, is_stale)
    if holder is None or is_theirs or is_stale:
        return "has it", (person, page), False
    return "held by another", holder, is_stale


def play(ways: dict[str, Send], messages: list[Message], *, ttl: int, is_stale: bool) -> None:
    """Send the messages in every order, each to a task of its own, and look after each message."""
    house = a_house(task_lock_ttl_seconds=ttl)
    people = {"anna": house.anna, "abel": house.abel}
    names = {user.pk: name for name, user in people.items()}
    orders = list(permutations(messages))
    ids = many_tasks(house.inbox, len(orders))
    tasks = Task.objects.select_related("project").in_bulk(ids)
    for pk, order in zip(ids, orders, strict=True):
        task, holder, was_stale = tasks[pk], ("anna", "1"), is_stale
        token = held_by(task, house.anna, client_id="1", ttl=ttl).token
        let_pass(task, ttl / 2 + (AFTER if is_stale else BEFORE))
        for message in order:
            what, person, page = message
            answer, wanted, was_stale = after(message, holder, was_stale)
            assert ways[what](people[person], task, page) == answer, (order, message)
            row = TaskLock.objects.filter(task=task).first()
            found = None if row is None else (names[row.user_id], row.client_id)
            assert found == wanted, (order, message)
            # Whatever the model above says: only one's own page ends a lock.
            assert row is not None or holder is None or holder == (person, page), (order, message)
            if row is not None:
                is_same = holder is not None and holder[0] == names[row.user_id]
                assert row.token == token if is_same else row.token > token, (order, message)
                assert row.ttl_seconds == ttl
                token = row.token
            holder = wanted


@pytest.mark.parametrize("age", ["just fresh", "just stale"])
@pytest.mark.parametrize("ttl", TTLS)
def test_every_order_of_arrival(ttl: int, age: str) -> None:
    play(LEASES, MESSAGES, ttl=ttl, is_stale=age == "just stale")


@pytest.mark.parametrize("age", ["just fresh", "just stale"])
def test_every_order_through_the_operations(age: str) -> None:
    """The renewal's fast path, the look before a release and the audit change nothing of it."""
    play(OPERATIONS, MESSAGES[1:], ttl=120, is_stale=age == "just stale")


@pytest.mark.parametrize("ttl", TTLS)
def test_after_a_reload_the_page_that_was_opened_has_the_lock(ttl: int) -> None:
    """Without a model: whatever the order of a reload's messages, page 2 has it."""
    house = a_house(task_lock_ttl_seconds=ttl)
    orders = list(permutations(RELOAD))
    for pk, order in zip(many_tasks(house.inbox, len(orders)), orders, strict=True):
        task = Task.objects.select_related("project").get(pk=pk)
        held_by(task, house.anna, client_id="1", ttl=ttl)
        for what, _, page in order:
            LEASES[what](house.anna, task, page)
        row = TaskLock.objects.get(task=task)
        assert (row.user, row.client_id) == (house.anna, "2"), order
