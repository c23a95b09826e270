"""Which task comes next for a person (page 03, "The next task").

Every statement begins at an index of open tasks only, so that a million finished tasks cost nothing. What
others may be given too is locked with SKIP LOCKED, so that people who ask at once get different tasks.
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection

from tasks.domain.matrix import TRANSITIONS, Action, Role, Scope
from tasks.domain.statuses import WORKABLE
from tasks.models import Project, User

#: The columns behind `Project.sampling`, written into the statements below; nothing else gets there.
_KEYS = {
    Project.Sampling.SEQUENCE: '"order"',
    Project.Sampling.RANDOM: "random_key",
    Project.Sampling.UNCERTAINTY: "model_confidence",
}

#: How many pictures a look ahead names: others may take the first ones meanwhile.
AHEAD = 3

# Whether the person may work in the batch; an annotator loses their own task too when it is taken away.
_THEIRS = """
   AND (%(any)s OR b.open
        OR EXISTS (SELECT 1 FROM batch_assignees AS given
                    WHERE given.batch_id = b.id AND given.user_id = %(user)s))
"""

_WORKABLE = (
    """
SELECT b.id FROM batches AS b
 WHERE b.project_id = %(project)s AND b.status = ANY(%(workable)s) AND b.held_at IS NULL
   AND b.archived_at IS NULL
"""
    + _THEIRS
    + """
 ORDER BY b.priority DESC, b.created_at, b.id
"""
)

# Waits for the row: an autosave of the page that was just left may still be committing, and skipping it
# would hand out another task (a refresh never does). Whoever took it over meanwhile is seen afterwards.
_MINE_HELD = (
    """
SELECT t.id FROM task_locks AS held
  JOIN tasks AS t ON t.id = held.task_id
  JOIN batches AS b ON b.id = t.batch_id
 WHERE held.user_id = %(user)s AND held.expire_at > clock_timestamp()
   AND t.project_id = %(project)s AND t.status = 'in_progress' AND t.assignee_id = %(user)s
   AND t.archived_at IS NULL AND b.status <> 'archived'
"""
    + _THEIRS
    + """
 ORDER BY held.heartbeat_at DESC LIMIT 1
   FOR NO KEY UPDATE OF t
"""
)

# Without locks and waits: most people ask with nothing of their own to go back to, and this one statement
# says so. What comes into being right after it is found the next time.
_LOOK = """
SELECT EXISTS (SELECT 1 FROM tasks AS t
                WHERE t.assignee_id = %(user)s AND t.project_id = %(project)s AND t.archived_at IS NULL
                  AND (t.status = 'in_progress' OR (t.status = 'pending' AND t.is_reserved))),
       EXISTS (SELECT 1 FROM tasks AS t
                WHERE t.batch_id = ANY(%(batches)s) AND t.status = 'in_progress' AND t.archived_at IS NULL
                  AND (t.last_worked_at IS NULL
                       OR t.last_worked_at <= clock_timestamp() - make_interval(secs => %(ttl)s)))
"""

_FREE = """
   AND NOT EXISTS (SELECT 1 FROM task_locks AS held
                    WHERE held.task_id = t.id AND held.user_id <> %(user)s
                      AND held.expire_at > clock_timestamp())
"""

_RETURNED = (
    """
SELECT t.id FROM tasks AS t JOIN batches AS b ON b.id = t.batch_id
 WHERE t.assignee_id = %(user)s AND t.status = 'pending' AND t.is_reserved
   AND t.project_id = %(project)s AND t.archived_at IS NULL
   AND b.status = ANY(%(workable)s) AND b.held_at IS NULL
"""
    + _THEIRS
    + _FREE
    + """
 ORDER BY t.updated_at, t.id LIMIT 1
   FOR NO KEY UPDATE OF t SKIP LOCKED
"""
)

# Waits for the row as well: a worker's report may be writing to it.
_MINE_UNFINISHED = (
    """
SELECT t.id FROM tasks AS t JOIN batches AS b ON b.id = t.batch_id
 WHERE t.assignee_id = %(user)s AND t.status = 'in_progress'
   AND t.project_id = %(project)s AND t.archived_at IS NULL
   AND b.status <> 'archived' AND NOT (b.held_at IS NOT NULL AND b.hold_stops_work)
"""
    + _THEIRS
    + _FREE
    + """
 ORDER BY t.last_worked_at DESC NULLS LAST, t.id LIMIT 1
   FOR NO KEY UPDATE OF t
"""
)

# Others' unfinished work is left alone for one more TTL after its lock ended: they may be on their way back.
_LEFT = """
SELECT t.id FROM tasks AS t LEFT JOIN task_locks AS held ON held.task_id = t.id
 WHERE t.batch_id = ANY(%(batches)s) AND t.status = 'in_progress' AND t.archived_at IS NULL
   AND t.assignee_id IS DISTINCT FROM %(user)s
   AND (t.last_worked_at IS NULL
        OR t.last_worked_at <= clock_timestamp() - make_interval(secs => %(ttl)s))
   AND (held.id IS NULL
        OR held.expire_at <= clock_timestamp() - make_interval(secs => held.ttl_seconds))
 ORDER BY t.last_worked_at NULLS FIRST, t.id LIMIT 1
   FOR NO KEY UPDATE OF t SKIP LOCKED
"""

_PENDING = (
    """
   AND t.status = 'pending' AND t.archived_at IS NULL
   AND (NOT t.is_reserved OR t.assignee_id = %(user)s OR t.assignee_id IS NULL)
"""
    + _FREE
)


def _heads_statement(key: str) -> str:
    """Each batch's first candidate, unlocked: one index probe a batch, empty batches fall out."""
    return (
        f"SELECT b.id FROM batches AS b CROSS JOIN LATERAL (SELECT t.{key} AS place, t.id FROM tasks AS t"  # noqa: S608 - the key is one of _KEYS
        f" WHERE t.batch_id = b.id {_PENDING} ORDER BY t.{key}, t.id LIMIT 1) AS head"
        " WHERE b.id = ANY(%(batches)s) ORDER BY "
    )


def _pick_statement(key: str, *, wait: bool) -> str:
    """The batch's first candidate that nobody else is taking right now; with `wait` the first for certain."""
    skip = "" if wait else "SKIP LOCKED"
    return (
        f"SELECT t.id FROM tasks AS t WHERE t.batch_id = %(batch)s {_PENDING}"  # noqa: S608 - the key is one of _KEYS
        f" ORDER BY t.{key}, t.id LIMIT 1 FOR NO KEY UPDATE OF t {skip}"
    )


def workable_batches(*, user: User, project: Project, role: Role) -> list[UUID]:
    """The batches in which the person may claim now, most urgent first."""
    return _ids(
        _WORKABLE,
        user=user.pk,
        project=project.pk,
        workable=[str(status) for status in WORKABLE],
        any=_in_any_batch(role),
    )


def _in_any_batch(role: Role) -> bool:
    return TRANSITIONS[Action.CLAIM].roles.get(role) is not Scope.OWN_BATCH


@dataclass(frozen=True, slots=True)
class Look:
    """What may be worth a closer look: something of the person's own; something that others left."""

    mine: bool
    left: bool


def look(*, user: User, project: Project, batches: list[UUID]) -> Look:
    """Whether the person has open tasks of their own, and whether others' lie untouched for a TTL."""
    row = _all(_LOOK, user=user.pk, project=project.pk, batches=batches, ttl=project.task_lock_ttl_seconds)[0]
    return Look(*row)


def own_task_in_work(*, user: User, project: Project, role: Role) -> UUID | None:
    """The person's own task with a live lock, row-locked."""
    return _one(_MINE_HELD, user=user.pk, project=project.pk, any=_in_any_batch(role))


def task_sent_back(*, user: User, project: Project, role: Role) -> UUID | None:
    """A rejected task that is reserved for the person, row-locked."""
    workable = [str(status) for status in WORKABLE]
    return _one(_RETURNED, user=user.pk, project=project.pk, workable=workable, any=_in_any_batch(role))


def own_unfinished_task(*, user: User, project: Project, role: Role) -> UUID | None:
    """The person's own task in progress whose lock is gone, row-locked."""
    return _one(_MINE_UNFINISHED, user=user.pk, project=project.pk, any=_in_any_batch(role))


def task_left_unfinished(*, user: User, project: Project, batches: list[UUID]) -> UUID | None:
    """Somebody else's task in progress that nobody has come back to, row-locked."""
    return _one(_LEFT, user=user.pk, ttl=project.task_lock_ttl_seconds, batches=batches)


def pending_task(*, user: User, project: Project, batches: list[UUID]) -> UUID | None:
    """The next pending task by the project's sampling, row-locked.

    When others are taking every candidate at this very moment, the last try waits for them: an answer of
    "nothing" must not come from a claim that is rolled back a moment later.
    """
    if not batches:
        return None
    sampling = Project.Sampling(project.sampling)
    key = _KEYS[sampling]
    for wait in (False, False, True):
        heads = batches
        if len(batches) > 1:
            heads = _ids(_heads_statement(key) + _order_of_heads(sampling), user=user.pk, batches=batches)
        if not heads:
            return None
        for batch in heads:
            found = _one(_pick_statement(key, wait=wait), user=user.pk, batch=batch)
            if found is not None:
                return found
    return None


def likely_next(*, user: User, project: Project, role: Role, besides: UUID) -> list[UUID]:
    """The pictures (asset ids) of the tasks that would most likely be given next, the likeliest first.

    The same choices without their row locks: it claims nothing, waits for nobody and promises nothing.
    `besides`: the task at hand, which will be done by then.
    """
    batches = workable_batches(user=user, project=project, role=role)
    seen = look(user=user, project=project, batches=batches)
    known = {"user": user.pk, "project": project.pk, "besides": besides}
    found: list[UUID] = []
    if seen.mine:
        own = {**known, "workable": [str(status) for status in WORKABLE], "any": _in_any_batch(role)}
        found = _ids(_glance(_RETURNED), **own) or _ids(_glance(_MINE_UNFINISHED), **own)
    if not found and seen.left:
        found = _ids(_glance(_LEFT), ttl=project.task_lock_ttl_seconds, batches=batches, **known)
    if not found and batches:
        sampling = Project.Sampling(project.sampling)
        key = _KEYS[sampling]
        heads = _ids(_heads_statement(key) + _order_of_heads(sampling), user=user.pk, batches=batches)
        for batch in heads[:2]:
            found += _ids(_glance(_pick_statement(key, wait=True)), batch=batch, **known)
    return list(dict.fromkeys(found))[:AHEAD]


def _glance(statement: str) -> str:
    """A choice's statement as a look at the pictures of its first few rows."""
    choice, order = statement.split(" ORDER BY ")
    order = order.split(" LIMIT 1")[0]
    looked = choice.replace("SELECT t.id", "SELECT t.asset_id", 1)
    return f"{looked} AND t.id <> %(besides)s ORDER BY {order} LIMIT {AHEAD}"


def _order_of_heads(sampling: Project.Sampling) -> str:
    if sampling is Project.Sampling.SEQUENCE:
        return "array_position(%(batches)s, b.id)"
    return "head.place, head.id"


def _one(statement: str, **parameters: Any) -> UUID | None:
    found = _ids(statement, **parameters)
    return found[0] if found else None


def _ids(statement: str, **parameters: Any) -> list[UUID]:
    return [row[0] for row in _all(statement, **parameters)]


def _all(statement: str, **parameters: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found
