"""The lease's operations. The caller has authorised, and holds the task's row where a holder may change."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from uuid_utils.compat import uuid7

from locks import sql
from locks.errors import LeaseHeld, LeaseLost
from locks.models import TaskLock

_NAMES = list(sql.COLUMNS)


@dataclass(frozen=True, slots=True)
class SeenLock:
    """A lock row as it stood when it was looked at; an expired row counts for nothing."""

    lock: TaskLock
    is_live: bool
    is_stale: bool


@dataclass(frozen=True, slots=True)
class Acquired:
    """The caller's live row, and the one that was there before, whoever's it was."""

    lock: TaskLock
    before: SeenLock | None


@dataclass(frozen=True, slots=True)
class Beats:
    """What became of a batch of heartbeats, by (task id, user id)."""

    #: Extended, with the new `expire_at`.
    renewed: dict[tuple[UUID, UUID], datetime]
    #: Still theirs, but locked by another transaction at this moment; the old `expire_at`.
    busy: dict[tuple[UUID, UUID], datetime]
    #: Not theirs, or expired.
    lost: set[tuple[UUID, UUID]]


def _first(statement: str, parameters: dict[str, Any]) -> tuple[Any, ...] | None:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        row: tuple[Any, ...] | None = cursor.fetchone()
    return row


def _lock(row: Sequence[Any]) -> TaskLock:
    return TaskLock.from_db(connection.alias, _NAMES, list(row[: len(_NAMES)]))


def _seen(row: Sequence[Any]) -> SeenLock:
    return SeenLock(_lock(row), is_live=row[-2], is_stale=row[-1])


def find(*, task_id: UUID) -> SeenLock | None:
    """The task's row, live or not."""
    row = _first(sql.FIND, {"task_id": task_id})
    return None if row is None else _seen(row)


def acquire(
    *, task_id: UUID, user_id: UUID, client_id: str | None, ttl_seconds: int, device: str = ""
) -> Acquired:
    """Take the lock where it is free, mine, stale or expired; `ttl_seconds` is copied into the row.

    Mine and alive: the token stays, and with `client_id` None (no page of one's own) the page too. Otherwise
    the row gets a new token, and `previous_user_id` says whom it was taken from. Raises LeaseHeld.
    """
    parameters = {
        "id": uuid7(),
        "task_id": task_id,
        "user_id": user_id,
        "client_id": client_id,
        "ttl_seconds": ttl_seconds,
        "device": device[:60],
    }
    row = _first(sql.ACQUIRE, parameters)
    while row is None:
        seen = find(task_id=task_id)
        if seen is not None:
            raise LeaseHeld(seen.lock)
        # It was held when the statement looked and is gone now: free.
        row = _first(sql.ACQUIRE, parameters)
    before = row[len(_NAMES) :]
    return Acquired(_lock(row), before=None if before[0] is None else _seen(before))


def renew(*, task_id: UUID, user_id: UUID, client_id: str, device: str = "") -> TaskLock | None:
    """The fast path of `acquire` for who holds it already; None where the long way is needed."""
    row = _first(
        sql.RENEW, {"task_id": task_id, "user_id": user_id, "client_id": client_id, "device": device[:60]}
    )
    return None if row is None else _lock(row)


def heartbeat(*, task_id: UUID, user_id: UUID) -> datetime:
    """Extend a row that is mine and not expired; the new `expire_at`. Raises LeaseLost."""
    row = _first(sql.HEARTBEAT, {"task_id": task_id, "user_id": user_id})
    if row is None:
        seen = find(task_id=task_id)
        raise LeaseLost(seen.lock if seen and seen.is_live and seen.lock.user_id != user_id else None)
    moment: datetime = row[0]
    return moment


def heartbeat_many(beats: Iterable[tuple[UUID, UUID]]) -> Beats:
    """Extend the locks of all (task id, user id) pairs in one statement and a transaction of its own."""
    pairs = list(dict.fromkeys(beats))
    if not pairs:
        return Beats({}, {}, set())
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute(sql.NOT_SYNCHRONOUS)
        cursor.execute(sql.HEARTBEAT_MANY, _columns(pairs))
        renewed = {(row[0], row[1]): row[2] for row in cursor.fetchall()}
        missing = [pair for pair in pairs if pair not in renewed]
        busy = {}
        if missing:
            cursor.execute(sql.STILL_MINE, _columns(missing))
            busy = {(row[0], row[1]): row[2] for row in cursor.fetchall()}
    return Beats(renewed, busy, {pair for pair in missing if pair not in busy})


def _columns(pairs: list[tuple[UUID, UUID]]) -> dict[str, list[UUID]]:
    return {"task_ids": [task_id for task_id, _ in pairs], "user_ids": [user_id for _, user_id in pairs]}


def release(*, task_id: UUID, user_id: UUID, client_id: str | None) -> TaskLock | None:
    """Delete the row if it is this client's (`None`: any client of this user); what was deleted, or None."""
    parameters = {"task_id": task_id, "user_id": user_id, "client_id": client_id}
    row = _first(sql.RELEASE_OF_USER if client_id is None else sql.RELEASE, parameters)
    return None if row is None else _lock(row)


def force_release(*, task_id: UUID) -> TaskLock | None:
    """Delete the row, whoever's it is; what was deleted, or None."""
    row = _first(sql.FORCE_RELEASE, {"task_id": task_id})
    return None if row is None else _lock(row)


def assert_held(*, task_id: UUID, user_id: UUID, token: int | None = None) -> TaskLock:
    """The caller's live lock. The caller holds the task's row, so it stays theirs until the commit (I2).

    Raises LeaseLost where the request carries a token, where the row was taken from the caller, or where
    nobody is live; LeaseHeld otherwise.
    """
    seen = find(task_id=task_id)
    live = seen.lock if seen is not None and seen.is_live else None
    if live is None:
        raise LeaseLost(None)
    if live.user_id == user_id:
        if token is None or token == live.token:
            return live
        raise LeaseLost(live)
    if token is not None or live.previous_user_id == user_id:
        raise LeaseLost(live)
    raise LeaseHeld(live)
