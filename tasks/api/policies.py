"""What a project declares to happen without a person."""

from django.http import HttpResponse
from drf_spectacular.utils import inline_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.api.base import ApiView, id_or_404, page_of, parsed, reply_response, request_context, request_key
from tasks.api.bodies import Act
from tasks.api.documented import documented
from tasks.api.shapes import PersonShape, Shape, page_shape
from tasks.domain.errors import NotFound
from tasks.domain.policies import (
    LONGEST_TEXT,
    LONGEST_WAIT_SECONDS,
    SHORTEST_WAIT_SECONDS,
    AskedGroup,
    Below,
    DefaultAnswer,
    PolicyKind,
    check_shape,
)
from tasks.models import ProjectPolicy
from tasks.operations.change_policy import change_policy
from tasks.queries.access import known_role, visible_project
from tasks.queries.policies import policy_bodies, policy_body

POLICY_KINDS = [(kind.value, kind.value) for kind in PolicyKind]
BELOW = [(each.value, each.value) for each in Below]
DEFAULT_ANSWERS = [(each.value, each.value) for each in DefaultAnswer]
GROUPS = [(each.value, each.value) for each in AskedGroup]


class PolicyChange(Act):
    """A kind's whole declaration: is it on, and its terms. Another kind's terms are refused."""

    is_on = serializers.BooleanField()
    threshold = serializers.FloatField(
        required=False,
        allow_null=True,
        min_value=0.01,
        max_value=1,
        help_text="Routing: boxes with at least this score go on by themselves.",
    )
    calibration = serializers.CharField(
        required=False,
        allow_null=True,
        allow_blank=True,
        max_length=LONGEST_TEXT,
        help_text="Routing: what the threshold was measured on.",
    )
    below = serializers.ChoiceField(required=False, allow_null=True, choices=BELOW)
    after_seconds = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=SHORTEST_WAIT_SECONDS,
        max_value=LONGEST_WAIT_SECONDS,
        help_text="The timeouts: how long a pause waits first.",
    )
    answer = serializers.ChoiceField(required=False, allow_null=True, choices=DEFAULT_ANSWERS)
    group = serializers.ChoiceField(required=False, allow_null=True, choices=GROUPS)
    authorisation = serializers.CharField(
        required=False,
        allow_null=True,
        allow_blank=True,
        max_length=LONGEST_TEXT,
        help_text="Who allows it and why. The timeout default is never on without it.",
    )
    expected_version = serializers.IntegerField(required=False, allow_null=True, min_value=0)


class PolicyShape(Shape):
    """A version of a policy; terms that it does not have are null, version 0 was never declared."""

    kind = serializers.ChoiceField(choices=POLICY_KINDS)
    version = serializers.IntegerField()
    is_on = serializers.BooleanField()
    threshold = serializers.FloatField(allow_null=True)
    calibration = serializers.CharField(allow_null=True)
    below = serializers.ChoiceField(choices=BELOW, allow_null=True)
    after_seconds = serializers.IntegerField(allow_null=True)
    answer = serializers.ChoiceField(choices=DEFAULT_ANSWERS, allow_null=True)
    group = serializers.ChoiceField(choices=GROUPS, allow_null=True)
    authorisation = serializers.CharField(allow_null=True)
    by = PersonShape(allow_null=True)
    at = serializers.DateTimeField(allow_null=True)


class ProjectPolicies(ApiView):
    """What is in force."""

    @documented(
        "policies_list", inline_serializer("Policies", {"items": PolicyShape(many=True)}), is_page=False
    )
    def get(self, request: Request, project_id: str) -> Response:
        """The newest version of each kind. Every member may know whether a clock acts on their work."""
        project = visible_project(user=self.user, project_id=id_or_404(project_id))
        return Response({"items": policy_bodies(project.pk)})


class OnePolicy(ApiView):
    """One kind of policy."""

    @documented("policies_versions", page_shape(PolicyShape), is_page=True)
    def get(self, request: Request, project_id: str, kind: str) -> Response:
        """Every version, newest first: who declared it when, and on what ground."""
        project = visible_project(user=self.user, project_id=id_or_404(project_id))
        versions = ProjectPolicy.objects.filter(project=project, kind=kind_or_404(kind))
        body = page_of(versions.select_related("created_by"), request, order="-version", render=policy_body)
        return Response(body)

    @documented("policies_change", PolicyShape, body=PolicyChange)
    def put(self, request: Request, project_id: str, kind: str) -> HttpResponse:
        """A new version, from now on; for project admins. What waits already is not touched by it."""
        project = visible_project(user=self.user, project_id=id_or_404(project_id))
        wanted = kind_or_404(kind)
        values = parsed(PolicyChange, request)
        check_shape(wanted, values)
        role = known_role(user=self.user, project=project)
        reply = change_policy(
            actor=self.user,
            project_id=project.pk,
            kind=wanted,
            values=values,
            expected_version=values.get("expected_version"),
            request=request_key(request, operation="policy.change", role=role),
            context=request_context(request),
        )
        return reply_response(reply)


def kind_or_404(text: str) -> PolicyKind:
    """The kind in an address. Raises NotFound."""
    try:
        return PolicyKind(text)
    except ValueError as error:
        raise NotFound("There is no such policy.") from error
