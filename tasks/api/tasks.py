"""Tasks: lists, one, its history, a new one, archive and restore."""

from django.http import HttpResponse
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.api.base import (
    ApiView,
    id_or_404,
    page_of,
    parsed,
    parsed_query,
    reply_response,
    request_context,
    request_key,
)
from tasks.api.bodies import NewTask, OptionalReason, ReasonedAct, TaskFilter
from tasks.api.documented import documented
from tasks.api.parsers import BodyParser
from tasks.api.shapes import HistoryShape, TaskShape, page_shape
from tasks.domain.errors import NotFound
from tasks.models import Task
from tasks.operations.archive import archive_task, restore_task
from tasks.operations.create_task import create_task
from tasks.queries.access import check_manage, known_role, task_to_archive, visible_project, visible_task
from tasks.queries.task_body import body_of, task_body
from tasks.queries.task_history import task_history
from tasks.queries.task_list import task_list


class Tasks(ApiView):
    """The tasks that the caller sees."""

    @documented("tasks_list", page_shape(TaskShape), query=TaskFilter, is_page=True)
    def get(self, request: Request) -> Response:
        """Newest first."""
        wanted = parsed_query(TaskFilter, request)
        tasks = task_list(
            user=self.user,
            project_id=wanted.get("project"),
            status=wanted.get("status", ""),
            batch_id=wanted.get("batch"),
            mark=wanted.get("mark", ""),
            mine=wanted.get("mine", False),
            search=wanted.get("q", ""),
        )
        return Response(page_of(tasks, request, order="-id", render=body_of))


class ProjectTasks(ApiView):
    """New tasks of a project."""

    parser_classes = [MultiPartParser, BodyParser]

    @documented("tasks_create", TaskShape, body=NewTask, status=201, is_form=True)
    def post(self, request: Request, project_id: str) -> HttpResponse:
        """One picture with its question; for project admins. A file that is no picture is refused at once."""
        project = visible_project(user=self.user, project_id=id_or_404(project_id))
        values = parsed(NewTask, request)
        role = check_manage(user=self.user, project=project)
        key = request_key(request, operation="task.create", role=role)
        image = values["image"]
        reply = create_task(
            actor=self.user,
            project_id=project.pk,
            batch_id=values.get("batch"),
            file_name=image.name or "",
            data=image.read(),
            name=values.get("name", ""),
            question=values.get("question", ""),
            selection_mode=values.get("selection_mode") or Task.SelectionMode.FREE,
            targets=values.get("targets", []),
            request=key,
            context=request_context(request),
        )
        return reply_response(reply)


class OneTask(ApiView):
    """One task."""

    @documented("tasks_read", TaskShape)
    def get(self, request: Request, task_id: str) -> Response:
        """With its picture, its question, its lock and its last decision."""
        task = visible_task(user=self.user, task_id=id_or_404(task_id))
        return Response(task_body(task.pk, viewer=self.user))

    @documented("tasks_archive", None, body=ReasonedAct, status=204)
    def delete(self, request: Request, task_id: str) -> HttpResponse:
        """Archived: out of lists and queues, kept for the audit."""
        task = task_to_archive(user=self.user, task_id=id_or_404(task_id))
        values = parsed(ReasonedAct, request)
        role = known_role(user=self.user, project=task.project)
        reply = archive_task(
            actor=self.user,
            task_id=task.pk,
            reason=values["reason"],
            request=request_key(request, operation="task.archive", role=role),
            context=request_context(request),
        )
        return reply_response(reply)


class RestoredTask(ApiView):
    """An archived task."""

    @documented("tasks_restore", TaskShape, body=OptionalReason)
    def post(self, request: Request, task_id: str) -> HttpResponse:
        """In lists and queues again, in the status it had."""
        task = Task.objects.select_related("project").filter(pk=id_or_404(task_id)).first()
        if task is None or task.project.archived_at is not None:
            raise NotFound
        role = known_role(user=self.user, project=task.project)
        values = parsed(OptionalReason, request)
        reply = restore_task(
            actor=self.user,
            task_id=task.pk,
            reason=values["reason"],
            request=request_key(request, operation="task.restore", role=role),
            context=request_context(request),
        )
        return reply_response(reply)


class TaskHistory(ApiView):
    """What was done to a task."""

    @documented("tasks_history", HistoryShape)
    def get(self, request: Request, task_id: str) -> Response:
        """Oldest first."""
        task = visible_task(user=self.user, task_id=id_or_404(task_id))
        return Response(task_history(task, viewer=self.user))
