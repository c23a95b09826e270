"""Locks of tasks, and the list of who holds what."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from locks.models import TaskLock
from tasks.api.base import ApiView, id_or_404, page_of, parsed, request_context, request_key
from tasks.api.bodies import Client, ReasonedAct
from tasks.api.documented import documented
from tasks.api.shapes import BeatShape, LockShape, SessionShape, page_shape
from tasks.domain.errors import FieldError, NotFound, ValidationFailed
from tasks.domain.times import iso
from tasks.operations.acquire_lock import acquire_lock
from tasks.operations.beat_lock import beat_lock
from tasks.operations.force_release_lock import force_release_lock
from tasks.operations.release_lock import release_lock
from tasks.queries.access import check_manage, known_role, visible_project, visible_task
from tasks.queries.lock_body import live_lock, lock_body
from tasks.queries.sees_task import sees_task
from tasks.queries.sessions import live_locks

#: A task's row keeps its id through takeovers, so the id does not say who came last.
_NEWEST_FIRST = ("-acquired_at", "-id")
_CLIENT_ID = OpenApiParameter("client_id", OpenApiTypes.STR, required=True)


class Lock(ApiView):
    """A task's lock."""

    @documented("lock_read", LockShape)
    def get(self, request: Request, task_id: str) -> HttpResponse:
        """The live lock, or null."""
        task = visible_task(user=self.user, task_id=id_or_404(task_id))
        lock = live_lock(task.pk)
        if lock is None:
            # DRF would send an empty body for None.
            return HttpResponse(b"null", content_type="application/json")
        return Response(lock_body(lock))

    @documented("lock_acquire", LockShape, body=Client)
    def put(self, request: Request, task_id: str) -> Response:
        """Take it where it is free, stale or expired; renew it where it is the caller's."""
        task = visible_task(user=self.user, task_id=id_or_404(task_id))
        values = parsed(Client, request)
        return Response(
            acquire_lock(
                actor=self.user,
                seen=task,
                client_id=values["client_id"],
                context=request_context(request),
            )
        )

    @documented("lock_release", None, status=204, parameters=[_CLIENT_ID])
    def delete(self, request: Request, task_id: str) -> Response:
        """204 always: released, or not this client's."""
        task = visible_task(user=self.user, task_id=id_or_404(task_id))
        client_id = request.query_params.get("client_id", "")
        if not client_id or "\0" in client_id or len(client_id) > 100:
            raise ValidationFailed(
                [FieldError("client_id", "Say whose lock it is: ?client_id=…", "required")]
            )
        release_lock(actor=self.user, seen=task, client_id=client_id, context=request_context(request))
        return Response(status=204)


class Heartbeat(ApiView):
    """A sign of life."""

    @documented("lock_heartbeat", BeatShape, body=Client)
    def post(self, request: Request, task_id: str) -> Response:
        """Extends the caller's live lock; LOCK_LOST where it is none."""
        task = id_or_404(task_id)
        if not sees_task(user=self.user, task_id=task):
            raise NotFound
        parsed(Client, request)
        return Response({"expire_at": iso(beat_lock(actor=self.user, task_id=task))})


class ProjectLocks(ApiView):
    """Who holds what."""

    @documented("locks_list", page_shape(SessionShape), is_page=True)
    def get(self, request: Request, project_id: str) -> Response:
        """The project's live locks; for project admins."""
        project = visible_project(user=self.user, project_id=id_or_404(project_id))
        check_manage(user=self.user, project=project)
        return Response(page_of(live_locks(project.pk), request, order=_NEWEST_FIRST, render=_session))


class ProjectLock(ApiView):
    """Somebody's lock, ended by an admin."""

    @documented("locks_force_release", None, body=ReasonedAct, status=204)
    def delete(self, request: Request, project_id: str, task_id: str) -> Response:
        """Forced release, with a reason, audited."""
        project = visible_project(user=self.user, project_id=id_or_404(project_id))
        values = parsed(ReasonedAct, request)
        role = known_role(user=self.user, project=project)
        force_release_lock(
            actor=self.user,
            project_id=project.pk,
            task_id=id_or_404(task_id),
            reason=values["reason"],
            request=request_key(request, operation="lock.force_release", role=role),
            context=request_context(request),
        )
        return Response(status=204)


def _session(lock: TaskLock) -> dict[str, Any]:
    task = lock.task
    return {**lock_body(lock), "task": {"id": str(task.pk), "name": task.name}, "device": lock.device}
