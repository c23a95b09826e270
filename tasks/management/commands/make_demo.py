"""`manage.py make_demo`: demo accounts, a project and pictures, on an empty local database only."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from tasks.domain import demo
from tasks.models import User
from tasks.operations.make_demo import make_demo
from tasks.operations.pictures import NormalisedPicture, PictureRefused, normalise


class Command(BaseCommand):
    """Does nothing where there are people already, or where the settings do not allow it."""

    help = "Make the demo accounts and the demo project, where the database is empty and settings allow it."

    def handle(self, *args: Any, **options: Any) -> None:
        """Says what it made, with the accounts."""
        if not settings.IS_DEMO_ALLOWED:
            self.stdout.write("These settings allow no demo; nothing was made.")
            return
        # Looked at before the pictures are decoded: a second start returns at once.
        if User.objects.exists():
            self.stdout.write("There are people already; the demo was left as it is.")
            return
        project = make_demo(password=settings.DEMO_PASSWORD, pictures=self._pictures())
        if project is None:
            self.stdout.write("There are people already; the demo was left as it is.")
            return
        names = ", ".join(person.username for person in demo.PEOPLE)
        self.stdout.write(f"Made the project “{project.name}” ({project.pk}).")
        self.stdout.write(f"Sign in as one of {names}; the password is {settings.DEMO_PASSWORD}")

    def _pictures(self) -> dict[str, tuple[bytes, NormalisedPicture]]:
        found = {}
        for name, _ in demo.PICTURES:
            try:
                data = (settings.PICTURES_DIR / name).read_bytes()
                found[name] = (data, normalise(data=data))
            except FileNotFoundError:
                self.stderr.write(
                    f"{name} is not in {settings.PICTURES_DIR}: left out. Run script/bootstrap."
                )
            except PictureRefused as error:
                self.stderr.write(f"{name}: {error.message} Left out.")
        return found
