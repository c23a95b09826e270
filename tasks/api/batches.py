"""Batches."""

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.api.base import (
    ApiView,
    id_or_404,
    page_rows,
    parsed,
    parsed_query,
    reply_response,
    request_context,
    request_key,
)
from tasks.api.bodies import Act, BatchChange, BatchFilter, BatchHold, NewBatch, OptionalReason, ReasonedAct
from tasks.api.documented import documented
from tasks.api.shapes import BatchShape, page_shape
from tasks.operations.archive import archive_batch, restore_batch
from tasks.operations.change_batch import change_batch
from tasks.operations.create_batch import create_batch
from tasks.operations.hold_batch import hold_batch, release_batch
from tasks.queries.access import known_role, visible_project
from tasks.queries.batch_body import batch_bodies, batch_body, visible_batch, visible_batches


class Batches(ApiView):
    """A project's batches."""

    @documented("batches_list", page_shape(BatchShape), query=BatchFilter, is_page=True)
    def get(self, request: Request, project_id: str) -> Response:
        """Newest first; archived ones only with `status=archived`."""
        batches = visible_batches(user=self.user, project_id=id_or_404(project_id))
        status = parsed_query(BatchFilter, request).get("status")
        batches = batches.filter(status=status) if status else batches.filter(archived_at=None)
        rows, next_cursor = page_rows(batches.select_related("held_by"), request, order="-id")
        return Response({"items": batch_bodies(rows), "next_cursor": next_cursor})

    @documented("batches_create", BatchShape, body=NewBatch, status=201)
    def post(self, request: Request, project_id: str) -> HttpResponse:
        """A draft, not open, given to nobody unless said otherwise; for project admins."""
        project = visible_project(user=self.user, project_id=id_or_404(project_id))
        values = parsed(NewBatch, request)
        reply = create_batch(
            actor=self.user,
            project_id=project.pk,
            values=values,
            request=request_key(
                request, operation="batch.create", role=known_role(user=self.user, project=project)
            ),
            context=request_context(request),
        )
        return reply_response(reply)


class OneBatch(ApiView):
    """One batch."""

    @documented("batches_read", BatchShape)
    def get(self, request: Request, batch_id: str) -> Response:
        """With its assignees and the number of tasks in each status."""
        return Response(batch_body(visible_batch(user=self.user, batch_id=id_or_404(batch_id))))

    @documented("batches_change", BatchShape, body=BatchChange)
    def patch(self, request: Request, batch_id: str) -> HttpResponse:
        """Name, priority, assignees, and the moves that are made by hand; for project admins."""
        batch = visible_batch(user=self.user, batch_id=id_or_404(batch_id))
        values = parsed(BatchChange, request)
        reply = change_batch(
            actor=self.user,
            batch_id=batch.pk,
            values=values,
            request=request_key(
                request, operation="batch.change", role=known_role(user=self.user, project=batch.project)
            ),
            context=request_context(request),
        )
        return reply_response(reply)

    @documented("batches_archive", None, body=ReasonedAct, status=204)
    def delete(self, request: Request, batch_id: str) -> HttpResponse:
        """Archived: out of lists and queues, kept for the audit."""
        batch = visible_batch(user=self.user, batch_id=id_or_404(batch_id))
        values = parsed(ReasonedAct, request)
        role = known_role(user=self.user, project=batch.project)
        reply = archive_batch(
            actor=self.user,
            batch_id=batch.pk,
            reason=values["reason"],
            request=request_key(request, operation="batch.archive", role=role),
            context=request_context(request),
        )
        return reply_response(reply)


class HeldBatch(ApiView):
    """A batch's hold."""

    @documented("batches_hold", BatchShape, body=BatchHold)
    def post(self, request: Request, batch_id: str) -> HttpResponse:
        """No new claims, no moves by itself; with `release_locks` the work in it is interrupted."""
        batch = visible_batch(user=self.user, batch_id=id_or_404(batch_id))
        values = parsed(BatchHold, request)
        reply = hold_batch(
            actor=self.user,
            batch_id=batch.pk,
            reason=values["reason"],
            release_locks=values["release_locks"],
            request=request_key(
                request, operation="batch.hold", role=known_role(user=self.user, project=batch.project)
            ),
            context=request_context(request),
        )
        return reply_response(reply)


class ReleasedBatch(ApiView):
    """The end of a hold."""

    @documented("batches_release", BatchShape, body=Act)
    def post(self, request: Request, batch_id: str) -> HttpResponse:
        """Claims and moves go on."""
        batch = visible_batch(user=self.user, batch_id=id_or_404(batch_id))
        parsed(Act, request)
        reply = release_batch(
            actor=self.user,
            batch_id=batch.pk,
            request=request_key(
                request, operation="batch.release", role=known_role(user=self.user, project=batch.project)
            ),
            context=request_context(request),
        )
        return reply_response(reply)


class RestoredBatch(ApiView):
    """An archived batch."""

    @documented("batches_restore", BatchShape, body=OptionalReason)
    def post(self, request: Request, batch_id: str) -> HttpResponse:
        """Active again, then wherever its tasks put it."""
        batch = visible_batch(user=self.user, batch_id=id_or_404(batch_id))
        values = parsed(OptionalReason, request)
        reply = restore_batch(
            actor=self.user,
            batch_id=batch.pk,
            reason=values["reason"],
            request=request_key(
                request, operation="batch.restore", role=known_role(user=self.user, project=batch.project)
            ),
            context=request_context(request),
        )
        return reply_response(reply)
