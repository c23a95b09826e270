"""What the workbench may fetch before it is asked for: a detail of that page, no part of the API."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from review.queries.next_review import likely_reviews
from tasks.domain.matrix import TRANSITIONS, Action
from tasks.domain.statuses import Status
from tasks.pages.shell import page, person
from tasks.queries.access import known_role, visible_task
from tasks.queries.next_task import likely_next
from tasks.queries.task_body import image_url


@require_safe
@page
def ahead(request: HttpRequest, task_id: UUID) -> HttpResponse:
    """`{pictures: [address]}`: where "next" most likely leads from this task; nothing is claimed."""
    user = person(request)
    task = visible_task(user=user, task_id=task_id)
    role = known_role(user=user, project=task.project)
    pictures: list[UUID] = []
    if task.status == Status.REVIEW and role in TRANSITIONS[Action.REVIEW_CLAIM].roles:
        pictures = likely_reviews(user=user, project=task.project, besides=task.pk)
    elif role in TRANSITIONS[Action.CLAIM].roles:
        pictures = likely_next(user=user, project=task.project, role=role, besides=task.pk)
    return JsonResponse({"pictures": [image_url(asset) for asset in pictures]})
