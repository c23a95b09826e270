"""People by what somebody wrote: a username or an id."""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Q

from tasks.domain.errors import FieldError, ValidationFailed
from tasks.models import User


def named_people(names: Sequence[str], *, field: str) -> list[User]:
    """The active people, in the given order, each once.

    Raises ValidationFailed (422) naming each that does not exist.
    """
    ids = {name: identity for name in names if (identity := _as_id(name)) is not None}
    found = User.objects.filter(Q(username__in=names) | Q(pk__in=ids.values()), is_active=True)
    by_name = {user.username: user for user in found}
    by_id = {user.pk: user for user in found}
    people: dict[UUID, User] = {}
    errors = []
    for place, name in enumerate(names):
        user = by_name.get(name) or by_id.get(ids.get(name))  # type: ignore[arg-type]
        if user is None:
            where = field if len(names) == 1 else f"{field}.{place}"
            errors.append(FieldError(where, f"There is nobody called “{name[:80]}” here.", "unknown_user"))
        else:
            people[user.pk] = user
    if errors:
        raise ValidationFailed(errors, status=422)
    return list(people.values())


def _as_id(name: str) -> UUID | None:
    try:
        return UUID(name)
    except ValueError:
        return None
