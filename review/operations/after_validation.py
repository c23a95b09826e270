"""Validation is done: on with what passed, or back to the person once."""

from typing import Any

from review.domain.boxes import boxes_of
from review.domain.job_states import JobStatus, Trigger
from review.domain.next_step import Step, step_after_approval
from review.domain.reports import BrokenContract
from review.domain.rounds import RoundOutcome, judge
from review.models import CandidateSet, Job, NodeRun, Pause
from review.operations.candidate_sets import add_set
from review.operations.drafts import label_of
from review.operations.follow_step import follow_step
from review.operations.open_pause import open_pause
from tasks.models import Task


def after_validation(task: Task, job: Job, run: NodeRun, report: dict[str, Any]) -> None:
    """Store the judged boxes as a set of their own; then the next round, the processing, or the end.

    Raises BrokenContract where the answers are not for exactly the boxes asked about.
    """
    asked_in = Pause.objects.filter(job=job).order_by("-round").values_list("round", flat=True)[:1].get()
    # What the models call it is said in the project's words, as a detection says it.
    answers = [answer | {"label": label_of(answer.get("label"), task=task)} for answer in report["items"]]
    try:
        result = judge(boxes=boxes_of(run.input["box_list"]), answers=answers, round_number=asked_in)
    except ValueError as error:
        raise BrokenContract(str(error)) from error
    judged = add_set(
        task=task,
        source=CandidateSet.Source.VALIDATION,
        items=[box.as_item() for box in result.boxes],
        actor=None,
        run_id=run.pk,
        job_id=job.pk,
    )
    Job.objects.filter(pk=job.pk).update(box_list=judged)
    job.box_list = judged
    if result.outcome == RoundOutcome.NEED_BATCH_REVISION:
        open_pause(
            task=task,
            job=job,
            stage=JobStatus.WAITING_BOX_BATCH_REVISION,
            round_number=asked_in + 1,
            snapshot=judged,
            problems=result.problems,
        )
        return
    if result.outcome == RoundOutcome.ALL_REJECTED:
        step = Step(outcome="ALL_REJECTED", target=JobStatus.FINALIZING_RESULTS, node=None)
        follow_step(
            task=task, job=job, step=step, trigger=Trigger.REPORT, boxes=[], approved=None, actor=None
        )
        return
    approved = judged
    if result.outcome == RoundOutcome.PARTIAL_APPROVED:
        # The refused stay in the judged set with their reason; what goes on is a set of its own.
        approved = add_set(
            task=task,
            source=CandidateSet.Source.VALIDATION,
            items=[box.as_item() for box in result.approved],
            actor=None,
            run_id=run.pk,
            job_id=job.pk,
        )
    follow_step(
        task=task,
        job=job,
        step=step_after_approval(result.approved),
        trigger=Trigger.REPORT,
        boxes=result.approved,
        approved=approved,
        actor=None,
    )
