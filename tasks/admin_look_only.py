"""Admin pages that only show: operations write these rows, with audit and events."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    # Generic for the type checker only.
    ModelAdmin = admin.ModelAdmin


class LookOnly(ModelAdmin):
    """No form adds, changes or deletes a row. Lists do not count their whole table."""

    actions: Any = []
    show_full_result_count = False
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False


def follow(path: str) -> Callable[[Any], str]:
    """A column with the row that `path` (`job__task`) leads to: what it is called, with a way to its page."""
    *_, last = path.split("__")

    @admin.display(description=last.replace("_", " "), empty_value="–", ordering=path)
    def column(row: Any) -> str:
        found = row
        for part in path.split("__"):
            found = getattr(found, part, None)
        return "" if found is None else link_to(type(found), found.pk, str(found))

    # Django finds errors in the list of columns by their names.
    column.__name__ = path
    return column


def link_to(model: Any, key: Any, name: str | None) -> str:
    """`name` with a way to the row's admin page; nothing where there is no row (any more)."""
    if not name:
        return ""
    options = model._meta
    address = reverse(f"admin:{options.app_label}_{options.model_name}_change", args=[key])
    return format_html('<a href="{}">{}</a>', address, name)
