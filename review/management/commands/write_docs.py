"""`manage.py write_docs`: the reference pages that come from literals; `--check` only compares."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from review.domain.jobs_page import jobs_page
from tasks.domain.workflow_page import workflow_page

PAGES = {"docs/reference/workflow.md": workflow_page, "docs/reference/jobs.md": jobs_page}


class Command(BaseCommand):
    """Needs no database."""

    help = "Write the generated reference pages, or check that they are up to date."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """`--check`: exits with 1 where a page is not what the literals say."""
        parser.add_argument("--check", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        """One line for each page."""
        for name, page in PAGES.items():
            path = settings.BASE_DIR / name
            wanted = page()
            current = path.read_text(encoding="utf-8") if path.exists() else None
            if options["check"]:
                if current != wanted:
                    raise CommandError(f"{name} is out of date: run manage.py write_docs and commit it.")
                continue
            if current != wanted:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(wanted, encoding="utf-8")
                self.stdout.write(f"wrote {name}")
