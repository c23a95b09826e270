"""What has to be true of the database (page 01's invariants), as statements that find what is not.

Each statement returns the ids of offending rows; none is the answer hoped for. The fault suite runs them
after every fault, `manage.py check_invariants` whenever somebody wants to know.
"""

from dataclasses import dataclass

from django.db import connection

#: True at any moment, in any snapshot.
ALWAYS: dict[str, str] = {
    "I3 a consumed pause has one intervention or one policy's answer, and no other pause has any": """
        SELECT pause.id FROM pauses pause
        LEFT JOIN interventions answer ON answer.pause_id = pause.id
        LEFT JOIN (SELECT act.pause_id, count(*) AS n FROM policy_acts act
                   JOIN project_policies policy ON policy.id = act.policy_id
                   WHERE policy.kind = 'timeout_default' GROUP BY act.pause_id) AS policy
          ON policy.pause_id = pause.id
        WHERE (pause.status = 'CONSUMED')::int
              <> (answer.id IS NOT NULL)::int + coalesce(policy.n, 0)
           OR pause.consumed_intervention <> coalesce(answer.intervention_id, '')
    """,
    "I5 a policy acted on a pause only where it was on, and the pause made under it": """
        SELECT act.id FROM policy_acts act
        JOIN project_policies policy ON policy.id = act.policy_id
        JOIN pauses pause ON pause.id = act.pause_id JOIN jobs job ON job.id = pause.job_id
        JOIN tasks task ON task.id = job.task_id
        WHERE NOT policy.is_on OR policy.project_id <> task.project_id OR job.id <> act.job_id
           OR policy.created_at >= pause.created_at
           OR act.created_at < pause.created_at + make_interval(secs => policy.after_seconds)
           OR job.compensates_id IS NOT NULL
           OR policy.id IS DISTINCT FROM CASE policy.kind
                WHEN 'timeout_default' THEN pause.default_policy_id
                WHEN 'timeout_to_queue' THEN pause.queue_policy_id END
    """,
    "I5 a job that a policy decided names it, and no other job does": """
        SELECT job.id FROM jobs job
        LEFT JOIN (SELECT act.job_id, count(*) AS n, min(policy.kind || '@' || policy.version) AS name
                   FROM policy_acts act JOIN project_policies policy ON policy.id = act.policy_id
                   WHERE policy.is_on AND policy.kind IN ('routing', 'timeout_default')
                   GROUP BY act.job_id) AS decided ON decided.job_id = job.id
        WHERE coalesce(decided.name, '') <> job.policy_version OR decided.n > 1
    """,
    "I5 a detection went on without a person only by a routing policy": """
        SELECT event.id FROM events event
        WHERE event.type = 'job.status' AND event.payload ->> 'previous' = 'DETECTING'
          AND event.payload ->> 'status' = 'PROCESSING_APPROVED_SUBJECTS'
          AND NOT EXISTS (
            SELECT 1 FROM policy_acts act JOIN project_policies policy ON policy.id = act.policy_id
            WHERE act.job_id = event.job_id AND act.pause_id IS NULL AND policy.kind = 'routing')
    """,
    "I5 a pause is put to others only by a policy": """
        SELECT pause.id FROM pauses pause
        WHERE pause."group" <> 'annotators' AND NOT EXISTS (
            SELECT 1 FROM policy_acts act JOIN project_policies policy ON policy.id = act.policy_id
            WHERE act.pause_id = pause.id AND policy.kind = 'timeout_to_queue'
              AND policy."group" = pause."group")
    """,
    "I5 a policy's versions are numbered without a gap": """
        SELECT min(policy.id::text) FROM project_policies policy
        GROUP BY policy.project_id, policy.kind
        HAVING min(policy.version) <> 1 OR max(policy.version) <> count(*)
    """,
    "I3 a waiting pause is its job's, at the job's version": """
        SELECT pause.id FROM pauses pause JOIN jobs job ON job.id = pause.job_id
        WHERE pause.status = 'WAITING' AND (pause.stage <> job.status OR pause.base_version <> job.version)
    """,
    "I3 a job that waits has its pause": """
        SELECT job.id FROM jobs job
        WHERE job.status IN ('WAITING_USER_SELECTION', 'WAITING_BOX_BATCH_REVISION')
          AND NOT EXISTS (SELECT 1 FROM pauses WHERE pauses.job_id = job.id AND pauses.status = 'WAITING')
    """,
    "I3 every intervention has its stored reply": """
        SELECT answer.id FROM interventions answer
        WHERE NOT EXISTS (
            SELECT 1 FROM idempotent_requests stored
            WHERE stored.scope = 'job:' || answer.job_id AND stored.key = answer.intervention_id)
    """,
    "I3 an answered job is on its way: its next run, or the message that stores the end": """
        SELECT job.id FROM jobs job
        WHERE (job.status IN ('DETECTING', 'VALIDATING_MANUAL_BOXES') AND NOT EXISTS (
                SELECT 1 FROM node_runs run
                WHERE run.id = job.current_node_instance_id AND run.status IN ('QUEUED', 'RUNNING')))
           OR (job.status = 'PROCESSING_APPROVED_SUBJECTS' AND NOT EXISTS (
                SELECT 1 FROM node_runs run
                WHERE job.current_node_instance_id IN (run.id, run.parent_id)
                  AND run.status IN ('QUEUED', 'RUNNING')))
           OR (job.status = 'FINALIZING_RESULTS' AND NOT EXISTS (
                SELECT 1 FROM outbox
                WHERE outbox.kind = 'finalize_results' AND outbox.payload ->> 'job_id' = job.id::text
                  AND outbox.sent_at IS NULL))
    """,
    "I3 every run that waits for a worker was put into the outbox": """
        SELECT run.id FROM node_runs run
        WHERE run.status = 'QUEUED' AND NOT EXISTS (
            SELECT 1 FROM outbox
            WHERE outbox.kind = 'run_node' AND outbox.payload ->> 'run_id' = run.id::text)
    """,
    "I4 one reply for each request id": """
        SELECT min(id) FROM idempotent_requests GROUP BY scope, key HAVING count(*) > 1
    """,
    "I6 a job that has ended says where its stream ends, and nothing of it follows": """
        SELECT job.id FROM jobs job
        WHERE (job.ended_at IS NOT NULL) <> (job.last_event_seq IS NOT NULL)
           OR (job.status IN ('SUCCEEDED', 'PARTIAL_SUCCEEDED', 'FAILED', 'EMPTY_SELECTION', 'CANCELLED'))
              <> (job.last_event_seq IS NOT NULL)
           OR EXISTS (SELECT 1 FROM events WHERE events.job_id = job.id AND events.seq > job.last_event_seq)
    """,
    "I6 nothing works for a job that has ended": """
        SELECT run.id FROM node_runs run JOIN jobs job ON job.id = run.job_id
        WHERE job.ended_at IS NOT NULL AND run.status IN ('QUEUED', 'RUNNING')
    """,
    "I9 a task's events are numbered without a gap, up to its counter": """
        SELECT task.id FROM tasks task
        LEFT JOIN (SELECT task_id, count(*) AS n, min(seq) AS first, max(seq) AS last
                   FROM events GROUP BY task_id)
          AS event ON event.task_id = task.id
        WHERE coalesce(event.last, task.event_seq) <> task.event_seq
           OR event.last - event.first + 1 <> event.n
    """,
    "I9 a job's version rose once with each event of its status": """
        SELECT job.id FROM jobs job JOIN events event ON event.job_id = job.id AND event.type = 'job.status'
        GROUP BY job.id, job.version
        HAVING bool_or(event.payload ->> 'status' = 'CREATED') AND count(*) - 1 <> job.version
    """,
    "I10 a task's audit rows are numbered without a gap, each knowing the one before": """
        SELECT task.id FROM tasks task
        LEFT JOIN (
            SELECT task_id, count(*) AS n, max(number) AS last,
                   bool_and(coalesce(prev_hash = before, prev_hash = '')) AS is_whole
            FROM (SELECT task_id, number, prev_hash,
                         lag(hash) OVER (PARTITION BY task_id ORDER BY number) AS before
                  FROM audit WHERE task_id IS NOT NULL) AS linked
            GROUP BY task_id) AS chain ON chain.task_id = task.id
        WHERE coalesce(chain.n, 0) <> task.audit_count OR coalesce(chain.last, 0) <> task.audit_count
           OR NOT coalesce(chain.is_whole, true)
    """,
    "the task's copies of its job and candidates are right": """
        SELECT task.id FROM tasks task LEFT JOIN jobs job ON job.id = task.job_id
        WHERE (task.job_id IS NOT NULL AND job.status IS DISTINCT FROM task.job_status)
           OR EXISTS (SELECT 1 FROM jobs newer WHERE newer.task_id = task.id AND newer.ended_at IS NULL
                      AND newer.id IS DISTINCT FROM task.job_id)
    """,
}

#: True once relays and workers have had the time to do everything that is due.
WHEN_QUIET: dict[str, str] = {
    "every outbox message is sent or a dead letter": """
        SELECT id FROM outbox WHERE sent_at IS NULL AND dead_at IS NULL AND available_at <= clock_timestamp()
    """,
    "no run is stuck": """
        SELECT id FROM node_runs
        WHERE (status = 'RUNNING' AND lease_until < clock_timestamp())
           OR (status = 'QUEUED' AND available_at <= clock_timestamp())
    """,
}


@dataclass(frozen=True, slots=True)
class Violation:
    """A statement that does not hold, and up to ten rows that show it."""

    name: str
    ids: list[str]


def violations(*, is_quiet: bool = False) -> list[Violation]:
    """Everything that does not hold; `is_quiet`: also what holds only when nothing is under way."""
    found: list[Violation] = []
    with connection.cursor() as cursor:
        for name, statement in (ALWAYS | WHEN_QUIET if is_quiet else ALWAYS).items():
            cursor.execute(statement)
            ids = [str(row[0]) for row in cursor.fetchmany(10)]
            if ids:
                found.append(Violation(name, ids))
    return found
