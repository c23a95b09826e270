"""DETECT_REGION: what is in one region of the picture, for a preview that a person may apply."""

from __future__ import annotations

from review.domain.coordinates import CoordinateError, box_from_crop, centre_of_box, check_box, snap_region
from review.executor.contract import Input, NodeContext, NodeExecutionError, Report, stop_if_cancelled
from review.executor.detect_subjects import MOST_BOXES, as_json, rounded
from review.executor.inputs import invalid, required
from review.executor.versions import made_by
from review.providers.contract import Detector
from review.providers.local.detectors import default_detector


def handle(*, input: Input, context: NodeContext, detector: Detector | None = None) -> Report:
    """`{region: [x1, y1, x2, y2], run}` → `{region, items, warnings, …}`.

    The detector sees the crop alone. Its boxes are checked in the crop, then shifted, then checked
    in the picture. Item ids are `r-<run>-<n>`, so that they never collide with the active set's.
    """
    picture = context.picture()
    height, width = picture.shape[:2]
    run = str(input.get("run") or "")
    if not run:
        raise invalid("The node's input needs a field 'run', which the items' ids carry.")
    try:
        region = snap_region(region=required(input, "region", (list, tuple)), width=width, height=height)
    except CoordinateError as problem:
        raise NodeExecutionError(f"REGION_{problem.code}", problem.message) from problem
    left, top, right, bottom = region
    context.progress("detecting", 0, 1)
    stop_if_cancelled(context)
    used = default_detector() if detector is None else detector
    found = []
    for one in used.detect(picture[top:bottom, left:right]):
        try:
            # What lies outside the crop names something the model did not see: refused, not clamped.
            check_box(box=[round(edge, 2) for edge in one.bbox], width=right - left, height=bottom - top)
        except CoordinateError as problem:
            raise NodeExecutionError(
                "BAD_RESPONSE", f"The model answered a box outside its region: {problem.message}", True
            ) from problem
        if (inside := rounded(one.bbox, width=right - left, height=bottom - top)) is not None:
            found.append((one, box_from_crop(box=inside, region=region, width=width, height=height)))
    context.progress("detecting", 1, 1)
    warnings = []
    if len(found) > MOST_BOXES:
        warnings.append(
            {
                "code": "TRUNCATED",
                "message": f"The model found {len(found)} things; the best {MOST_BOXES} are kept.",
            }
        )
    items = [
        {"id": f"r-{run}-{number}", **as_json(one, bbox), "center": list(centre_of_box(bbox))}
        for number, (one, bbox) in enumerate(found[:MOST_BOXES], start=1)
    ]
    return {
        "region": list(region),
        "items": items,
        "warnings": warnings,
        **made_by(str(getattr(used, "name", type(used).__name__))),
    }
