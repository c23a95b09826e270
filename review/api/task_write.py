"""How a write on a task begins: may you see it (404), is the shape right (400), may you do it (403)."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from rest_framework import serializers
from rest_framework.request import Request

from tasks.api.base import ApiView, StrictSerializer, id_or_404, parsed, request_key
from tasks.domain.actor import RequestKey
from tasks.domain.matrix import Action, Operation, Role
from tasks.models import Task, User
from tasks.queries.access import check_action, check_operation, visible_task


class LockedWrite(StrictSerializer):
    """What every write under the task's lock may carry besides its content."""

    request_id = serializers.UUIDField(required=False, allow_null=True)
    client_id = serializers.CharField(required=False, allow_null=True, max_length=100, trim_whitespace=False)
    #: The fence of the sender's lock; another token than the row's is LOCK_LOST.
    lock_token = serializers.IntegerField(required=False, allow_null=True, min_value=0)


class TaskWriteView(ApiView):
    """A view whose write concerns one task."""

    def begin(
        self,
        request: Request,
        task_id: UUID | str,
        *,
        body: type[LockedWrite],
        does: Action | Operation,
        name: str,
    ) -> tuple[UUID, dict[str, Any], RequestKey]:
        """The task's id, the body's values and the request's key.

        Raises NotFound, ValidationError (400), RoleForbidden.
        """
        task = visible_task(user=self.user, task_id=id_or_404(task_id))
        values = parsed(body, request)
        role = _checker(does)(self.user, task)
        return task.pk, values, request_key(request, operation=name, role=role)


def _checker(does: Action | Operation) -> Callable[[User, Task], Role]:
    def check(user: User, task: Task) -> Role:
        if isinstance(does, Action):
            return check_action(user=user, task=task, action=does)
        return check_operation(user=user, task=task, operation=does)

    return check
