"""A task's places in the workflow, and a batch's."""

from enum import StrEnum


class Status(StrEnum):
    """Where a task stands."""

    #: The picture is being received and checked; nobody may work on the task yet.
    UPLOADING = "uploading"
    #: Waiting for somebody to claim it, for the first time or again.
    PENDING = "pending"
    #: Somebody works on it (whether they hold a live lock is the lock's business).
    IN_PROGRESS = "in_progress"
    #: Handed in; waits for reviewers.
    REVIEW = "review"
    #: Approved. Only a reopen leaves it.
    COMPLETED = "completed"


class BatchStatus(StrEnum):
    """Where a batch stands."""

    #: Being prepared; seen by admins only.
    DRAFT = "draft"
    #: Open for work, none begun.
    ACTIVE = "active"
    #: Work has begun.
    ANNOTATING = "annotating"
    #: Nothing is pending or in progress; reviews are open.
    REVIEWING = "reviewing"
    #: Everything is approved.
    COMPLETED = "completed"
    #: Put away by hand.
    ARCHIVED = "archived"


#: Batches whose tasks may be claimed.
WORKABLE = frozenset({BatchStatus.ACTIVE, BatchStatus.ANNOTATING, BatchStatus.REVIEWING})

#: Moves that a project admin may make by hand; True where a reason is required.
BATCH_MOVES_BY_HAND: dict[tuple[BatchStatus, BatchStatus], bool] = {
    (BatchStatus.DRAFT, BatchStatus.ACTIVE): False,
    (BatchStatus.ACTIVE, BatchStatus.DRAFT): False,
    (BatchStatus.REVIEWING, BatchStatus.ANNOTATING): True,
    (BatchStatus.COMPLETED, BatchStatus.REVIEWING): True,
    (BatchStatus.ARCHIVED, BatchStatus.ACTIVE): False,
    **{(status, BatchStatus.ARCHIVED): False for status in BatchStatus if status != BatchStatus.ARCHIVED},
}


class Mark(StrEnum):
    """What a person noted about a sample."""

    NORMAL = "normal"
    #: Asks for a second look first.
    DIFFICULT = "difficult"
    #: Put off; left out of exports.
    LATER = "later"
    #: Not usable; left out of exports.
    INVALID = "invalid"
