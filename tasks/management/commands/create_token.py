"""`manage.py create_token USERNAME`: an API token for a script, printed once."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tasks.domain.errors import ValidationFailed
from tasks.models import User
from tasks.operations.api_tokens import create_token


class Command(BaseCommand):
    """Prints nothing but the token, so that a script can take it from there."""

    help = "Make an API token for a person and print it."

    def add_arguments(self, parser: CommandParser) -> None:
        """Whose, and what for."""
        parser.add_argument("username")
        parser.add_argument("--name", default="made on the command line", help="what it is for")

    def handle(self, *args: Any, **options: Any) -> None:
        """Exits with 1 where there is no such person."""
        user = User.objects.filter(username=options["username"], is_active=True).first()
        if user is None:
            raise CommandError(f"There is no active person called {options['username']}.")
        try:
            _, text = create_token(actor=user, name=options["name"])
        except ValidationFailed as error:
            raise CommandError(error.detail) from error
        self.stdout.write(text)
