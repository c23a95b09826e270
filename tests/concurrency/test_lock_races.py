"""I1 and I2 under real commits: one writer, whoever races; nothing of a former holder gets through."""

import functools
import threading

import pytest
from django.db import connection, transaction

from locks import operations as leases
from locks.errors import LeaseHeld, LeaseLost
from locks.models import TaskLock
from review.models import Draft
from tasks.domain.actor import RequestContext
from tasks.domain.statuses import Status
from tasks.models import AuditEntry, BatchCount, Event, Task, User
from tasks.operations.acquire_lock import acquire_lock
from tasks.operations.release_lock import release_lock
from tasks.operations.row_locks import lock_task
from tests.support.pipeline import House, a_house
from tests.support.racing import at_once, until_somebody_waits
from tests.support.unchanged import unchanged
from tests.support.workflow import annotators, call, held_by, let_pass, task_in

NOWHERE = RequestContext()


def acquire(task: Task, user: User) -> str:
    """Acquire through the operation; "got" or the error's name."""
    try:
        acquire_lock(actor=user, seen=task, client_id=str(user.pk), context=NOWHERE)
    except Exception as error:
        return type(error).__name__
    return "got"


def actions(task: Task) -> list[str]:
    """The task's audited actions in order."""
    return list(
        AuditEntry.objects.filter(task_id=task.pk).order_by("number").values_list("action", flat=True)
    )


def test_sixteen_race_for_one_lock_and_one_gets_it(committed_db: str) -> None:
    house = a_house()
    people = annotators(house.project, 16)
    for _ in range(5):
        task = task_in(house.inbox)
        results = at_once([functools.partial(acquire, task, user) for user in people])
        assert sorted(results) == ["LockHeld"] * 15 + ["got"]
        lock = TaskLock.objects.get(task=task)
        assert results[people.index(lock.user)] == "got"
        assert actions(task) == ["lock.acquire"]


@pytest.mark.parametrize("state", ["stale", "expired"])
def test_two_race_to_take_over_and_one_gets_it(committed_db: str, state: str) -> None:
    house = a_house()
    people = annotators(house.project, 2)
    seen_tokens = set()
    for _ in range(5):
        task = task_in(house.inbox, Status.IN_PROGRESS, assignee=house.abel)
        before = held_by(task, house.abel, ttl=120)
        let_pass(task, 61 if state == "stale" else 121)
        results = at_once([functools.partial(acquire, task, user) for user in people])
        assert sorted(results) == ["LockHeld", "got"]
        lock = TaskLock.objects.get(task=task)
        assert lock.token > before.token
        assert lock.token not in seen_tokens
        seen_tokens.add(lock.token)
        assert lock.previous_user == house.abel
        taken = ["lock.takeover"] if state == "stale" else ["lock.expire", "lock.acquire"]
        assert actions(task) == [*taken, "task.takeover"]


def test_a_live_lock_can_be_taken_from_half_of_its_own_ttl_on_and_not_before(committed_db: str) -> None:
    house = a_house(task_lock_ttl_seconds=3600)
    task = task_in(house.inbox, Status.IN_PROGRESS, assignee=house.anna)
    held_by(task, house.anna, ttl=120)
    let_pass(task, 59)
    with unchanged():
        answer = call(house.abel, "put", f"tasks/{task.pk}/lock", {"client_id": "b"})
    assert (answer.status, answer.code) == (409, "LOCK_HELD")
    assert answer.body["holder"]["id"] == str(house.anna.pk)
    let_pass(task, 2)
    answer = call(house.abel, "put", f"tasks/{task.pk}/lock", {"client_id": "b"})
    assert answer.status == 200
    assert answer.body["taken_over_from"]["id"] == str(house.anna.pk)
    # The new row has the project's TTL of now.
    assert answer.body["ttl_seconds"] == 3600


def test_the_late_release_of_a_left_page_ends_nothing(committed_db: str) -> None:
    house = a_house()
    task = task_in(house.inbox, Status.IN_PROGRESS, assignee=house.anna)
    held_by(task, house.anna, client_id="old page")
    call(house.anna, "put", f"tasks/{task.pk}/lock", {"client_id": "new page"})
    with unchanged():
        assert call(house.anna, "delete", f"tasks/{task.pk}/lock?client_id=old+page").status == 204
    assert (
        call(house.anna, "post", f"tasks/{task.pk}/lock/heartbeat", {"client_id": "new page"}).status == 200
    )
    assert call(house.anna, "delete", f"tasks/{task.pk}/lock?client_id=new+page").status == 204
    assert not TaskLock.objects.filter(task=task).exists()
    assert actions(task) == ["lock.release"]


def save(house: House, task: Task, user: User, token: int | None) -> tuple[int, str | None]:
    """A save of the editor."""
    item = {"id": "i1", "label": "cup", "geometry": {"type": "bbox", "bbox": [1, 1, 20, 20]}}
    body = {
        "request_id": f"0190b7d4-5a4e-7b3c-8000-{user.pk.int % 10**12:012d}",
        "draft": {"expected_version": 0, "items": [item]},
        **({} if token is None else {"lock_token": token}),
    }
    answer = call(user, "put", f"tasks/{task.pk}/editor", body)
    return answer.status, answer.code


def test_the_holder_of_an_expired_lock_comes_back_and_saves(committed_db: str) -> None:
    house = a_house()
    task = task_in(house.inbox, Status.IN_PROGRESS, assignee=house.anna)
    old = held_by(task, house.anna)
    let_pass(task, 301)
    with unchanged("a save with an expired lock"):
        assert save(house, task, house.anna, old.token) == (409, "LOCK_LOST")
        assert save(house, task, house.anna, None) == (409, "LOCK_LOST")
    with pytest.raises(LeaseLost):
        leases.heartbeat(task_id=task.pk, user_id=house.anna.pk)
    assert acquire(task, house.abel) == "got"
    now = TaskLock.objects.get(task=task)
    assert save(house, task, house.abel, now.token) == (200, None)
    with unchanged("a save after a takeover"):
        assert save(house, task, house.anna, old.token) == (409, "LOCK_LOST")
        assert save(house, task, house.anna, None) == (409, "LOCK_LOST")
    assert Draft.objects.get(task=task).updated_by == house.abel


def test_a_takeover_waits_for_a_save_that_is_committing(committed_db: str) -> None:
    """The task row is the mutex: a save that has checked its lock commits before anybody else has it."""
    house = a_house()
    task = task_in(house.inbox, Status.IN_PROGRESS, assignee=house.anna)
    held_by(task, house.anna, ttl=120)
    let_pass(task, 61)
    order: list[str] = []
    waiting = threading.Event()

    def take_over() -> None:
        waiting.set()
        assert acquire(task, house.abel) == "got"
        order.append("taken over")
        connection.close()

    thread = threading.Thread(target=take_over)
    with transaction.atomic():
        lock_task(task.pk)
        leases.assert_held(task_id=task.pk, user_id=house.anna.pk)
        thread.start()
        waiting.wait(10)
        # The other transaction is seen waiting for our row before we go on.
        until_somebody_waits()
        leases.assert_held(task_id=task.pk, user_id=house.anna.pk)
        order.append("saved")
    thread.join(20)
    assert order == ["saved", "taken over"]


@pytest.mark.parametrize("path", ["claim", "lock", "reopen"])
def test_what_was_archived_a_moment_ago_is_not_worked_on(committed_db: str, path: str) -> None:
    """The task was visible when the request came; its row says otherwise once it is ours."""
    house = a_house()
    task = task_in(house.inbox, Status.COMPLETED if path == "reopen" else Status.PENDING)
    method, body = ("put", {"client_id": "a"}) if path == "lock" else ("post", {"client_id": "a"})
    if path == "reopen":
        body = {"reason": "A cup is missing."}
    got: list[int] = []

    def ask() -> None:
        got.append(call(house.root, method, f"tasks/{task.pk}/{path}", body).status)
        connection.close()

    thread = threading.Thread(target=ask)
    with transaction.atomic():
        lock_task(task.pk)
        thread.start()
        until_somebody_waits()
        Task.objects.filter(pk=task.pk).update(archived_at=task.created_at)
    thread.join(20)
    assert got == [404]
    task.refresh_from_db()
    assert (task.version, task.event_seq, task.audit_count) == (1, 0, 0)
    assert not TaskLock.objects.filter(task=task).exists()
    assert BatchCount.objects.filter(batch=house.inbox).count() == 1


@pytest.mark.parametrize("by", ["its page", "an admin"])
def test_an_expired_lock_that_is_cleared_away_is_told(committed_db: str, by: str) -> None:
    house = a_house()
    task = task_in(house.inbox, Status.IN_PROGRESS, assignee=house.anna)
    held_by(task, house.anna, client_id="a")
    let_pass(task, 301)
    if by == "its page":
        answer = call(house.anna, "delete", f"tasks/{task.pk}/lock?client_id=a")
    else:
        path = f"projects/{house.project.pk}/locks/{task.pk}"
        answer = call(house.olga, "delete", path, {"reason": "Gone home."})
    assert answer.status == 204
    assert actions(task) == ["lock.expire"]
    event = Event.objects.get(task=task)
    assert (event.type, event.payload["lock"]) == ("lock.changed", None)
    assert event.payload["previous"]["id"] == str(house.anna.pk)


def test_a_renewal_does_not_wait_for_a_save(committed_db: str) -> None:
    house = a_house()
    task = task_in(house.inbox, Status.IN_PROGRESS, assignee=house.anna)
    held_by(task, house.anna)

    def renew() -> int:
        leases.heartbeat(task_id=task.pk, user_id=house.anna.pk)
        return call(house.anna, "put", f"tasks/{task.pk}/lock", {"client_id": "again"}).status

    with transaction.atomic():
        lock_task(task.pk)
        assert at_once([renew], seconds=4) == [200]


def test_acquire_and_release_at_once_never_leave_two_or_a_broken_chain(committed_db: str) -> None:
    house = a_house()
    people = annotators(house.project, 6)
    task = task_in(house.inbox)

    def turns(user: User) -> int:
        got = 0
        for _ in range(8):
            if acquire(task, user) == "got":
                got += 1
                assert leases.assert_held(task_id=task.pk, user_id=user.pk).user_id == user.pk
                release_lock(actor=user, seen=task, client_id=str(user.pk), context=NOWHERE)
        return got

    got = sum(at_once([functools.partial(turns, user) for user in people]))
    assert got >= 8
    assert actions(task) == ["lock.acquire", "lock.release"] * got
    task.refresh_from_db()
    assert task.audit_count == task.event_seq == 2 * got


def test_somebody_who_never_had_it_is_told_who_has(committed_db: str) -> None:
    house = a_house()
    task = task_in(house.inbox, Status.IN_PROGRESS, assignee=house.anna)
    held_by(task, house.anna)
    with pytest.raises(LeaseHeld) as caught:
        leases.assert_held(task_id=task.pk, user_id=house.abel.pk)
    assert caught.value.lock.user_id == house.anna.pk
    with pytest.raises(LeaseLost):
        leases.assert_held(task_id=task.pk, user_id=house.abel.pk, token=1)
