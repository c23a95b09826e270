"""The timeouts that projects declared: the only acts on a pause that no person makes (I5).

Nothing calls this but `manage.py sweep_pauses`. Each act is a transaction of its own and looks again under
the row locks: of two sweeps, or of a sweep and a person, the first has the task's row, and the other finds it
done.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from locks import operations as leases
from review.domain.boxes import boxes_of
from review.domain.diff import diff_by_policy
from review.domain.job_states import JobStatus, Trigger
from review.domain.next_step import step_after_intervention
from review.domain.policy_rules import default_kept
from review.models import Job, Pause
from review.operations.candidate_sets import keep_boxes
from review.operations.consume_pause import consume_pause
from review.operations.create_job import check_no_active_run
from review.operations.follow_step import follow_step
from review.operations.policy_acts import ASKED_OTHERS, mark_decided, name_of, record_act
from review.operations.row_locks import lock_job, lock_waiting_pause
from review.queries.acting_policies import due_pauses, due_policy
from review.queries.pause_body import pause_body
from tasks.domain.errors import Problem
from tasks.domain.event_types import EmptySelectionSubmitted, PauseConsumed
from tasks.domain.policies import PolicyKind
from tasks.models import ProjectPolicy, Task
from tasks.operations.events import append_event
from tasks.operations.row_locks import lock_task
from tasks.operations.transactions import operation

logger = logging.getLogger("countersign.policies")


@dataclass(slots=True)
class Swept:
    """What one sweep did."""

    #: Answered with the declared default.
    answered: int = 0
    #: Put to another group.
    passed_on: int = 0
    #: Due, and yet left: somebody is at the task, or was quicker.
    left: int = 0
    #: Not done because of an error, which is in the log.
    failed: int = 0


def sweep_pauses() -> Swept:
    """Act on every pause on which a declared timeout is due. Nothing is due where no project declared one."""
    swept = Swept()
    for pause_id in due_pauses(PolicyKind.TIMEOUT_DEFAULT):
        swept.answered += _tried(_answer_by_default, pause_id, swept)
    # What was answered just now is not due here any more.
    for pause_id in due_pauses(PolicyKind.TIMEOUT_TO_QUEUE):
        swept.passed_on += _tried(_ask_others, pause_id, swept)
    return swept


def _tried(act: Callable[..., bool], pause_id: UUID, swept: Swept) -> bool:
    """One pause that cannot be acted on must not keep the others waiting."""
    try:
        done = act(pause_id=pause_id)
    except Problem as problem:
        logger.info("pause %s is left for now: %s", pause_id, problem.code)
        done = False
    except Exception:
        logger.exception("a policy could not act on pause %s", pause_id)
        swept.failed += 1
        return False
    swept.left += not done
    return done


@operation
def _answer_by_default(*, pause_id: UUID) -> bool:
    """Consume the pause and follow the path of the declared answer. False, and nothing is written, where
    the timeout is not due any more. Raises Busy, RunActive."""
    task, job, pause = _locked(pause_id)
    policy = _due_now(PolicyKind.TIMEOUT_DEFAULT, task, pause, pause_id)
    if pause is None or policy is None:
        return False
    shown = boxes_of(pause.snapshot.items)
    kept = default_kept(shown, answer=policy.answer)
    step = step_after_intervention(kept)
    if step.node is not None:
        check_no_active_run(task)

    consume_pause(pause, actor=None, policy_version=name_of(policy))
    approved = keep_boxes(task=task, job=job, shown=pause.snapshot, kept=kept)
    mark_decided(job, policy)
    changes = diff_by_policy(shown=shown, kept=kept)
    record_act(
        task=task,
        job=job,
        policy=policy,
        pause=pause,
        outcome=step.outcome,
        reason=_unanswered(policy),
        effect=changes.as_dict(),
        candidate_set=approved,
    )
    append_event(task=task, job_id=job.pk, data=PauseConsumed(pause=pause_body(pause), by=None))
    if step.target == JobStatus.EMPTY_SELECTION:
        append_event(task=task, job_id=job.pk, data=EmptySelectionSubmitted(by=None))
    follow_step(
        task=task,
        job=job,
        step=step,
        trigger=Trigger.TIMEOUT_DEFAULT,
        boxes=kept,
        approved=approved if kept else None,
        actor=None,
        deleted_box_ids=[dropped["box_id"] for dropped in changes.dropped],
    )
    return True


@operation
def _ask_others(*, pause_id: UUID) -> bool:
    """Put the pause to the declared group: same token, and the job is not touched. False where it is not
    due any more. Raises Busy."""
    task, job, pause = _locked(pause_id)
    policy = _due_now(PolicyKind.TIMEOUT_TO_QUEUE, task, pause, pause_id)
    if pause is None or policy is None:
        return False
    before, pause.group, pause.policy_version = pause.group, policy.group, name_of(policy)
    pause.save(update_fields=["group", "policy_version"])
    record_act(
        task=task,
        job=job,
        policy=policy,
        pause=pause,
        outcome=ASKED_OTHERS,
        reason=_unanswered(policy),
        effect={"group": {"before": before, "after": pause.group}},
    )
    return True


def _locked(pause_id: UUID) -> tuple[Task, Job, Pause | None]:
    task_id, job_id = Pause.objects.values_list("job__task_id", "job_id").get(pk=pause_id)
    task = lock_task(task_id)
    job = lock_job(job_id)
    return task, job, lock_waiting_pause(job_id)


def _due_now(kind: PolicyKind, task: Task, pause: Pause | None, pause_id: UUID) -> ProjectPolicy | None:
    """The version that is due, once more under the locks; None while somebody is at the task."""
    if pause is None:
        return None
    seen = leases.find(task_id=task.pk)
    if seen is not None and seen.is_live and not seen.is_stale:
        # A person who holds the task may be about to answer: no clock is quicker than they.
        return None
    return due_policy(kind, pause_id=pause_id)


def _unanswered(policy: ProjectPolicy) -> str:
    return f"Nobody answered within {policy.after_seconds} seconds."
