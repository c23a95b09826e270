"""PROCESS_APPROVED_BOX_LIST: which of the approved boxes get a cut-out. The control plane fans out."""

from __future__ import annotations

from review.executor.contract import Input, NodeContext, Report
from review.executor.inputs import invalid, required
from review.executor.versions import made_by


def handle(*, input: Input, context: NodeContext) -> Report:
    """`{box_list}` → `{subjects: [box_id, …]}`: all but those that a person said to skip, in order."""
    subjects: list[str] = []
    for number, box in enumerate(required(input, "box_list", list)):
        if not isinstance(box, dict) or not isinstance(box.get("box_id"), str):
            raise invalid(f"box_list[{number}] needs a box_id.")
        if box.get("target_policy") == "skip":
            continue
        if not box.get("bbox"):
            raise invalid(f"Box {box['box_id']} has no bbox, and a cut-out needs one.")
        subjects.append(box["box_id"])
    return {"subjects": subjects, **made_by("none")}
