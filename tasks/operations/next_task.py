"""The next task: chosen and claimed in one transaction."""

from uuid import UUID

from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.errors import BatchOnHold, IllegalTransition, LockHeld, RoleForbidden
from tasks.domain.matrix import TRANSITIONS, Action, Role, required_roles
from tasks.models import Project, User
from tasks.operations.claim import claim_within
from tasks.operations.idempotency import Reply, keep_reply, known_reply, render_reply
from tasks.operations.row_locks import lock_task, lock_user
from tasks.operations.transactions import ChosenInVain, operation
from tasks.queries import next_task as queue
from tasks.queries.access import known_role
from tasks.queries.lock_body import lock_body
from tasks.queries.queue_reasons import queue_reasons
from tasks.queries.task_body import body_with


@operation
def next_task(
    *, actor: User, project: Project, client_id: str, request: RequestKey, context: RequestContext
) -> Reply:
    """The reply is {task, lock, why}, or {task: null, reasons} where there is nothing to give.

    `project`: as `visible_project` gave it. The person's own row comes first: pressing twice gives one task.
    Raises NotFound, RoleForbidden, IdempotencyConflict.
    """
    if (reply := known_reply(request)) is not None:
        return reply
    lock_user(actor.pk)
    role = check_next(user=actor, project=project)
    if (reply := known_reply(request)) is not None:
        return reply
    batches = queue.workable_batches(user=actor, project=project, role=role)
    chosen = choose(user=actor, project=project, role=role, batches=batches)
    if chosen is None:
        reasons = queue_reasons(user=actor, project=project, batches=batches)
        return keep_reply(request, render_reply(200, {"task": None, "reasons": reasons}))
    task_id, why = chosen
    task = lock_task(task_id)
    try:
        held = claim_within(task=task, actor=actor, role=role, client_id=client_id, context=context)
    except (LockHeld, BatchOnHold, IllegalTransition) as refusal:
        raise ChosenInVain from refusal
    body = {"task": body_with(task, lock=held.lock), "lock": lock_body(held.lock), "why": why}
    return keep_reply(request, render_reply(200, body))


def choose(*, user: User, project: Project, role: Role, batches: list[UUID]) -> tuple[UUID, str] | None:
    """The task, row-locked, and why this one."""
    seen = queue.look(user=user, project=project, batches=batches)
    if seen.mine:
        if (task_id := queue.own_task_in_work(user=user, project=project, role=role)) is not None:
            return task_id, "resumed"
        if (task_id := queue.task_sent_back(user=user, project=project, role=role)) is not None:
            return task_id, "returned_to_you"
        if (task_id := queue.own_unfinished_task(user=user, project=project, role=role)) is not None:
            return task_id, "left_unfinished"
    if seen.left:
        task_id = queue.task_left_unfinished(user=user, project=project, batches=batches)
        if task_id is not None:
            return task_id, "left_unfinished"
    if (task_id := queue.pending_task(user=user, project=project, batches=batches)) is not None:
        return task_id, project.sampling
    return None


def check_next(*, user: User, project: Project) -> Role:
    """Whoever may claim may ask for the next task. Raises RoleForbidden, or NotFound for a stranger."""
    role = known_role(user=user, project=project)
    if role not in TRANSITIONS[Action.CLAIM].roles:
        raise RoleForbidden(
            "Your role in this project may look, but not take tasks. Ask a project admin.",
            required_roles=required_roles(Action.CLAIM),
        )
    return role
