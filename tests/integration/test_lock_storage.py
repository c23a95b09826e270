"""What keeps ten thousand heartbeats cheap, and what they may never do."""

from uuid import UUID

import pytest
from django.db import connection

from locks import operations as leases
from locks.errors import LeaseLost
from locks.models import TaskLock
from tasks.domain.statuses import Status
from tasks.models import AuditEntry, Event
from tests.support.pipeline import a_house
from tests.support.workflow import annotators, call, held_by, let_pass, task_in


def update_counts() -> tuple[int, int]:
    """Updates of lock rows so far, and how many of them were HOT."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_force_next_flush()")
        cursor.execute(
            "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'task_locks'"
        )
        row = cursor.fetchone()
    assert row is not None
    return row[0], row[1]


def hot_share(pairs: list[tuple[UUID, UUID]], *, rounds: int) -> float:
    """The share of HOT updates among so many rounds of beats."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM task_locks")
    before = update_counts()
    for _ in range(rounds):
        assert len(leases.heartbeat_many(pairs).renewed) == len(pairs)
    after = update_counts()
    assert after[0] - before[0] == rounds * len(pairs)
    return (after[1] - before[1]) / (after[0] - before[0])


def test_heartbeats_are_hot_updates(committed_db: str) -> None:
    """Open transactions of others on the same server keep dead rows alive: the best of some tries.

    With an index on a time column the share is 0 at every try.
    """
    house = a_house()
    people = annotators(house.project, 50)
    tasks = [task_in(house.inbox, Status.IN_PROGRESS, assignee=user) for user in people]
    for task, user in zip(tasks, people, strict=True):
        held_by(task, user)
    pairs = [(task.pk, user.pk) for task, user in zip(tasks, people, strict=True)]
    shares: list[float] = []
    while not shares or (max(shares) <= 0.95 and len(shares) < 20):
        shares.append(hot_share(pairs, rounds=20))
    assert max(shares) > 0.95
    assert AuditEntry.objects.count() == 0
    assert Event.objects.count() == 0


def test_no_index_touches_the_columns_that_a_heartbeat_writes(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexdef FROM pg_indexes WHERE tablename = 'task_locks'")
        indexes = " ".join(row[0] for row in cursor.fetchall())
        cursor.execute("SELECT reloptions FROM pg_class WHERE relname = 'task_locks'")
        options = cursor.fetchone()
    assert "heartbeat_at" not in indexes
    assert "expire_at" not in indexes
    assert options is not None
    assert "fillfactor=50" in options[0]


def test_many_beats_in_one_statement(committed_db: str) -> None:
    house = a_house()
    mine, expired, others, busy = (task_in(house.inbox, Status.IN_PROGRESS) for _ in range(4))
    for task in (mine, expired, busy):
        held_by(task, house.anna)
    held_by(others, house.abel)
    let_pass(expired, 301)
    wanted = [(task.pk, house.anna.pk) for task in (mine, expired, others, busy)]
    blocker = connection.copy(alias="default")
    try:
        blocker.set_autocommit(False)
        with blocker.cursor() as cursor:
            cursor.execute("SELECT 1 FROM task_locks WHERE task_id = %s FOR UPDATE", [busy.pk])
        beats = leases.heartbeat_many([*wanted, wanted[0]])
    finally:
        blocker.rollback()
        blocker.close()
    assert set(beats.renewed) == {wanted[0]}
    assert set(beats.busy) == {wanted[3]}
    assert beats.lost == {wanted[1], wanted[2]}
    assert beats.renewed[wanted[0]] == TaskLock.objects.get(task=mine).expire_at
    assert leases.heartbeat_many([]).renewed == {}


@pytest.mark.django_db
def test_a_heartbeat_never_revives_an_expired_lock() -> None:
    house = a_house()
    task = task_in(house.inbox, Status.IN_PROGRESS, assignee=house.anna)
    held_by(task, house.anna)
    let_pass(task, 299)
    assert leases.heartbeat(task_id=task.pk, user_id=house.anna.pk)
    let_pass(task, 301)
    before = TaskLock.objects.filter(task=task).values().get()
    with pytest.raises(LeaseLost):
        leases.heartbeat(task_id=task.pk, user_id=house.anna.pk)
    answer = call(house.anna, "post", f"tasks/{task.pk}/lock/heartbeat", {"client_id": "page"})
    assert (answer.status, answer.code, answer.body["holder"]) == (409, "LOCK_LOST", None)
    assert TaskLock.objects.filter(task=task).values().get() == before
    assert call(house.anna, "get", f"tasks/{task.pk}/lock").raw == b"null"


@pytest.mark.django_db
def test_a_renewal_keeps_token_and_ttl_and_a_new_holder_gets_new_ones() -> None:
    house = a_house(task_lock_ttl_seconds=600)
    task = task_in(house.inbox, Status.IN_PROGRESS, assignee=house.anna)
    path = f"tasks/{task.pk}/lock"
    first = call(house.anna, "put", path, {"client_id": "one"}).body
    house.project.task_lock_ttl_seconds = 120
    house.project.save()
    again = call(house.anna, "put", path, {"client_id": "two"}).body
    assert (again["token"], again["ttl_seconds"], again["client_id"]) == (first["token"], 600, "two")
    assert again["heartbeat_seconds"] == 60
    let_pass(task, 601)
    renewed = call(house.anna, "put", path, {"client_id": "two"}).body
    assert renewed["token"] > first["token"]
    assert (renewed["ttl_seconds"], renewed["heartbeat_seconds"]) == (120, 24)
    actions = AuditEntry.objects.filter(task_id=task.pk).order_by("number").values_list("action", flat=True)
    assert list(actions) == ["lock.acquire", "lock.expire", "lock.acquire"]


@pytest.mark.django_db
def test_the_audit_does_not_remember_renewals() -> None:
    house = a_house()
    task = task_in(house.inbox, Status.IN_PROGRESS, assignee=house.anna)
    path = f"tasks/{task.pk}/lock"
    for client_id in ("one", "two", "three"):
        assert call(house.anna, "put", path, {"client_id": client_id}).status == 200
    assert AuditEntry.objects.filter(task_id=task.pk).count() == 1
    assert Event.objects.filter(task=task, type="lock.changed").count() == 1
