"""What a call gives does not hang on `Accept`."""

from collections.abc import Iterable

from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class GivesWhatItHas(DefaultContentNegotiation):
    """Each call has one kind of answer, and not all are JSON: a picture, JSON lines, a stream, a problem.

    DRF knows of the JSON only, and would refuse whoever asks for a picture as `image/png` (406).
    """

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """The one that fits, else the first."""
        offered = list(renderers)
        try:
            found: tuple[BaseRenderer, str] = super().select_renderer(request, offered, format_suffix)
        except NotAcceptable:
            return offered[0], str(offered[0].media_type)
        return found
