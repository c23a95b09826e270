"""A model run as the API shows it, and who sees one."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from review.domain.job_states import NodeType
from review.models import CandidateSet, NodeRun, Prediction, RegionResult
from tasks.domain.errors import NotFound
from tasks.domain.matrix import Role
from tasks.domain.times import iso
from tasks.models import Task, User
from tasks.queries.access import role_in
from tasks.queries.user_body import user_body_or_none


def addressed_run(*, user: User, run_id: UUID) -> NodeRun:
    """The run, where the person sees its task, whatever their role. Raises NotFound."""
    run = (
        NodeRun.objects.filter(task__in=Task.objects.visible_to(user))
        .select_related("task__project", "task__batch", "created_by")
        .filter(pk=run_id)
        .first()
    )
    if run is None:
        raise NotFound
    return run


def visible_run(*, user: User, run_id: UUID) -> NodeRun:
    """The run, where the person may read it: a project's viewer sees confirmed work only. Raises NotFound."""
    run = addressed_run(user=user, run_id=run_id)
    if role_in(user=user, project=run.task.project) == Role.VIEWER:
        raise NotFound
    return run


def run_body(run: NodeRun) -> dict[str, Any]:
    """The run, with the ids of what it left behind (`result`) once it has ended well."""
    return {
        "run_id": str(run.pk),
        "task_id": str(run.task_id),
        "job_id": str(run.job_id) if run.job_id else None,
        "kind": run.node_type,
        "status": run.status,
        "attempt": run.attempt,
        "progress": {"phase": run.phase, "done": run.done, "total": run.total},
        "error": run.error,
        "warnings": (run.report or {}).get("warnings", []),
        "result": _result(run),
        "ignored_reports": [
            {"attempt": each.attempt, "why": each.why, "received_at": iso(each.received_at)}
            for each in run.ignored_reports.all()
        ],
        "region": run.input.get("region"),
        "reference": run.input.get("reference"),
        "provider": run.provider,
        "model": run.model,
        "adapter_version": run.adapter_version,
        "prompt_version": run.prompt_version,
        "code_version": run.code_version,
        "created_by": user_body_or_none(run.created_by),
        "created_at": iso(run.created_at),
        "started_at": iso(run.started_at),
        "finished_at": iso(run.finished_at),
    }


def _result(run: NodeRun) -> dict[str, str] | None:
    """By the run's node type: a set, a region's preview or a prediction."""
    left: dict[str, tuple[str, QuerySet[Any]]] = {
        NodeType.DETECT_SUBJECTS: ("candidate_set_id", CandidateSet.objects.all()),
        NodeType.DETECT_REGION: ("region_id", RegionResult.objects.all()),
        NodeType.JUDGE_CANDIDATES: ("prediction_id", Prediction.objects.all()),
    }
    if run.node_type not in left:
        return None
    name, rows = left[run.node_type]
    found = rows.filter(run_id=run.pk).order_by("pk").values_list("pk", flat=True).first()
    return {name: str(found)} if found else None
