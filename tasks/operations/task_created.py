"""What higher apps do when a task has been created: registered by them, called inside the transaction."""

from typing import Protocol

from tasks.domain.actor import RequestContext
from tasks.domain.matrix import Role
from tasks.models import Task, User


class OnTaskCreated(Protocol):
    """Called with the new, row-locked task, in the transaction that creates it."""

    def __call__(self, *, task: Task, actor: User, role: Role, context: RequestContext) -> None: ...


_followers: list[OnTaskCreated] = []


def follow_task_created(follower: OnTaskCreated) -> None:
    """Register a follower, once, when the app is ready (starting jobs of projects with `start_jobs`)."""
    if follower not in _followers:
        _followers.append(follower)


def tell_task_created(*, task: Task, actor: User, role: Role, context: RequestContext) -> None:
    """Tell them all."""
    for follower in _followers:
        follower(task=task, actor=actor, role=role, context=context)
