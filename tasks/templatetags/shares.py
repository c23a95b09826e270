"""Stacked bars as SVG: widths are attributes, because the Content-Security-Policy allows no inline style."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import template

from tasks.domain.statuses import Status

register = template.Library()

FILLS = {
    Status.COMPLETED: "fill-success",
    Status.REVIEW: "fill-info",
    Status.IN_PROGRESS: "fill-warning",
}


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a bar that is 1000 wide."""

    x: int
    width: int
    fill: str


@register.inclusion_tag("parts/stack_bar.html")
def stack_bar(counts: Mapping[str, int]) -> dict[str, Any]:
    """One bar: done, in review, in work; what is left is to do."""
    total = sum(counts.values())
    segments: list[Segment] = []
    x = 0
    for status, fill in FILLS.items():
        count = counts.get(status, 0)
        if total and count:
            # At least a sliver: one of a million is not none.
            width = max(4, round(1000 * count / total))
            segments.append(Segment(x, width, fill))
            x += width
    return {"segments": segments, "counts": counts, "total": total}


@register.inclusion_tag("parts/counts_text.html")
def counts_text(counts: Mapping[str, int]) -> dict[str, Any]:
    """The bar's numbers in words, those that are not zero."""
    return {
        "done": counts.get(Status.COMPLETED, 0),
        "review": counts.get(Status.REVIEW, 0),
        "work": counts.get(Status.IN_PROGRESS, 0),
        "todo": counts.get(Status.PENDING, 0),
        "uploading": counts.get(Status.UPLOADING, 0),
        "total": sum(counts.values()),
    }


@register.filter
def grouped(number: int) -> str:
    """12345 as 12,345."""
    return f"{number:,}"
