"""The moves that a batch makes by itself, when its tasks move."""

from tasks.domain.statuses import BatchStatus, Status
from tasks.domain.system_reasons import SystemReason
from tasks.models import Batch, Task
from tasks.operations.audit import audit_project
from tasks.operations.row_locks import lock_batch, lock_project

#: With more open tasks than this in a batch, its end cannot be near: see `after_task_moved`.
FAR_FROM_DONE = 64
_OPEN = (Status.UPLOADING, Status.PENDING, Status.IN_PROGRESS)
_BACK_TO_WORK = frozenset({BatchStatus.REVIEWING, BatchStatus.COMPLETED})


def after_task_moved(*, batch: Batch, source: Status, target: Status) -> None:
    """Move the batch where the task's move calls for it; the caller holds the task's row.

    The batch's row is locked only where a move is possible, and the tasks are counted under that lock: two
    last submissions at once would otherwise each still see the other, and a rejection beside a last
    submission its own old status. A batch with many open tasks is left alone without the lock, so that
    submissions do not queue behind one row: all of those tasks would have to be claimed and handed in by
    others while this transaction is about to commit.
    """
    status = BatchStatus(batch.status)
    if source is Status.PENDING:
        possible = status is BatchStatus.ACTIVE or status in _BACK_TO_WORK
    elif source is Status.IN_PROGRESS and target is Status.PENDING:
        possible = False
    else:
        possible = status in _BACK_TO_WORK or (status is BatchStatus.ANNOTATING and not _far_from_done(batch))
    if possible:
        settle_batch(lock_batch(batch.pk))


def settle_batch(batch: Batch) -> None:
    """Bring a locked batch to the status that its tasks call for. A batch on hold stays."""
    if batch.held_at is not None:
        return
    while (target := _next(batch)) is not None:
        before, batch.status = batch.status, target
        batch.save(update_fields=["status"])
        project = lock_project(batch.project_id)
        audit_project(
            project=project,
            action="batch.status",
            actor=None,
            reason=SystemReason.BY_ITSELF,
            before={"batch": str(batch.pk), "status": before},
            after={"batch": str(batch.pk), "status": batch.status},
        )


def _next(batch: Batch) -> BatchStatus | None:
    """The next step, or None where it stands right. Cheap: each question stops at the first row."""
    tasks = Task.objects.filter(batch=batch, archived_at=None)
    status = BatchStatus(batch.status)
    if status is BatchStatus.ACTIVE:
        begun = tasks.filter(status__in=[Status.IN_PROGRESS, Status.REVIEW, Status.COMPLETED]).exists()
        return BatchStatus.ANNOTATING if begun else None
    if status not in {BatchStatus.ANNOTATING, *_BACK_TO_WORK}:
        return None
    if tasks.filter(status__in=_OPEN).exists():
        return BatchStatus.ANNOTATING if status in _BACK_TO_WORK else None
    if status is BatchStatus.ANNOTATING:
        return BatchStatus.REVIEWING if tasks.exists() else None
    in_review = tasks.filter(status=Status.REVIEW).exists()
    if status is BatchStatus.REVIEWING:
        return BatchStatus.COMPLETED if not in_review and tasks.exists() else None
    return BatchStatus.REVIEWING if in_review else None


def _far_from_done(batch: Batch) -> bool:
    open_tasks = Task.objects.filter(batch=batch, archived_at=None, status__in=_OPEN)
    return len(open_tasks.order_by().values_list("pk")[: FAR_FROM_DONE + 1]) > FAR_FROM_DONE
