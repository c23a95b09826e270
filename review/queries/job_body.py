"""A job as the API shows it (page 06)."""

from typing import Any
from uuid import UUID

from review.domain.boxes import boxes_of
from review.domain.job_states import TERMINAL, WAITING, JobStatus, NodeType, PauseStatus
from review.domain.next_step import subject_state
from review.models import CandidateSet, Job, NodeRun, Pause
from review.queries.pause_body import pause_body
from review.queries.subject_chains import subject_chains
from tasks.domain.errors import NotFound
from tasks.domain.policies import PolicyKind, version_name
from tasks.domain.times import iso
from tasks.models import ProjectPolicy
from tasks.queries.policies import policies_in_force

ASKED = ("SUBMIT_BOX_LIST", "DRAW_MANUAL_BOX")


def job_body(job_id: UUID) -> dict[str, Any]:
    """The job now, with its pause and boxes. The caller has checked who asks. Raises NotFound."""
    job = Job.objects.select_related("task__asset", "box_list", "approved_box_list").filter(pk=job_id).first()
    if job is None:
        raise NotFound
    status = JobStatus(job.status)
    pause = Pause.objects.filter(job_id=job_id, status=PauseStatus.WAITING).first()
    asset = job.task.asset
    return {
        "job_id": str(job.pk),
        "task_id": str(job.task_id),
        "pipeline": job.pipeline,
        "status": status.value,
        "version": job.version,
        "cancel_requested": job.cancel_requested,
        "current_node_instance_id": str(job.current_node_instance_id)
        if job.current_node_instance_id
        else None,
        "image": None
        if asset is None
        else {"width": asset.width, "height": asset.height, "url": f"/api/v1/assets/{asset.pk}/image"},
        "box_list": box_list_body(job.box_list) or {"candidate_set_id": None, "revision": 0, "boxes": []},
        "approved_box_list": box_list_body(job.approved_box_list),
        "active_pause": pause_body(pause) if pause else None,
        "pending_actions": list(ASKED) if status in WAITING and pause else [],
        "progress": None if status in TERMINAL or status in WAITING else _progress(job),
        "failure": job.failure,
        "warnings": job.warnings,
        "last_event_id": job.last_event_seq if job.last_event_seq is not None else job.task.event_seq,
        "created_at": iso(job.created_at),
        "updated_at": iso(job.updated_at),
        **_of_policies(job, pause),
    }


def box_list_body(candidate_set: CandidateSet | None) -> dict[str, Any] | None:
    """A candidate set as the job API shows it; None for none."""
    if candidate_set is None:
        return None
    return {
        "candidate_set_id": str(candidate_set.pk),
        "revision": candidate_set.revision,
        "boxes": [box.as_public() for box in boxes_of(candidate_set.items)],
    }


def _of_policies(job: Job, pause: Pause | None) -> dict[str, Any]:
    """What declared policies have to do with the job; nothing at all where they have nothing."""
    told: dict[str, Any] = {}
    if job.policy_version:
        told["policy_version"] = job.policy_version
    if job.compensates_id:
        told["compensates"] = str(job.compensates_id)
    default = _default_answer(job, pause)
    if default is not None:
        told["if_unanswered"] = {
            "policy_version": version_name(default.kind, default.version),
            "answer": default.answer,
            "after_seconds": default.after_seconds,
        }
    return told


def _default_answer(job: Job, pause: Pause | None) -> ProjectPolicy | None:
    """The policy that answers the pause if nobody does: the one it was made under, while it is in force."""
    if pause is None or pause.default_policy_id is None:
        return None
    policy = policies_in_force(job.task.project_id).get(PolicyKind.TIMEOUT_DEFAULT)
    return policy if policy is not None and policy.pk == pause.default_policy_id else None


def _progress(job: Job) -> dict[str, Any] | None:
    """What the current run last said; while subjects are processed, how many of them are done."""
    if job.current_node_instance_id is None:
        return None
    run = NodeRun.objects.filter(pk=job.current_node_instance_id).first()
    if run is None:
        return None
    if run.node_type == NodeType.PROCESS_APPROVED_BOX_LIST and run.report:
        subjects = run.report.get("subjects", [])
        chains = subject_chains(run)
        done = sum(subject_state(chains.get(box_id, [])).outcome is not None for box_id in subjects)
        return {"done": done, "total": len(subjects), "phase": "subjects"}
    return {"done": run.done, "total": run.total, "phase": run.phase or run.status.lower()}
