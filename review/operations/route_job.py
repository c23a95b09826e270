"""A switched-on routing policy lets a detection go on without asking (page 04, Waiting)."""

from collections.abc import Sequence

from review.domain.boxes import Box, boxes_of
from review.domain.diff import diff_by_policy
from review.domain.job_states import Trigger
from review.domain.next_step import step_after_approval
from review.models import CandidateSet, Job
from review.operations.candidate_sets import keep_boxes
from review.operations.follow_step import follow_step
from review.operations.policy_acts import mark_decided, record_act
from tasks.models import ProjectPolicy, Task


def route_job(
    *, task: Task, job: Job, policy: ProjectPolicy, found: CandidateSet, kept: Sequence[Box]
) -> None:
    """DETECTING → PROCESSING_APPROVED_SUBJECTS with `kept`, no pause, in the report's transaction."""
    boxes = boxes_of(found.items)
    approved = keep_boxes(task=task, job=job, shown=found, kept=kept)
    changes = diff_by_policy(shown=boxes, kept=kept)
    step = step_after_approval(kept)
    reason = f"{len(kept)} of {len(boxes)} boxes scored at least {policy.threshold:g}."
    if changes.dropped:
        reason += " Those below were left out, as declared."
    mark_decided(job, policy)
    record_act(
        task=task,
        job=job,
        policy=policy,
        pause=None,
        outcome=step.outcome,
        reason=reason,
        effect=changes.as_dict(),
        candidate_set=approved,
    )
    follow_step(
        task=task,
        job=job,
        step=step,
        trigger=Trigger.ROUTING,
        boxes=kept,
        approved=approved,
        actor=None,
        deleted_box_ids=[dropped["box_id"] for dropped in changes.dropped],
    )
