"""The review queue as cards."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from review.queries.project_overview import pause_ages
from review.queries.review_cards import review_cards
from tasks.pages.shell import page, person, project_page


@require_safe
@page
def review_queue(request: HttpRequest, project_id: UUID) -> HttpResponse:
    """Pictures with their boxes drawn and the reason for each place; decided from the keyboard. Above them
    the panels that nobody answered yet, by age."""
    project, _role, context = project_page(request, project_id=project_id, tab="review")
    cards, waiting = review_cards(project=project, viewer=person(request))
    pauses = pause_ages(project=project, viewer=person(request))
    context |= {"cards": cards, "waiting": waiting, "pauses": pauses, "nav": "review"}
    return render(request, "projects/review.html", context)
