"""A lock as the API shows it."""

from typing import Any
from uuid import UUID

from locks.models import TaskLock
from tasks.domain.times import iso
from tasks.queries.database_clock import ClockTimestamp
from tasks.queries.user_body import user_body, user_body_or_none


def live_lock(task_id: UUID) -> TaskLock | None:
    """The task's lock, where somebody is live in it."""
    return (
        TaskLock.objects.select_related("user", "previous_user")
        .filter(task_id=task_id, expire_at__gt=ClockTimestamp())
        .first()
    )


def lock_body(lock: TaskLock) -> dict[str, Any]:
    """Page 06's lock."""
    return {
        "task_id": str(lock.task_id),
        "user": user_body(lock.user),
        "client_id": lock.client_id,
        "token": lock.token,
        "acquired_at": iso(lock.acquired_at),
        "heartbeat_at": iso(lock.heartbeat_at),
        "stale_at": iso(lock.stale_at),
        "expire_at": iso(lock.expire_at),
        "ttl_seconds": lock.ttl_seconds,
        "heartbeat_seconds": lock.heartbeat_seconds,
        "taken_over_from": user_body_or_none(lock.previous_user),
    }


def holder_fields(lock: TaskLock) -> dict[str, Any]:
    """What a LOCK_HELD says: who, since when, and from when on it may be taken over."""
    return {
        "holder": user_body(lock.user),
        "acquired_at": iso(lock.acquired_at),
        "heartbeat_at": iso(lock.heartbeat_at),
        "stale_at": iso(lock.stale_at),
        "expire_at": iso(lock.expire_at),
    }
