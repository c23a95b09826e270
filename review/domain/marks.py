"""Marks: what a change of mark asks for (page 05, Review queue)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from tasks.domain.statuses import Mark

#: Marks that leave a sample out of exports.
PUT_ASIDE: Final = frozenset({Mark.LATER, Mark.INVALID})


def last_restored_at(changes: Sequence[tuple[str, datetime]]) -> datetime | None:
    """When the sample was last taken back from `invalid` or `later`; None where it never was.

    `changes` are (mark, at) in the order of their versions. A confirmation from before that moment no
    longer counts: restoring asks for a new one.
    """
    restored: datetime | None = None
    before = Mark.NORMAL
    for name, at in changes:
        mark = Mark(name)
        if before in PUT_ASIDE and mark not in PUT_ASIDE:
            restored = at
        before = mark
    return restored
