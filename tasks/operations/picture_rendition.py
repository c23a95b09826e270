"""Smaller copies of a picture: made when first asked for, kept in storage beside it."""

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from tasks.models import Asset
from tasks.operations.pictures import thumbnail

#: Widths in pixels; others are refused, so that nobody can fill the disk with sizes.
WIDTHS = (160, 320, 640, 1280)


def rendition(*, asset: Asset, width: int) -> bytes:
    """A WebP at most `width` pixels wide; `width` is one of WIDTHS."""
    key = f"{asset.image.rsplit('/', 1)[0]}/w{width}.webp"
    if default_storage.exists(key):
        with default_storage.open(key) as file:
            return bytes(file.read())
    with default_storage.open(asset.image) as file:
        small = thumbnail(file.read(), width)
    stored = default_storage.save(key, ContentFile(small))
    if stored != key:
        # Two asked at once: the storage gave the second one another name.
        default_storage.delete(stored)
    return small


def original_size(asset: Asset) -> bytes:
    """The normalised PNG."""
    with default_storage.open(asset.image) as file:
        return bytes(file.read())
