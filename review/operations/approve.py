"""Approve: the reviewer signs the revision that they looked at."""

from uuid import UUID

from review.domain.quorum import Verdict
from review.operations.decide import Judgement, decide_within
from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.matrix import Action
from tasks.models import User
from tasks.operations.idempotency import Reply, keep_reply, known_reply, render_reply
from tasks.operations.row_locks import lock_task
from tasks.operations.transactions import operation
from tasks.queries.access import check_action, visible_task
from tasks.queries.task_body import task_body


@operation
def approve(
    *,
    actor: User,
    task_id: UUID,
    annotation_revision: int,
    comment: str,
    override_reason: str,
    lock_token: int | None,
    request: RequestKey,
    context: RequestContext,
) -> Reply:
    """Approve; the reply is {task}, completed once the project's rule has what it needs.

    Raises NotFound, RoleForbidden, IdempotencyConflict, LockHeld, LockLost, IllegalTransition, StaleRevision,
    FourEyes.
    """
    role = check_action(user=actor, task=visible_task(user=actor, task_id=task_id), action=Action.APPROVE)
    if (reply := known_reply(request)) is not None:
        return reply
    task = lock_task(task_id)
    if (reply := known_reply(request)) is not None:
        return reply
    judgement = Judgement(
        verdict=Verdict.APPROVE, revision=annotation_revision, reason=comment, override_reason=override_reason
    )
    decide_within(
        task=task, actor=actor, role=role, judgement=judgement, lock_token=lock_token, context=context
    )
    return keep_reply(request, render_reply(200, {"task": task_body(task.pk, viewer=actor)}))
