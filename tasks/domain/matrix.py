"""The status machine and the role matrix, as one literal.

Nothing else assigns a task's status or decides which role may do what. The trigger in the database,
the generated docs page and the contract tests all come from `TRANSITIONS` and `OPERATIONS`.
"""

from dataclasses import dataclass
from enum import StrEnum

from tasks.domain.statuses import Status


class Role(StrEnum):
    """What a person is in a project; `super_admin` everywhere."""

    SUPER_ADMIN = "super_admin"
    PROJECT_ADMIN = "project_admin"
    REVIEWER = "reviewer"
    ANNOTATOR = "annotator"
    VIEWER = "viewer"


class Action(StrEnum):
    """What moves a task."""

    CLAIM = "claim"
    SUBMIT = "submit"
    WITHDRAW = "withdraw"
    RECALL = "recall"
    REVIEW_CLAIM = "review_claim"
    APPROVE = "approve"
    REJECT = "reject"
    REOPEN = "reopen"


class Scope(StrEnum):
    """How far a role's permission reaches."""

    #: Every task of the project.
    ANY = "any"
    #: Tasks of batches assigned to the person or open to everyone.
    OWN_BATCH = "own_batch"
    #: Only while the person holds the task's lock.
    HOLDS_LOCK = "holds_lock"
    #: Only what the person handed in.
    OWN_SUBMISSION = "own_submission"
    #: Only the project's owner.
    OWNER = "owner"


class LockNeed(StrEnum):
    """What an action does about the task's lock."""

    #: Takes it if it is free or stale; LOCK_HELD if somebody else is live in it.
    TAKES = "takes"
    #: Takes it as above for the length of the action and lets it go.
    TAKES_AND_RELEASES = "takes_and_releases"
    #: The person must have claimed the review; the lock goes.
    CLAIMED_AND_RELEASES = "claimed_and_releases"
    #: None is needed.
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition:
    """One row of the table: who may take a task from `sources` to `target`, and what is recorded."""

    sources: frozenset[Status]
    #: None keeps the status.
    target: Status | None
    roles: dict[Role, Scope]
    lock: LockNeed
    audit: str
    #: Further conditions, by error code, in the order in which they are checked.
    conditions: tuple[str, ...] = ()
    needs_reason: bool = False


_STAFF = {Role.SUPER_ADMIN: Scope.ANY, Role.PROJECT_ADMIN: Scope.ANY, Role.REVIEWER: Scope.ANY}

TRANSITIONS: dict[Action, Transition] = {
    Action.CLAIM: Transition(
        sources=frozenset({Status.PENDING, Status.IN_PROGRESS}),
        target=Status.IN_PROGRESS,
        roles=_STAFF | {Role.ANNOTATOR: Scope.OWN_BATCH},
        lock=LockNeed.TAKES,
        audit="task.claim",
        conditions=("BATCH_ON_HOLD",),
    ),
    Action.SUBMIT: Transition(
        sources=frozenset({Status.IN_PROGRESS}),
        target=Status.REVIEW,
        roles=_STAFF | {Role.ANNOTATOR: Scope.HOLDS_LOCK},
        lock=LockNeed.TAKES_AND_RELEASES,
        audit="task.submit",
        conditions=("JOB_ACTIVE", "NOT_CONFIRMED", "PINS_OPEN"),
    ),
    Action.WITHDRAW: Transition(
        sources=frozenset({Status.IN_PROGRESS}),
        target=Status.PENDING,
        roles=_STAFF | {Role.ANNOTATOR: Scope.HOLDS_LOCK},
        lock=LockNeed.TAKES_AND_RELEASES,
        audit="task.withdraw",
    ),
    Action.RECALL: Transition(
        sources=frozenset({Status.REVIEW}),
        target=Status.IN_PROGRESS,
        roles={
            Role.SUPER_ADMIN: Scope.ANY,
            Role.PROJECT_ADMIN: Scope.ANY,
            Role.REVIEWER: Scope.OWN_SUBMISSION,
            Role.ANNOTATOR: Scope.OWN_SUBMISSION,
        },
        lock=LockNeed.TAKES,
        audit="task.recall",
    ),
    Action.REVIEW_CLAIM: Transition(
        sources=frozenset({Status.REVIEW}),
        target=None,
        roles=dict(_STAFF),
        lock=LockNeed.TAKES,
        audit="task.review_claim",
    ),
    Action.APPROVE: Transition(
        sources=frozenset({Status.REVIEW}),
        target=Status.COMPLETED,
        roles=dict(_STAFF),
        lock=LockNeed.CLAIMED_AND_RELEASES,
        audit="task.approve",
        conditions=("STALE_REVISION", "FOUR_EYES"),
    ),
    Action.REJECT: Transition(
        sources=frozenset({Status.REVIEW}),
        target=Status.PENDING,
        roles=dict(_STAFF),
        lock=LockNeed.CLAIMED_AND_RELEASES,
        audit="task.reject",
        needs_reason=True,
    ),
    Action.REOPEN: Transition(
        sources=frozenset({Status.COMPLETED}),
        target=Status.PENDING,
        roles={Role.SUPER_ADMIN: Scope.ANY, Role.PROJECT_ADMIN: Scope.OWNER},
        lock=LockNeed.NONE,
        audit="task.reopen",
        needs_reason=True,
    ),
}

#: The system's own move, when a task's asset is stored and checked.
UPLOAD_DONE = Transition(
    sources=frozenset({Status.UPLOADING}),
    target=Status.PENDING,
    roles={},
    lock=LockNeed.NONE,
    audit="task.uploaded",
)


class Operation(StrEnum):
    """Mutations beside the status machine."""

    #: Drafts, candidates, config, apply, confirm, mark.
    EDIT = "edit"
    #: Start a job or a model run, cancel one's own.
    RUN = "run"
    #: Answer a pause.
    ANSWER = "answer"
    #: Take the task's lock.
    LOCK = "lock"
    #: Tasks, imports, exports, batches, members, models, policies, holds, forced release, others' jobs, bulk
    #: runs.
    MANAGE = "manage"
    #: Look, within one's visibility.
    READ = "read"


@dataclass(frozen=True, slots=True, kw_only=True)
class Permission:
    """Who may do an operation, by the task's status ("None" for what has no task)."""

    by_status: dict[Status | None, dict[Role, Scope]]


_WORKERS = _STAFF | {Role.ANNOTATOR: Scope.OWN_BATCH}
_ADMINS = {Role.SUPER_ADMIN: Scope.ANY, Role.PROJECT_ADMIN: Scope.ANY}

OPERATIONS: dict[Operation, Permission] = {
    Operation.EDIT: Permission(by_status={Status.IN_PROGRESS: _WORKERS, Status.REVIEW: _STAFF}),
    Operation.RUN: Permission(
        by_status={Status.PENDING: _WORKERS, Status.IN_PROGRESS: _WORKERS, Status.REVIEW: _STAFF}
    ),
    Operation.ANSWER: Permission(by_status={Status.PENDING: _WORKERS, Status.IN_PROGRESS: _WORKERS}),
    Operation.LOCK: Permission(
        by_status={Status.PENDING: _WORKERS, Status.IN_PROGRESS: _WORKERS, Status.REVIEW: _STAFF}
    ),
    Operation.MANAGE: Permission(by_status={None: _ADMINS}),
    Operation.READ: Permission(by_status={None: dict.fromkeys(Role, Scope.ANY)}),
}


def status_moves() -> set[tuple[Status, Status]]:
    """Every (from, to) pair that some action makes; the database's trigger allows no other."""
    rows = [*TRANSITIONS.values(), UPLOAD_DONE]
    return {
        (source, row.target)
        for row in rows
        if row.target is not None
        for source in row.sources
        if source != row.target
    }


def required_roles(action: Action) -> list[str]:
    """The roles that may ever do `action`, for the 403's `required_roles`."""
    return [role.value for role in Role if role in TRANSITIONS[action].roles]
