"""Jobs and artifacts that a person sees: those of visible tasks. A viewer sees confirmed work only."""

from uuid import UUID

from review.models import Artifact, Job
from tasks.domain.errors import NotFound
from tasks.domain.matrix import Role
from tasks.models import Task, User
from tasks.queries.access import role_in


def addressed_job(*, user: User, job_id: UUID) -> Job:
    """The job, where the person sees its task, whatever their role: who may not act on it gets a 403.

    Raises NotFound.
    """
    job = (
        Job.objects.visible_to(user).select_related("task__project", "task__batch").filter(pk=job_id).first()
    )
    if job is None:
        raise NotFound
    return job


def visible_job(*, user: User, job_id: UUID) -> Job:
    """The job, where the person may read it. Raises NotFound."""
    job = addressed_job(user=user, job_id=job_id)
    if role_in(user=user, project=job.task.project) == Role.VIEWER:
        raise NotFound
    return job


def visible_artifact(*, user: User, artifact_id: UUID) -> Artifact:
    """The file's row, where the person may read its job. Raises NotFound."""
    artifact = (
        Artifact.objects.filter(task__in=Task.objects.visible_to(user))
        .select_related("task__project")
        .filter(pk=artifact_id)
        .first()
    )
    if artifact is None or role_in(user=user, project=artifact.task.project) == Role.VIEWER:
        raise NotFound
    return artifact
