"""What the servers are compared with: a plain view, a DRF view that does nothing, one with one SELECT."""

from django.http import HttpRequest, HttpResponse
from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tasks.models import Project


def plain(request: HttpRequest) -> HttpResponse:
    """Django's least."""
    return HttpResponse("ok")


class Nothing(APIView):
    """DRF's least."""

    authentication_classes = ()
    permission_classes = ()

    def get(self, request: Request) -> Response:
        """A constant."""
        return Response({"ok": True})


class OneSelect(Nothing):
    """DRF with one statement by primary key."""

    def get(self, request: Request) -> Response:
        """Whether there is such a project."""
        found = Project.objects.filter(pk="00000000-0000-0000-0000-000000000000").first()
        return Response({"ok": found is None})


urlpatterns = [
    path("plain", plain),
    path("nothing", Nothing.as_view()),
    path("select", OneSelect.as_view()),
]
