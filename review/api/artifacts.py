"""Cut-outs and masks, to those who may read their job."""

from django.core.files.storage import default_storage
from django.http import FileResponse, HttpResponseNotModified
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from review.queries.visible_job import visible_artifact
from tasks.api.base import ApiView, id_or_404
from tasks.domain.errors import NotFound


class ArtifactView(ApiView):
    """GET /artifacts/{id}."""

    @extend_schema(
        operation_id="get_artifact",
        parameters=[
            OpenApiParameter("download", OpenApiTypes.STR, description="Anything: as a file to keep.")
        ],
        responses={(200, "image/png"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, artifact_id: str) -> HttpResponseBase:
        """The PNG. Files that are no picture (encodings) are not served."""
        artifact = visible_artifact(user=self.user, artifact_id=id_or_404(artifact_id))
        if not artifact.key.endswith(".png") or not default_storage.exists(artifact.key):
            raise NotFound("There is no such file any more.")
        # An artifact never changes: its hash is its version.
        etag = f'"{artifact.sha256}"'
        response: HttpResponseBase
        if request.headers.get("If-None-Match") == etag:
            response = HttpResponseNotModified()
        else:
            response = FileResponse(default_storage.open(artifact.key), content_type="image/png")
            if "download" in request.query_params:
                response["Content-Disposition"] = f'attachment; filename="{artifact.pk}.png"'
            else:
                # Django would name the stored file, and a browser would prefer that to the link's own name.
                del response["Content-Disposition"]
        response["ETag"] = etag
        response["Cache-Control"] = "private, max-age=86400, immutable"
        response["X-Content-Type-Options"] = "nosniff"
        return response
