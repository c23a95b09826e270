"""Answer a reviewer's pin: submitting waits until each pin of the last rejection has an answer."""

from uuid import UUID

from review.models import Pin
from review.operations.lock_for_edit import lock_for_edit
from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.errors import NotFound
from tasks.domain.matrix import Operation
from tasks.domain.times import iso
from tasks.models import Task, User
from tasks.operations.audit import audit_task
from tasks.operations.events import tell_of_change
from tasks.operations.idempotency import Reply, keep_reply, known_reply, render_reply
from tasks.operations.row_locks import lock_task
from tasks.operations.transactions import db_now, operation
from tasks.queries.access import check_operation, visible_task
from tasks.queries.task_body import task_body


@operation
def answer_pin(
    *,
    actor: User,
    task_id: UUID,
    pin_id: UUID,
    text: str,
    lock_token: int | None,
    request: RequestKey,
    context: RequestContext,
) -> Reply:
    """Answer the pin, with a text or as simply done; another text later replaces it. The reply is {task}.

    Raises NotFound (the task or the pin), RoleForbidden, IdempotencyConflict, LockLost, LockHeld,
    IllegalTransition.
    """
    role = check_operation(
        user=actor, task=visible_task(user=actor, task_id=task_id), operation=Operation.EDIT
    )
    if not Pin.objects.filter(pk=pin_id, task_id=task_id).exists():
        raise NotFound("This task has no such pin.")
    if (reply := known_reply(request)) is not None:
        return reply
    task = lock_task(task_id)
    if (reply := known_reply(request)) is not None:
        return reply
    lock_for_edit(task=task, actor=actor, role=role, lock_token=lock_token)
    pin = Pin.objects.select_for_update(no_key=True, of=("self",)).get(pk=pin_id)
    if pin.answered_at is None or pin.answer != text:
        before = pin.answer if pin.answered_at else None
        pin.answer, pin.answered_by, pin.answered_at = text, actor, db_now()
        pin.save(update_fields=["answer", "answered_by", "answered_at"])
        _update_copy(task, pin)
        audit_task(
            task=task,
            action="pin.answer",
            actor=actor,
            role=role,
            before={"pin": str(pin.pk), "answer": before},
            after={"pin": str(pin.pk), "answer": text},
            context=context,
        )
        tell_of_change(task=task, action="pin.answer", actor=actor)
    return keep_reply(request, render_reply(200, {"task": task_body(task.pk, viewer=actor)}))


def _update_copy(task: Task, pin: Pin) -> None:
    """The task's `last_decision` shows the answer too."""
    last = task.last_decision
    if last is None:
        return
    for copy in last.get("pins", []):
        if copy["id"] == str(pin.pk):
            copy["answer"], copy["answered_at"] = pin.answer, iso(pin.answered_at)
    task.updated_at = db_now()
    task.save(update_fields=["last_decision", "updated_at"])
