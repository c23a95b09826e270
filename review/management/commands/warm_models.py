"""`manage.py warm_models`: load every embedded model once, and let the matting library compile itself."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from review.providers.contract import ProviderError
from review.providers.local import warming


class Command(BaseCommand):
    """Part of set-up: the matting library compiles for a minute at its first import, and never again."""

    help = "Load every embedded model once and fill the compile cache in the data folder."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        """One line for each model, with the seconds that it took."""
        self.stdout.write("warming the models (the first time compiles for up to a minute)")
        try:
            seconds = warming.warm()
        except ProviderError as problem:
            raise CommandError(problem.message) from problem
        for name, taken in seconds.items():
            self.stdout.write(f"warm     {name}: {taken:.1f} s")
