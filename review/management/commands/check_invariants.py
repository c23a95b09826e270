"""Does the database hold what page 01 promises?"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from review.queries.invariants import ALWAYS, WHEN_QUIET, violations


class Command(BaseCommand):
    """Print what does not hold; exit with an error where there is any."""

    help = "Check the invariants in the database."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One switch for a system at rest, one to see the statements."""
        parser.add_argument("--quiet-system", action="store_true", help="nothing is under way right now")
        parser.add_argument("--sql", action="store_true", help="print the statements and check nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError where something does not hold."""
        statements = ALWAYS | WHEN_QUIET if options["quiet_system"] else ALWAYS
        if options["sql"]:
            for name, statement in statements.items():
                self.stdout.write(f"-- {name}\n{statement.strip()};\n")
            return
        found = violations(is_quiet=options["quiet_system"])
        for violation in found:
            self.stderr.write(f"{violation.name}: {', '.join(violation.ids)}")
        if found:
            raise CommandError(f"{len(found)} of {len(statements)} statements do not hold.")
        self.stdout.write(f"All {len(statements)} statements hold.")
