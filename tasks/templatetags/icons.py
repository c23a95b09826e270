"""The one icon set: strokes on a 24×24 grid, drawn with the text's colour."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

PATHS = {
    "arrow-left": "M19 12H5m6-6-6 6 6 6",
    "arrow-right": "M5 12h14m-6-6 6 6-6 6",
    "check": "M5 13l4.5 4.5L19 7.5",
    "chevron-down": "M6 9l6 6 6-6",
    "clock": "M12 7v5l3 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0",
    "device": "M4 5h16v11H4zM9 20h6m-3-4v4",
    "folder": "M3 7a2 2 0 0 1 2-2h4l2 2h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z",
    "history": "M4 12a8 8 0 1 0 2.6-5.9L4 8.5M4 4v4.5h4.5M12 8v4l3 2",
    "inbox": "M4 13l2.5-8h11L20 13v6H4zM4 13h5l1 2.5h4L15 13h5",
    "lock": "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
    "log-out": "M10 4H5v16h5m4-12 4 4-4 4m4-4H9",
    "pause": "M9 6v12m6-12v12",
    "picture": "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9h.01",
    "plus": "M12 5v14M5 12h14",
    "search": "M20 20l-4.5-4.5M17 10.5a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0",
    "settings": (
        "M4 7h9m5 0h2M4 17h2m5 0h9M15.5 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z"
        "M8.5 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z"
    ),
    "undo": "M9 7 4 12l5 5M4 12h10a5 5 0 0 1 5 5v1",
    "upload": "M12 16V5m-5 5 5-5 5 5M4 19h16",
    "users": (
        "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0"
        "M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5a6.5 6.5 0 0 1 3.5 5.5"
    ),
    "warning": "M12 4 2.5 20h19zM12 10v4.5m0 2.5h.01",
    "x": "M6 6l12 12M18 6 6 18",
}


@register.simple_tag
def icon(name: str, classes: str = "size-4") -> SafeString:
    """The icon as inline SVG, hidden from screen readers: the text beside it says the same."""
    return format_html(
        '<svg class="{} shrink-0" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" '
        'stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="{}"/></svg>',
        classes,
        mark_safe(PATHS[name]),  # noqa: S308 - a literal of this file
    )
