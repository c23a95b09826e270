"""Uploaded pictures: decoded by what they are, refused with the reason, stored as one plain kind.

Everything later (models, masks, exports) counts in pixels of the *normalised* picture: upright,
sRGB, eight bits a channel, no alpha. The upload itself is kept beside it.
"""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from typing import Final

import numpy as np
from PIL import Image, ImageCms, ImageOps, UnidentifiedImageError

MOST_BYTES: Final = 64 * 1024 * 1024
MOST_PIXELS: Final = 100_000_000
FORMATS: Final = ("JPEG", "PNG", "WEBP", "BMP", "TIFF", "GIF")
TOP_OF_16_BITS: Final = 65535

# Pillow's own limit warns at 89 million pixels and refuses at twice its figure; ours comes first.
Image.MAX_IMAGE_PIXELS = MOST_PIXELS


@dataclass(frozen=True, slots=True)
class Limits:
    """What an upload may be at most: its bytes, and the pixels of the picture in it."""

    bytes: int = MOST_BYTES
    pixels: int = MOST_PIXELS


DEFAULT_LIMITS: Final = Limits()


@dataclass(frozen=True, slots=True)
class NormalisedPicture:
    """`png` is RGB, 8 bits, upright; the same bytes for the same upload. `sha256` is the PNG's, in hex."""

    png: bytes
    width: int
    height: int
    sha256: str
    original_format: str
    warnings: tuple[str, ...]


class PictureRefused(Exception):
    """A file that is not stored. `code` is one of EMPTY_FILE TOO_MANY_BYTES NOT_A_PICTURE TOO_MANY_PIXELS
    TOO_MANY_FRAMES TRUNCATED DAMAGED UNSUPPORTED_DEPTH; `message` says why, for the person who sent it."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def normalise(*, data: bytes, limits: Limits = DEFAULT_LIMITS) -> NormalisedPicture:
    """Decode an upload by its content and give the picture to store. Raises PictureRefused."""
    if not data:
        raise PictureRefused("EMPTY_FILE", "The file is empty.")
    if len(data) > limits.bytes:
        raise PictureRefused(
            "TOO_MANY_BYTES",
            f"The file has {len(data) / 2**20:.1f} MiB; at most {limits.bytes / 2**20:g} MiB are taken.",
        )
    try:
        with Image.open(io.BytesIO(data), formats=FORMATS) as image:
            return _normalised(image, limits)
    except PictureRefused:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as problem:
        raise _too_many_pixels(limits) from problem
    except UnidentifiedImageError as problem:
        raise PictureRefused(
            "NOT_A_PICTURE",
            "The file is not a picture that can be read. JPEG, PNG, WebP, BMP, TIFF and GIF are taken.",
        ) from problem
    except Exception as problem:  # a decoder given a damaged file raises whatever its parser met
        if "truncated" in str(problem).lower():
            raise PictureRefused(
                "TRUNCATED", "The picture ends too early. Send the whole file again."
            ) from problem
        raise PictureRefused("DAMAGED", "The picture is damaged and cannot be read.") from problem


def thumbnail(png: bytes, width: int) -> bytes:
    """A WebP at most `width` pixels wide of a normalised picture; never larger than the picture."""
    with Image.open(io.BytesIO(png), formats=("PNG",)) as image:
        wide = max(min(width, image.width), 1)
        high = max(round(image.height * wide / image.width), 1)
        small = image.convert("RGB").resize((wide, high), Image.Resampling.LANCZOS, reducing_gap=3.0)
    out = io.BytesIO()
    small.save(out, format="WEBP", quality=80, method=4)
    return out.getvalue()


def _normalised(image: Image.Image, limits: Limits) -> NormalisedPicture:
    # Only the header has been read so far: nothing large is in memory yet.
    if image.width * image.height > limits.pixels:
        raise _too_many_pixels(limits)
    warnings: list[str] = []
    frames = int(getattr(image, "n_frames", 1))
    if image.format == "MPO":
        # A camera's JPEG with a preview or a second eye behind the picture itself.
        if frames > 1:
            warnings.append("The file holds further pictures behind the first; only the first is used.")
    elif frames > 1:
        raise PictureRefused(
            "TOO_MANY_FRAMES", f"The file holds {frames} pictures. Send each as a file of its own."
        )
    original_format = "JPEG" if image.format == "MPO" else str(image.format)
    image.seek(0)
    image.load()
    rgb = ImageOps.exif_transpose(_rgb_with_orientation(image, warnings))
    plain = Image.fromarray(np.asarray(rgb, dtype=np.uint8))
    out = io.BytesIO()
    plain.save(out, format="PNG", compress_level=1)
    png = out.getvalue()
    return NormalisedPicture(
        png=png,
        width=plain.width,
        height=plain.height,
        sha256=hashlib.sha256(png).hexdigest(),
        original_format=original_format,
        warnings=tuple(warnings),
    )


def _rgb_with_orientation(image: Image.Image, warnings: list[str]) -> Image.Image:
    """The picture as RGB, still carrying its orientation."""
    orientation = image.getexif().get(0x0112)
    rgb = _to_rgb(image, warnings)
    exif = Image.Exif()
    if orientation in range(2, 9):
        exif[0x0112] = orientation
    carrier = Image.fromarray(np.asarray(rgb, dtype=np.uint8))
    carrier.info["exif"] = exif.tobytes()
    return carrier


def _to_rgb(image: Image.Image, warnings: list[str]) -> Image.Image:
    if image.mode.startswith(("I", "F")):
        return _from_deep_grey(image, warnings)
    if "transparency" in image.info or image.mode in ("RGBA", "LA", "PA", "La", "RGBa"):
        return _on_white(image, warnings)
    if image.mode in ("1", "P"):
        return _in_srgb(image.convert("RGB"), image, warnings)
    return _in_srgb(image, image, warnings)


def _from_deep_grey(image: Image.Image, warnings: list[str]) -> Image.Image:
    """16-bit grey, 0-65535, as 8-bit grey: a smooth ramp stays one. Pillow's own conversion clips at 255."""
    values = np.asarray(image)
    if image.mode == "F" or values.min() < 0 or values.max() > TOP_OF_16_BITS:
        raise PictureRefused(
            "UNSUPPORTED_DEPTH", "The picture has more than 16 bits a pixel. Save it with 8 or 16 bits."
        )
    warnings.append("The picture has 16 bits a pixel; it is shown and worked on with 8.")
    eight = ((values.astype(np.uint32) * 255 + TOP_OF_16_BITS // 2) // TOP_OF_16_BITS).astype(np.uint8)
    return Image.fromarray(eight).convert("RGB")


def _on_white(image: Image.Image, warnings: list[str]) -> Image.Image:
    clear = image.convert("RGBA")
    colours = _in_srgb(clear.convert("RGB"), image, warnings).convert("RGBA")
    colours.putalpha(clear.getchannel("A"))
    white = Image.new("RGBA", image.size, (255, 255, 255, 255))
    white.alpha_composite(colours)
    if clear.getchannel("A").getextrema() != (255, 255):
        warnings.append("Transparent parts are put on white.")
    return white.convert("RGB")


def _in_srgb(image: Image.Image, source: Image.Image, warnings: list[str]) -> Image.Image:
    """Through the embedded profile where there is one that fits.

    Without one CMYK is turned into RGB by the plain formula; Pillow has undone the inversion that
    Adobe's JPEGs carry while decoding.
    """
    profile = source.info.get("icc_profile")
    if image.mode == "LAB":
        made = ImageCms.profileToProfile(
            image, ImageCms.createProfile("LAB"), ImageCms.createProfile("sRGB"), outputMode="RGB"
        )
        return made if made is not None else image.convert("RGB")
    if profile:
        try:
            made = ImageCms.profileToProfile(
                image,
                ImageCms.ImageCmsProfile(io.BytesIO(profile)),
                ImageCms.createProfile("sRGB"),
                outputMode="RGB",
            )
        except (ImageCms.PyCMSError, OSError, ValueError, TypeError):
            made = None
            warnings.append("The picture's colour profile does not fit it and is ignored.")
        if made is not None:
            return made
    return image.convert("RGB")


def _too_many_pixels(limits: Limits) -> PictureRefused:
    return PictureRefused(
        "TOO_MANY_PIXELS",
        f"The picture has more than {limits.pixels / 1e6:g} million pixels. Send a smaller one.",
    )
