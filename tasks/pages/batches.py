"""Batches as columns by state."""

from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tasks.domain.matrix import Role
from tasks.domain.statuses import BATCH_MOVES_BY_HAND, BatchStatus
from tasks.models import Batch, Membership, User
from tasks.pages.shell import page, project_page
from tasks.queries.project_cards import counts_of_batches


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchCard:
    """A batch with its counts, the people it is given to, and the moves that may be made by hand."""

    batch: Batch
    counts: dict[str, int]
    assignees: list[User]
    #: (target, whether a reason is needed)
    moves: list[tuple[str, bool]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """The batches of one state."""

    status: str
    cards: list[BatchCard]


@require_safe
@page
def batches(request: HttpRequest, project_id: UUID) -> HttpResponse:
    """The board; the page's script sends every change to the API."""
    project, _role, context = project_page(request, project_id=project_id, tab="batches")
    found = list(
        Batch.objects.filter(project=project)
        .select_related("held_by")
        .prefetch_related("assignments__user")
        .order_by("-priority", "created_at", "pk")[:500]
    )
    counts = counts_of_batches(found)
    cards = [_card(batch, counts.get(batch.pk, {})) for batch in found]
    workers = Membership.objects.filter(project=project).exclude(role=Role.VIEWER).select_related("user")
    columns = [
        Column(status=status.value, cards=[card for card in cards if card.batch.status == status])
        for status in BatchStatus
    ]
    context |= {
        # Put away is out of sight, unless there is something in it.
        "columns": [column for column in columns if column.cards or column.status != BatchStatus.ARCHIVED],
        "cards": cards,
        "people": [membership.user for membership in workers.order_by("user__username")],
    }
    return render(request, "projects/batches.html", context)


def _card(batch: Batch, counts: dict[str, int]) -> BatchCard:
    moves = [
        (target.value, needs_reason)
        for (source, target), needs_reason in BATCH_MOVES_BY_HAND.items()
        if source == batch.status
    ]
    people = sorted(
        (assignment.user for assignment in batch.assignments.all()), key=lambda user: user.username
    )
    return BatchCard(batch=batch, counts=counts, assignees=people, moves=moves)
