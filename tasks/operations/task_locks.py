"""The lease with what the workflow adds: errors with names in them, audit, events.

Every function here expects the task's row to be locked (page 03: the task row is the mutex): a takeover
waits for a save that is committing, and a save after a takeover fails.
"""

from dataclasses import dataclass

from locks import operations as leases
from locks.errors import LeaseHeld, LeaseLost
from locks.models import TaskLock
from tasks.domain.actor import RequestContext
from tasks.domain.errors import BatchOnHold, LockHeld, LockLost, NotFound
from tasks.domain.event_types import LockChanged
from tasks.domain.matrix import Role
from tasks.domain.times import iso
from tasks.models import Task, User
from tasks.operations.audit import audit_task
from tasks.operations.events import append_event
from tasks.operations.journal import written_together
from tasks.queries.lock_body import holder_fields, lock_body
from tasks.queries.task_body import task_body
from tasks.queries.user_body import user_body


@dataclass(frozen=True, slots=True)
class HeldLock:
    """The actor's live lock. `was_held`: they had it before this call."""

    lock: TaskLock
    was_held: bool


def hold(*, task: Task, actor: User, role: Role, client_id: str | None, context: RequestContext) -> HeldLock:
    """Take the lock, or renew it. `client_id` None: an action without a page of its own.

    Raises LockHeld where somebody else is live in it and not stale, BatchOnHold where a hold has stopped the
    work, NotFound where the task was archived after the caller looked (it is seen only under the row's lock).
    """
    if task.archived_at is not None:
        raise NotFound
    try:
        acquired = leases.acquire(
            task_id=task.pk,
            user_id=actor.pk,
            client_id=client_id,
            ttl_seconds=task.project.task_lock_ttl_seconds,
            device=context.device,
        )
    except LeaseHeld as error:
        raise held_by_other(error.lock) from error
    lock, before = acquired.lock, acquired.before
    # The person is at hand: no query for them.
    lock.user = actor
    if before is not None and before.is_live and before.lock.token == lock.token:
        return HeldLock(lock, was_held=True)
    check_not_stopped(task=task, viewer=actor)
    taken_from = None
    if before is not None and before.is_live and before.lock.user_id != actor.pk:
        taken_from = before.lock.user
    with written_together(task):
        if before is not None and taken_from is None:
            note_expiry(task=task, lock=before.lock)
        audit_task(
            task=task,
            action="lock.acquire" if taken_from is None else "lock.takeover",
            actor=actor,
            role=role,
            before=None if taken_from is None else {"holder": taken_from.username},
            after={"holder": actor.username, "token": lock.token},
            context=context,
        )
        previous = None if before is None else user_body(before.lock.user)
        append_event(task=task, data=LockChanged(lock=lock_body(lock), previous=previous))
    return HeldLock(lock, was_held=False)


def note_expiry(*, task: Task, lock: TaskLock, is_free: bool = False) -> None:
    """Record that an expired lock was found; the system's act, since nobody did it.

    `is_free`: nobody takes it now, so that no other event tells of the change of holder.
    """
    with written_together(task):
        audit_task(
            task=task,
            action="lock.expire",
            actor=None,
            before={"holder": lock.user.username, "token": lock.token, "expire_at": iso(lock.expire_at)},
        )
        if is_free:
            append_event(task=task, data=LockChanged(lock=None, previous=user_body(lock.user)))


def require_held(*, task: Task, actor: User, lock_token: int | None) -> TaskLock:
    """The actor's live lock, which stays theirs until the commit (I2).

    Raises LockLost (the request carries a token, the lock was taken from the actor, or nobody is live in
    it) or LockHeld (somebody else always was).
    """
    try:
        return leases.assert_held(task_id=task.pk, user_id=actor.pk, token=lock_token)
    except LeaseHeld as error:
        raise held_by_other(error.lock) from error
    except LeaseLost as error:
        raise lost_to(error.lock) from error


def check_free(*, task: Task, actor: User) -> None:
    """Nobody else is live in the task, stale or not. Raises LockHeld."""
    seen = leases.find(task_id=task.pk)
    if seen is not None and seen.is_live and seen.lock.user_id != actor.pk and not seen.is_stale:
        raise held_by_other(seen.lock)


def let_go(*, task: Task, actor: User, role: Role, context: RequestContext) -> None:
    """End the actor's lock, from whichever page; nothing where they have none."""
    lock = leases.release(task_id=task.pk, user_id=actor.pk, client_id=None)
    if lock is not None:
        note_release(task=task, lock=lock, actor=actor, role=role, context=context)


def note_release(
    *,
    task: Task,
    lock: TaskLock,
    actor: User | None,
    role: Role | str,
    context: RequestContext,
    action: str = "lock.release",
    reason: str = "",
) -> None:
    """Audit and event of a lock that was just deleted."""
    with written_together(task):
        audit_task(
            task=task,
            action=action,
            actor=actor,
            role=role,
            reason=reason,
            before={"holder": lock.user.username, "token": lock.token},
            context=context,
        )
        append_event(task=task, data=LockChanged(lock=None, previous=user_body(lock.user)))


def check_not_stopped(*, task: Task, viewer: User) -> None:
    """No hold has stopped the work in the task's batch. Raises BatchOnHold."""
    if task.batch.held_at is not None and task.batch.hold_stops_work:
        raise on_hold(task=task, viewer=viewer)


def on_hold(*, task: Task, viewer: User) -> BatchOnHold:
    """The BATCH_ON_HOLD that says why, with the task."""
    batch = task.batch
    why = f": {batch.hold_reason}" if batch.hold_reason else ""
    return BatchOnHold(
        f"The batch “{batch.name}” is on hold{why}. Wait for a project admin to release it.",
        snapshot=task_body(task.pk, viewer=viewer),
    )


def held_by_other(lock: TaskLock) -> LockHeld:
    """The LOCK_HELD that names the holder."""
    return LockHeld(
        f"{lock.user.name} is working on this task. You may take it over once their lock goes stale.",
        **holder_fields(lock),
    )


def lost_to(lock: TaskLock | None) -> LockLost:
    """The LOCK_LOST that names the new holder, if there is one, and when it may be taken back."""
    if lock is None:
        return LockLost("You do not hold this task any more. Take it again to go on.", holder=None)
    return LockLost(
        f"You do not hold this task any more: {lock.user.name} has it now.", **holder_fields(lock)
    )
