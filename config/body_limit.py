"""Requests that are too large are refused before they are read."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from config.problems import render_problem
from tasks.domain.errors import TooLarge

#: What a multipart form adds around a picture.
FORM_BYTES = 1024 * 1024


class BodyLimit:
    """Middleware: 413 where the body is announced larger than the largest picture with its form."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The refusal, or the rest of the way."""
        announced = request.META.get("CONTENT_LENGTH") or "0"
        if announced.isdigit() and int(announced) > settings.UPLOAD_MAX_BYTES + FORM_BYTES:
            megabytes = settings.UPLOAD_MAX_BYTES // (1024 * 1024)
            return render_problem(TooLarge(f"Send at most {megabytes} MiB in one request."))
        return self._get_response(request)
