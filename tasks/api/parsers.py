"""Reading a JSON body: as DRF does, but not nested for nesting's sake."""

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

#: Far above what any call nests (a polygon's vertex in a save is the 7th level), far below Python's limit
#: of recursion, which whatever walks the body afterwards would meet.
MOST_LEVELS = 50
_TOO_DEEP = f"The JSON is nested more than {MOST_LEVELS} levels deep."


class BodyParser(JSONParser):
    """A body nested a thousand levels deep is the sender's fault (400) and not ours (500)."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """The body's value. Raises ParseError."""
        try:
            value: Any = super().parse(stream, media_type, parser_context)
        except RecursionError as error:
            raise ParseError(_TOO_DEEP) from error
        if is_too_deep(value):
            raise ParseError(_TOO_DEEP)
        return value


def is_too_deep(value: Any) -> bool:
    """Whether lists and objects lie in one another more than `MOST_LEVELS` deep."""
    level = [value]
    for _ in range(MOST_LEVELS + 1):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return False
    return True
