"""Stand-ins for the models, put into the executor's registry: a worker started with
`--include tests.support.quick_models` does everything else for real.

`in_model` is a failpoint in the middle of each model call.
"""

from typing import Any

from review.executor.contract import NodeContext
from review.executor.registry import register_handler
from tasks.operations.failpoints import failpoint

FOUND = [
    {"label": "cup", "bbox": [10.0, 10.0, 60.0, 60.0], "score": 0.95, "detector": "quick"},
    {"label": "dining table", "bbox": [0.0, 40.0, 160.0, 120.0], "score": 0.76, "detector": "quick"},
]


def _detect(*, input: dict[str, Any], context: NodeContext) -> dict[str, Any]:
    failpoint("in_model.DETECT_SUBJECTS")
    return {"boxes": FOUND, "warnings": [], "model": "quick"}


def _validate(*, input: dict[str, Any], context: NodeContext) -> dict[str, Any]:
    failpoint("in_model.VALIDATE_MANUAL_BOX_LIST")
    asked = input["items_to_validate"]
    return {"items": [{"box_id": box["box_id"], "valid": True, "label": "cup"} for box in asked]}


def _encode(*, input: dict[str, Any], context: NodeContext) -> dict[str, Any]:
    return {"encoding": context.write_artifact("encoding.bin", b"encoded")}


def _segment(*, input: dict[str, Any], context: NodeContext) -> dict[str, Any]:
    failpoint("in_model.SEGMENT_SUBJECT")
    mask, cutout = (context.write_artifact(name, b"png") for name in ("mask.png", "cutout.png"))
    return {"mask": mask, "cutout": cutout, "predicted_iou": 0.9}


def _gate(*, input: dict[str, Any], context: NodeContext) -> dict[str, Any]:
    return {"verdict": "pass", "figures": {}, "reasons": [], "thresholds_version": "quick"}


for node_type, handler in {
    "DETECT_SUBJECTS": _detect,
    "VALIDATE_MANUAL_BOX_LIST": _validate,
    "ENCODE_PICTURE": _encode,
    "SEGMENT_SUBJECT": _segment,
    "QUALITY_GATE_SUBJECT": _gate,
}.items():
    register_handler(node_type, handler)
