"""My work: go on, what came back, what waits for an answer, how the week went, and the projects."""

from dataclasses import dataclass
from datetime import date

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.dateformat import format as formatted
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from review.queries.my_panels import approved_share, waiting_panels
from tasks.pages.shell import page, person
from tasks.queries.my_work import Day, handed_in_by_day, sent_back, unfinished
from tasks.queries.project_cards import project_cards

CHART_HEIGHT = 46


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartBar:
    """One bar of the week's chart, in the units of its viewBox (200 × 64)."""

    x: int
    y: int
    height: int
    day: date
    count: int
    is_today: bool

    @property
    def weekday(self) -> str:
        """As short as it may be: “Tu”, or in Chinese the last sign, since all seven begin alike."""
        name = formatted(self.day, "D")
        return name[:2] if name.isascii() else name[-1]


@require_safe
@page
def home(request: HttpRequest) -> HttpResponse:
    """The page everybody starts from."""
    user = person(request)
    week = handed_in_by_day(user)
    cards = project_cards(user=user)
    open_tasks = unfinished(user)
    panels = waiting_panels(user)
    # The task in hand first; where there is none, the panel that has waited longest.
    resume = open_tasks[0] if open_tasks else None
    asked = {panel.job.task_id: panel for panel in panels}
    context = {
        "nav": "home",
        "greeting": greeting(timezone.localtime().hour),
        "resume": resume,
        "resume_panel": asked.get(resume.pk) if resume else None,
        "unfinished": open_tasks[1:],
        "sent_back": sent_back(user),
        "panels": [panel for panel in panels if resume is None or panel.job.task_id != resume.pk],
        "bars": chart(week),
        "week_total": sum(day.count for day in week),
        "approved_share": approved_share(user),
        "cards": cards,
        "next_card": next((card for card in cards if card.may_work and card.counts.get("pending")), None)
        or next((card for card in cards if card.may_work), None),
    }
    return render(request, "home.html", context)


def greeting(hour: int) -> str | Promise:
    """By the hour of the server's time zone."""
    if hour < 5 or hour >= 18:
        return _("Good evening")
    return _("Good morning") if hour < 12 else _("Good afternoon")


def chart(week: list[Day]) -> list[ChartBar]:
    """Bars scaled to the best day; a day without work keeps a line, so that the axis is seen."""
    best = max((day.count for day in week), default=0) or 1
    bars = []
    for place, day in enumerate(week):
        height = max(2, round(CHART_HEIGHT * day.count / best))
        bars.append(
            ChartBar(
                x=4 + place * 28,
                y=CHART_HEIGHT + 4 - height,
                height=height,
                day=day.day,
                count=day.count,
                is_today=place == len(week) - 1,
            )
        )
    return bars
