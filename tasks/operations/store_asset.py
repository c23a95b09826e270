"""Storing a picture: decoded and checked first, files before the row, no file left by a failure."""

import functools
from pathlib import PurePath

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from uuid_utils.compat import uuid7

from tasks.domain.canonical import sha256_hex
from tasks.domain.errors import FieldError, TooLarge, ValidationFailed
from tasks.models import Asset, Project
from tasks.operations.pictures import NormalisedPicture, PictureRefused, normalise
from tasks.operations.transactions import on_rollback
from tasks.queries.default_batch import default_batch

__all__ = ["checked_picture", "default_batch", "store_asset"]


def checked_picture(data: bytes) -> NormalisedPicture:
    """The upload, decoded. Do this before the transaction: a large picture takes seconds.

    Raises ValidationFailed (422, naming `image` and the reason) or TooLarge.
    """
    try:
        return normalise(data=data)
    except PictureRefused as error:
        if error.code in {"TOO_MANY_BYTES", "TOO_MANY_PIXELS"}:
            raise TooLarge(error.message) from error
        raise ValidationFailed([FieldError("image", error.message, error.code)], status=422) from error


def store_asset(
    *,
    project: Project,
    name: str,
    data: bytes,
    is_demo: bool = False,
    picture: NormalisedPicture | None = None,
) -> Asset:
    """Store the upload `data` called `name`: untouched and normalised (`picture` where it is known already).

    Inside an operation the files go again if it does not commit. Raises ValidationFailed, TooLarge.
    """
    picture = picture or checked_picture(data)
    asset_id = uuid7()
    image, original = f"assets/{asset_id}/image.png", f"assets/{asset_id}/original"
    written: list[str] = []
    undo = functools.partial(_remove, written)
    on_rollback(undo)
    try:
        written.append(default_storage.save(original, ContentFile(data)))
        written.append(default_storage.save(image, ContentFile(picture.png)))
        return Asset.objects.create(
            id=asset_id,
            project=project,
            image=written[1],
            width=picture.width,
            height=picture.height,
            sha256=picture.sha256,
            size_bytes=len(picture.png),
            original=written[0],
            original_name=file_name(name),
            original_sha256=sha256_hex(data),
            original_format=picture.original_format,
            original_size_bytes=len(data),
            is_demo=is_demo,
        )
    except BaseException:
        undo()
        raise


def file_name(name: str) -> str:
    """The last part of a path, as the original's name; never empty, at most 300 characters."""
    return PurePath(name.replace("\\", "/")).name[-300:].strip() or "picture"


def _remove(keys: list[str]) -> None:
    while keys:
        default_storage.delete(keys.pop())
