"""Pictures, for those who see a task with them."""

from django.http import HttpResponse, HttpResponseNotModified
from django.utils.cache import patch_cache_control
from django.utils.http import parse_etags
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from tasks.api.base import ApiView, id_or_404
from tasks.api.documented import documented
from tasks.domain.errors import FieldError, NotFound, ValidationFailed
from tasks.models import Asset, Task
from tasks.operations.picture_rendition import WIDTHS, original_size, rendition

_WIDTH = OpenApiParameter("w", OpenApiTypes.INT, enum=list(WIDTHS), description="Width of a thumbnail.")


class AssetImage(ApiView):
    """A picture as people and models see it."""

    @documented("assets_image", OpenApiTypes.BINARY, parameters=[_WIDTH])
    def get(self, request: Request, asset_id: str) -> HttpResponse:
        """The normalised PNG, or a WebP of a width. It never changes under its id."""
        identity = id_or_404(asset_id)
        if not Task.objects.visible_to(self.user).filter(asset=identity).exists():
            raise NotFound
        width = _width(request.query_params.get("w"))
        asset = Asset.objects.get(pk=identity)
        etag = f'"{asset.sha256[:32]}-{width or "full"}"'
        response: HttpResponse
        if etag in parse_etags(request.META.get("HTTP_IF_NONE_MATCH", "")):
            response = HttpResponseNotModified()
        else:
            try:
                data = original_size(asset) if width is None else rendition(asset=asset, width=width)
            except FileNotFoundError as error:
                raise NotFound("The file of this picture is missing from the storage.") from error
            response = HttpResponse(data, content_type="image/png" if width is None else "image/webp")
        response["ETag"] = etag
        response["X-Content-Type-Options"] = "nosniff"
        # Private: a shared cache must not hand it to who may not see it.
        patch_cache_control(response, private=True, max_age=31_536_000, immutable=True)
        return response


def _width(text: str | None) -> int | None:
    if text is None or text == "":
        return None
    if text not in {str(width) for width in WIDTHS}:
        known = ", ".join(str(width) for width in WIDTHS)
        raise ValidationFailed([FieldError("w", f"Use one of: {known}.", "invalid_choice")])
    return int(text)
