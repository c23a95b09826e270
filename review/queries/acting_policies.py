"""Which declared policies may act on a job, and on which pauses a timeout is due."""

from uuid import UUID

from django.db import connection

from review.models import Job
from tasks.domain.policies import PolicyKind
from tasks.domain.statuses import WORKABLE
from tasks.models import ProjectPolicy
from tasks.queries.policies import policies_in_force


def acting_policies(*, job: Job, project_id: UUID) -> dict[PolicyKind, ProjectPolicy]:
    """Those in force now. None on a job that compensates: it is there to ask a person."""
    return {} if job.compensates_id else policies_in_force(project_id)


# The whole rule of a timeout, read again under the row locks before it acts. A version acts only on a pause
# that was made under it, and only while it is the newest and on. Work that is put on hold or away waits.
_DUE = """
SELECT pause.id, policy.id
  FROM pauses AS pause
  JOIN project_policies AS policy ON policy.id = pause.{column}
  JOIN jobs AS job ON job.id = pause.job_id
  JOIN tasks AS task ON task.id = job.task_id
  JOIN batches AS batch ON batch.id = task.batch_id
  JOIN projects AS project ON project.id = task.project_id
 WHERE pause.status = 'WAITING'
   AND policy.kind = %(kind)s
   AND policy.is_on
   AND policy.project_id = task.project_id
   AND pause.created_at > policy.created_at
   AND pause.created_at + make_interval(secs => policy.after_seconds) <= clock_timestamp()
   AND NOT EXISTS (SELECT 1 FROM project_policies AS newer
                    WHERE newer.project_id = policy.project_id AND newer.kind = policy.kind
                      AND newer.version > policy.version)
   AND NOT EXISTS (SELECT 1 FROM policy_acts AS act
                    WHERE act.pause_id = pause.id AND act.policy_id = policy.id)
   AND task.status IN ('pending', 'in_progress')
   AND task.archived_at IS NULL AND project.archived_at IS NULL AND batch.archived_at IS NULL
   AND batch.held_at IS NULL AND batch.status = ANY(%(workable)s)
   AND (%(pause_id)s::uuid IS NULL OR pause.id = %(pause_id)s)
 ORDER BY pause.created_at, pause.id
"""
_COLUMNS = {
    PolicyKind.TIMEOUT_DEFAULT: "default_policy_id",
    PolicyKind.TIMEOUT_TO_QUEUE: "queue_policy_id",
}


def due_pauses(kind: PolicyKind) -> list[UUID]:
    """Pauses on which the timeout `kind` is due, oldest first."""
    return [pause_id for pause_id, _ in _due(kind, None)]


def due_policy(kind: PolicyKind, *, pause_id: UUID) -> ProjectPolicy | None:
    """The version that is due on this pause, with its author; None where none is."""
    found = _due(kind, pause_id)
    if not found:
        return None
    return ProjectPolicy.objects.select_related("created_by").get(pk=found[0][1])


def _due(kind: PolicyKind, pause_id: UUID | None) -> list[tuple[UUID, UUID]]:
    parameters = {"kind": kind.value, "pause_id": pause_id, "workable": [s.value for s in WORKABLE]}
    with connection.cursor() as cursor:
        cursor.execute(_DUE.format(column=_COLUMNS[kind]), parameters)
        return list(cursor.fetchall())
