"""What the relay does with each kind of outbox message.

Two ways: *published* messages go to the broker (a worker does the work), *steps* are the control plane's own
and run inside the transaction that marks them done. A kind that is in neither table is a dead letter.
"""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from review.operations.dispatch_run import RUN_NODE
from review.operations.finalize_results import finalize_within
from review.operations.follow_step import FINALIZE_RESULTS

#: The Celery task that a worker runs, by kind.
PUBLISHED: dict[str, str] = {RUN_NODE: "review.run_node"}


def _finalize(payload: dict[str, Any]) -> None:
    finalize_within(job_id=UUID(payload["job_id"]))


#: Called with the payload inside the message's transaction; has to bear being called again.
STEPS: dict[str, Callable[[dict[str, Any]], None]] = {FINALIZE_RESULTS: _finalize}
