"""The audit of a project."""

from rest_framework.request import Request
from rest_framework.response import Response

from tasks.api.base import ApiView, id_or_404, page_rows, parsed_query
from tasks.api.bodies import AuditFilter
from tasks.api.documented import documented
from tasks.api.shapes import AuditShape, page_shape
from tasks.queries.access import project_to_archive
from tasks.queries.audit_entries import NEWEST_FIRST, audit_bodies, audit_entries, check_audit_reader


class ProjectAudit(ApiView):
    """Who did what, when and why."""

    @documented("projects_audit", page_shape(AuditShape), query=AuditFilter, is_page=True)
    def get(self, request: Request, project_id: str) -> Response:
        """Newest first; for reviewers and admins."""
        # Archived is out of the lists, and kept for the audit: its admins read it.
        project = project_to_archive(user=self.user, project_id=id_or_404(project_id))
        role = check_audit_reader(user=self.user, project=project)
        wanted = parsed_query(AuditFilter, request)
        entries = audit_entries(
            project=project,
            role=role,
            actor=wanted.get("actor", ""),
            action=wanted.get("action", ""),
            task_id=wanted.get("task"),
            since=wanted.get("since"),
            until=wanted.get("until"),
        )
        rows, next_cursor = page_rows(entries, request, order=NEWEST_FIRST)
        return Response({"items": audit_bodies(rows), "next_cursor": next_cursor})
