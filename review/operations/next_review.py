"""The next review: chosen and claimed in one transaction."""

from uuid import UUID

from review.operations.review_claim import review_claim_within
from review.queries.next_review import claimed_review, review_reasons, waiting_review
from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.errors import BatchOnHold, IllegalTransition, LockHeld, RoleForbidden
from tasks.domain.matrix import TRANSITIONS, Action, Role, required_roles
from tasks.models import Project, User
from tasks.operations.idempotency import Reply, keep_reply, known_reply, render_reply
from tasks.operations.row_locks import lock_task, lock_user
from tasks.operations.transactions import ChosenInVain, operation
from tasks.queries.access import known_role, visible_project
from tasks.queries.task_body import task_body


@operation
def next_review(
    *, actor: User, project_id: UUID, client_id: str, request: RequestKey, context: RequestContext
) -> Reply:
    """The reply is {task, lock, why}, or {task: null, reasons} where nothing waits for this person.

    The person's own row comes first: pressing twice gives one task. Raises NotFound, RoleForbidden,
    IdempotencyConflict.
    """
    project = visible_project(user=actor, project_id=project_id)
    role = check_next_review(user=actor, project=project)
    if (reply := known_reply(request)) is not None:
        return reply
    lock_user(actor.pk)
    if (reply := known_reply(request)) is not None:
        return reply
    why = "resumed"
    task_id = claimed_review(user=actor, project=project)
    if task_id is None:
        why, task_id = "sequence", waiting_review(user=actor, project=project)
    if task_id is None:
        reasons = review_reasons(user=actor, project=project)
        return keep_reply(request, render_reply(200, {"task": None, "reasons": reasons}))
    try:
        lock = review_claim_within(
            task=lock_task(task_id), actor=actor, role=role, client_id=client_id, context=context
        )
    except (LockHeld, BatchOnHold, IllegalTransition) as refusal:
        # A claim keeps the status: who chose before it was committed may find the row free again.
        raise ChosenInVain from refusal
    body = {"task": task_body(task_id, viewer=actor), "lock": lock, "why": why}
    return keep_reply(request, render_reply(200, body))


def check_next_review(*, user: User, project: Project) -> Role:
    """Whoever may claim a review may ask for one. Raises RoleForbidden, or NotFound for a stranger."""
    role = known_role(user=user, project=project)
    if role not in TRANSITIONS[Action.REVIEW_CLAIM].roles:
        raise RoleForbidden(
            "Your role in this project does not include reviewing. Ask a project admin.",
            required_roles=required_roles(Action.REVIEW_CLAIM),
        )
    return role
