"""The one command that could act on pauses without a person. It does nothing: there is no such policy."""

from typing import Any

from django.core.management.base import BaseCommand


class Command(BaseCommand):
    """Does nothing, and says so (I5): only an intervention or a cancel ends a wait.

    A declared, versioned project policy would be the only ground to act on, and none can be switched on
    in this version. Do not schedule this.
    """

    help = "Do nothing: no clock answers for a person."

    def handle(self, *args: Any, **options: Any) -> None:
        """Leave every pause as it is, however old, whatever its row may say."""
        self.stdout.write("0 pauses touched: no project has a policy that may answer for a person.")
