"""Uploads: each case file of the contract, and its whole kind."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image, ImageCms

from tasks.operations.pictures import Limits, NormalisedPicture, PictureRefused, normalise, thumbnail

CASES = Path(__file__).resolve().parent.parent / "data" / "import"
RED, GREEN, BLUE, WHITE = (220, 30, 30), (30, 160, 60), (30, 60, 200), (255, 255, 255)


def case(name: str) -> NormalisedPicture:
    return normalise(data=(CASES / name).read_bytes())


def pixels(picture: NormalisedPicture) -> npt.NDArray[np.uint8]:
    with Image.open(io.BytesIO(picture.png)) as image:
        assert image.mode == "RGB"
        assert image.size == (picture.width, picture.height)
        return np.asarray(image)


def saved(image: Image.Image, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    image.save(out, format=kind, **options)
    return out.getvalue()


def near(found: npt.NDArray[np.uint8], colour: tuple[int, int, int], within: int = 12) -> bool:
    return bool(np.abs(found.astype(int) - np.array(colour)).max() <= within)


def refused(data: bytes, limits: Limits | None = None) -> PictureRefused:
    with pytest.raises(PictureRefused) as caught:
        normalise(data=data, limits=limits or Limits())
    return caught.value


def quarters() -> Image.Image:
    """Red top left, green top right, blue bottom left, white bottom right; 40×20."""
    values = np.zeros((20, 40, 3), np.uint8)
    values[:10, :20], values[:10, 20:], values[10:, :20], values[10:, 20:] = RED, GREEN, BLUE, WHITE
    return Image.fromarray(values)


def test_a_rotated_jpeg_is_stored_upright() -> None:
    found = case("rotated-6.jpg")
    assert (found.width, found.height, found.original_format) == (200, 320, "JPEG")
    assert near(pixels(found)[3, -4], RED)
    assert not near(pixels(found)[3, 3], RED)


@pytest.mark.parametrize(
    ("orientation", "size", "red_at"),
    [
        (1, (40, 20), (2, 2)),
        (2, (40, 20), (2, -3)),
        (3, (40, 20), (-3, -3)),
        (4, (40, 20), (-3, 2)),
        (5, (20, 40), (2, 2)),
        (6, (20, 40), (2, -3)),
        (7, (20, 40), (-3, -3)),
        (8, (20, 40), (-3, 2)),
    ],
)
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF"])
def test_every_orientation_of_every_format(
    kind: str, orientation: int, size: tuple[int, int], red_at: tuple[int, int]
) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    options: dict[str, object] = {"exif": exif}
    if kind != "TIFF":
        options["quality"] = 95
    found = normalise(data=saved(quarters(), kind, **options))
    assert (found.width, found.height) == size
    assert near(pixels(found)[red_at], RED, within=40)


def test_the_red_corner_of_a_cmyk_jpeg_is_red() -> None:
    assert near(pixels(case("cmyk.jpg"))[3, 3], RED)


def test_a_cmyk_jpeg_of_our_own_keeps_its_colours() -> None:
    found = pixels(normalise(data=saved(quarters().convert("CMYK"), "JPEG", quality=95)))
    assert near(found[3, 3], RED, within=40)
    assert near(found[-3, -3], WHITE, within=40)


def test_16_bit_grey_is_a_smooth_ramp_from_black_to_white() -> None:
    found = case("gray-16bit.png")
    ramp = pixels(found)[1].astype(int)
    assert ramp[0].tolist() == [0, 0, 0]
    assert ramp[-1].tolist() == [255, 255, 255]
    assert set(np.diff(ramp[:, 0]).tolist()) <= {0, 1, 2}
    assert any("16 bits" in warning for warning in found.warnings)


def test_16_bit_tiff_is_scaled_too() -> None:
    values = np.linspace(0, 65535, 64, dtype=np.uint16)[None].repeat(4, axis=0)
    found = pixels(normalise(data=saved(Image.fromarray(values), "TIFF")))
    assert found[0, 0, 0] == 0
    assert found[0, -1, 0] == 255
    assert 120 <= found[0, 32, 0] <= 135


def test_more_than_16_bits_is_refused_by_name() -> None:
    deep = Image.fromarray(np.full((4, 4), 0.5, np.float32))
    assert refused(saved(deep, "TIFF")).code == "UNSUPPORTED_DEPTH"


def test_a_transparent_palette_is_put_on_white() -> None:
    with Image.open(CASES / "palette-transparent.png") as source:
        clear = np.asarray(source.convert("RGBA"))
    found = pixels(case("palette-transparent.png"))
    gone = clear[..., 3] == 0
    assert gone.any()
    assert (found[gone] == 255).all()
    assert (found[~gone] == clear[~gone][:, :3]).all()


def test_half_transparent_red_on_white_is_pink() -> None:
    half = Image.new("RGBA", (4, 4), (255, 0, 0, 128))
    assert near(pixels(normalise(data=saved(half, "PNG")))[0, 0], (255, 127, 127), within=2)


def test_one_bit_grey_and_grey_with_alpha() -> None:
    for mode, value in (("1", 1), ("L", 255), ("LA", (255, 255))):
        image = Image.new(mode, (3, 2), value)
        assert (pixels(normalise(data=saved(image, "PNG"))) == 255).all()


def test_an_embedded_profile_that_does_not_fit_is_ignored_with_a_warning() -> None:
    found = normalise(data=saved(quarters(), "PNG", icc_profile=b"no profile"))
    assert near(pixels(found)[3, 3], RED, within=0)
    assert any("profile" in warning for warning in found.warnings)


def test_an_srgb_profile_changes_next_to_nothing() -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    found = normalise(data=saved(quarters(), "PNG", icc_profile=profile))
    assert near(pixels(found)[3, 3], RED, within=1)
    assert found.warnings == ()


def test_a_truncated_jpeg_is_refused_with_the_reason() -> None:
    problem = refused((CASES / "truncated.jpg").read_bytes())
    assert problem.code == "TRUNCATED"
    assert "too early" in problem.message


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "BMP", "TIFF", "GIF"])
def test_no_format_passes_cut_in_half(kind: str) -> None:
    noise = Image.fromarray(np.random.default_rng(1).integers(0, 255, (64, 64, 3), np.uint8))
    whole = saved(noise, kind)
    assert normalise(data=whole).width == 64
    assert refused(whole[: len(whole) // 2]).code in {"TRUNCATED", "DAMAGED", "NOT_A_PICTURE"}


@pytest.mark.parametrize(
    "data", [(CASES / "not-a-picture.jpg").read_bytes(), b"\x00" * 200, b"GIF89a", b"<svg/>"]
)
def test_what_is_no_picture_is_refused_whatever_its_ending(data: bytes) -> None:
    problem = refused(data)
    assert problem.code in {"NOT_A_PICTURE", "DAMAGED", "TRUNCATED"}
    assert "\x00" not in problem.message


def test_the_contracts_own_case_is_named_not_a_picture() -> None:
    assert refused((CASES / "not-a-picture.jpg").read_bytes()).code == "NOT_A_PICTURE"


def test_a_format_that_is_not_taken_is_refused() -> None:
    assert refused(saved(quarters(), "PPM")).code == "NOT_A_PICTURE"


def test_an_empty_file_is_refused() -> None:
    assert refused(b"").code == "EMPTY_FILE"


def test_bytes_and_pixels_are_limited_before_decoding(monkeypatch: pytest.MonkeyPatch) -> None:
    data = saved(quarters(), "PNG")
    monkeypatch.setattr(Image.Image, "load", lambda self: pytest.fail("decoded"))
    assert refused(data, Limits(bytes=len(data) - 1)).code == "TOO_MANY_BYTES"
    assert refused(data, Limits(pixels=799)).code == "TOO_MANY_PIXELS"


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
def test_a_small_file_that_claims_a_huge_picture_is_refused() -> None:
    import struct
    import zlib

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    for side in (10_001, 60_000):
        header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
        data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")
        assert refused(data).code == "TOO_MANY_PIXELS"


@pytest.mark.parametrize("kind", ["GIF", "TIFF", "WEBP", "PNG"])
def test_several_frames_are_refused(kind: str) -> None:
    frames = [Image.new("RGB", (8, 8), colour) for colour in (RED, GREEN)]
    data = saved(frames[0], kind, save_all=True, append_images=frames[1:])
    assert refused(data).code == "TOO_MANY_FRAMES"


def test_a_gif_with_one_frame_is_taken() -> None:
    found = normalise(data=saved(quarters(), "GIF"))
    assert found.original_format == "GIF"
    assert near(pixels(found)[3, 3], RED)


def test_a_camera_jpeg_with_a_second_picture_behind_it_uses_the_first() -> None:
    data = saved(quarters(), "MPO", save_all=True, append_images=[quarters().rotate(180)], quality=95)
    found = normalise(data=data)
    assert found.original_format == "JPEG"
    assert near(pixels(found)[3, 3], RED, within=40)
    assert found.warnings


def test_one_pixel_is_a_picture_and_the_result_is_always_the_same() -> None:
    data = saved(Image.new("RGB", (1, 1), RED), "PNG")
    first, second = normalise(data=data), normalise(data=data)
    assert (first.width, first.height) == (1, 1)
    assert first == second


def test_nothing_of_the_uploads_metadata_is_in_the_stored_picture() -> None:
    exif = Image.Exif()
    exif[0x010E] = "secret place"
    found = normalise(data=saved(quarters(), "JPEG", exif=exif))
    assert b"secret" not in found.png


def test_a_thumbnail_keeps_the_shape_and_never_grows() -> None:
    png = normalise(data=saved(quarters(), "PNG")).png
    for wanted, size in ((20, (20, 10)), (4000, (40, 20))):
        with Image.open(io.BytesIO(thumbnail(png, wanted))) as small:
            assert small.format == "WEBP"
            assert small.size == size
