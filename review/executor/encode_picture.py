"""ENCODE_PICTURE: the segmenter's view of the picture, made while the person looks at the boxes."""

from __future__ import annotations

from review.executor.contract import Input, NodeContext, Report, stop_if_cancelled
from review.executor.versions import made_by
from review.providers.local.sam import default_segmenter


def handle(*, input: Input, context: NodeContext) -> Report:
    """`{}` → `{encoding: key, …}`; every box of the picture reuses it, on any worker."""
    picture = context.picture()
    stop_if_cancelled(context)
    context.progress("encoding", 0, 1)
    segmenter = default_segmenter()
    encoding = segmenter.encode(picture)
    key = context.write_artifact("encoding.npz", encoding.to_bytes())
    context.progress("encoding", 1, 1)
    return {
        "encoding": key,
        "image": {"width": encoding.width, "height": encoding.height},
        **made_by(segmenter.name),
    }
