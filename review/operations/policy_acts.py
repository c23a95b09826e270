"""Writing down that a policy acted: which version, on what ground, what it did. Inside a transaction."""

from typing import Any

from review.models import CandidateSet, Job, Pause, PolicyAct
from review.queries.pause_body import pause_body
from tasks.domain.event_types import PolicyApplied
from tasks.domain.policies import version_name
from tasks.models import ProjectPolicy, Task
from tasks.operations.audit import audit_task
from tasks.operations.events import append_event
from tasks.operations.transactions import db_now

#: The outcome of passing a pause on.
ASKED_OTHERS = "ASKED_OTHERS"


def name_of(policy: ProjectPolicy) -> str:
    """How the version is written on what it acted on."""
    return version_name(policy.kind, policy.version)


def record_act(
    *,
    task: Task,
    job: Job,
    policy: ProjectPolicy,
    pause: Pause | None,
    outcome: str,
    reason: str,
    effect: dict[str, Any],
    candidate_set: CandidateSet | None = None,
) -> PolicyAct:
    """The act's row, its audit and its event. The caller holds the task's row lock, and moves the job after.

    The policy comes with its author, who is named in the audit: a clock is nobody.
    """
    act = PolicyAct.objects.create(
        policy=policy,
        job=job,
        pause=pause,
        outcome=outcome,
        reason=reason,
        effect=effect,
        candidate_set=candidate_set,
        created_at=db_now(),
    )
    audit_task(
        task=task,
        action="job.policy",
        actor=None,
        reason=reason,
        before={"job_id": str(job.pk), "status": job.status, "version": job.version},
        after={
            "policy": name_of(policy),
            "declared_by": policy.created_by.username,
            "outcome": outcome,
            **effect,
        },
    )
    append_event(
        task=task,
        job_id=job.pk,
        data=PolicyApplied(
            policy=policy.kind,
            version=policy.version,
            outcome=outcome,
            reason=reason,
            pause=None if pause is None else pause_body(pause),
        ),
    )
    return act


def mark_decided(job: Job, policy: ProjectPolicy) -> None:
    """Write on the (row-locked) job that this version decided in a person's place."""
    Job.objects.filter(pk=job.pk).update(policy_version=name_of(policy))
    job.policy_version = name_of(policy)
