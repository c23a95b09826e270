"""`manage.py verify_audit`: walk the audit chains and name the first broken row of each."""

from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tasks.queries.verify_audit import verify_audit


class Command(BaseCommand):
    """Exits with 1 where a row was changed, removed or added behind the program's back."""

    help = "Check that no audit row was changed, removed or cut off."

    def add_arguments(self, parser: CommandParser) -> None:
        """`--project`: only that one."""
        parser.add_argument("--project", type=UUID, help="the id of one project")

    def handle(self, *args: Any, **options: Any) -> None:
        """One line for each broken chain, then the totals."""
        found = verify_audit(project_id=options["project"])
        for one in found.breaks:
            self.stderr.write(f"BROKEN {one}")
        if found.breaks:
            raise CommandError(
                f"{len(found.breaks)} of {found.chains} chains are broken; the first is {found.breaks[0]}. "
                "Keep the database as it is and compare it with a backup."
            )
        self.stdout.write(f"{found.entries} audit rows in {found.chains} chains: all as they were written.")
