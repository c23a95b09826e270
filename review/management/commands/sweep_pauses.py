"""`manage.py sweep_pauses`: the only command that acts on pauses without a person."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from review.operations.sweep_pauses import sweep_pauses
from tasks.domain.policies import PolicyKind
from tasks.queries.policies import projects_with_policies_on


class Command(BaseCommand):
    """Nothing runs this by itself, and it does nothing unless a project switched on a timeout policy (I5).

    It touches no pause that was made before the version in force, or without it, whatever its age. Where a
    project has such a policy, the operator runs it every minute or so; two at once do no harm.
    """

    help = "Act on pauses on which a project's declared timeout is due; without such a policy do nothing."

    def handle(self, *args: Any, **options: Any) -> None:
        """One line. Raises CommandError where an error kept it from a pause."""
        timeouts = {PolicyKind.TIMEOUT_DEFAULT, PolicyKind.TIMEOUT_TO_QUEUE}
        if not projects_with_policies_on(timeouts):
            self.stdout.write("0 pauses touched: no project has a policy that may answer for a person.")
            return
        swept = sweep_pauses()
        self.stdout.write(
            f"{swept.answered + swept.passed_on} pauses touched: {swept.answered} answered by default, "
            f"{swept.passed_on} put to others; {swept.left} due and left."
        )
        if swept.failed:
            raise CommandError(f"{swept.failed} pauses could not be acted on: see the log.")
