"""What an action does about the task's lock before anything else is looked at."""

from tasks.domain.actor import RequestContext
from tasks.domain.matrix import TRANSITIONS, Action, LockNeed, Role, Scope
from tasks.models import Task, User
from tasks.operations.task_locks import hold, require_held
from tasks.queries.access import check_source
from tasks.queries.lock_body import live_lock


def lock_for_action(*, task: Task, actor: User, role: Role, action: Action, context: RequestContext) -> None:
    """Have the row-locked task's lock as the matrix says: take it, or be the one who holds it.

    Where nobody is live in the task, a wrong status is the better answer than a lock that nobody has.
    Raises LockHeld, LockLost, IllegalTransition.
    """
    row = TRANSITIONS[action]
    if row.roles[role] is Scope.HOLDS_LOCK:
        if live_lock(task.pk) is None:
            check_source(task=task, action=action, viewer=actor)
        require_held(task=task, actor=actor, lock_token=None)
    elif row.lock in {LockNeed.TAKES, LockNeed.TAKES_AND_RELEASES}:
        hold(task=task, actor=actor, role=role, client_id=None, context=context)
