"""Whether people with open streams may still have them."""

from collections.abc import Collection, Mapping
from uuid import UUID

from django.contrib.sessions.models import Session
from django.db.models.functions import Now

from tasks.domain.matrix import Role
from tasks.models import ApiToken, Project, Task, User


def active_people(user_ids: Collection[UUID]) -> dict[UUID, User]:
    """Those of the people who may sign in at all."""
    return {user.pk: user for user in User.objects.filter(pk__in=user_ids, is_active=True)}


def live_sessions(session_keys: Collection[str]) -> set[str]:
    """Those of the sessions that were not signed out and have not run out."""
    sessions = Session.objects.filter(session_key__in=session_keys, expire_date__gt=Now())
    return set(sessions.values_list("session_key", flat=True))


def live_tokens(token_ids: Collection[UUID]) -> set[UUID]:
    """Those of the API tokens that were not revoked."""
    tokens = ApiToken.objects.filter(pk__in=token_ids, revoked_at=None)
    return set(tokens.values_list("pk", flat=True))


def viewer_pairs(tasks: Mapping[UUID, set[UUID]]) -> set[tuple[UUID, UUID]]:
    """Of the (person, task) pairs, those in which the person is a viewer; one statement."""
    wanted = {task_id for ids in tasks.values() for task_id in ids}
    rows = Task.objects.filter(
        pk__in=wanted, project__memberships__role=Role.VIEWER, project__memberships__user__in=tasks
    )
    return set(rows.values_list("project__memberships__user", "pk"))


def visible_pairs(
    *, people: Mapping[UUID, User], tasks: Mapping[UUID, set[UUID]], projects: Mapping[UUID, set[UUID]]
) -> set[tuple[UUID, UUID]]:
    """Of the wanted (person, task) and (person, project) pairs, those that page 03's table still allows.

    `tasks` and `projects` map a person to ids. At most two statements a person.
    """
    allowed: set[tuple[UUID, UUID]] = set()
    for user_id, user in people.items():
        if wanted := tasks.get(user_id):
            visible = Task.objects.visible_to(user).filter(pk__in=wanted)
            allowed |= {(user_id, pk) for pk in visible.values_list("pk", flat=True)}
        if wanted := projects.get(user_id):
            mine = Project.objects.visible_to(user).filter(pk__in=wanted)
            allowed |= {(user_id, pk) for pk in mine.values_list("pk", flat=True)}
    return allowed
