"""The child runs of a processing run, by subject."""

from review.domain.next_step import ChainRun
from review.models import NodeRun


def subject_chains(parent: NodeRun) -> dict[str, list[ChainRun]]:
    """Each box id's runs, as `review.domain.next_step.subject_state` reads them."""
    chains: dict[str, list[ChainRun]] = {}
    rows = NodeRun.objects.filter(parent=parent).values_list(
        "box_id", "node_type", "step", "status", "report", "error"
    )
    for box_id, node_type, step, status, report, error in rows:
        chains.setdefault(box_id, []).append(
            ChainRun(node_type=node_type, step=step, status=status, report=report, error=error)
        )
    return chains
