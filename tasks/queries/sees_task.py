"""Whether a person sees a task, for what is asked all day: the statement of `visible_to`, built once.

The ORM needs several times as long to build it as PostgreSQL to answer it (`script/bench`, heartbeats).
"""

from functools import cache
from typing import Any
from uuid import UUID

from django.db import connection

from tasks.models import Task, User

#: They stand in the statement where the person and the task of each call go.
_SOMEBODY, _SOMETHING = UUID(int=1), UUID(int=2)


def sees_task(*, user: User, task_id: UUID) -> bool:
    """The same answer as `Task.objects.visible_to(user).filter(pk=task_id).exists()`."""
    statement, parameters = _statement(user.is_superuser)
    real = {_SOMEBODY: user.pk, _SOMETHING: task_id}
    with connection.cursor() as cursor:
        cursor.execute(statement, [real.get(one, one) for one in parameters])
        return cursor.fetchone() is not None


@cache
def _statement(is_superuser: bool) -> tuple[str, tuple[Any, ...]]:
    visible = Task.objects.visible_to(User(pk=_SOMEBODY, is_superuser=is_superuser))
    statement, parameters = visible.filter(pk=_SOMETHING).values("pk").query.sql_with_params()
    assert _SOMETHING in parameters
    return statement, tuple(parameters)
