"""What a job's event stream has to know before it begins."""

from dataclasses import dataclass
from uuid import UUID

from review.domain.job_states import TERMINAL
from review.domain.stream_cursor import StreamSpan
from review.queries.visible_job import visible_job
from tasks.models import Task
from tasks.queries.stream_events import oldest_kept_seq
from tasks.queries.stream_opening import active_user


@dataclass(frozen=True, slots=True, kw_only=True)
class JobStreamOpening:
    """The job's task, and the numbers of its events."""

    task_id: UUID
    span: StreamSpan


def open_job_stream(*, user_id: UUID, job_id: UUID) -> JobStreamOpening:
    """For a person who opens a job's stream. Raises NotFound where they may not read the job."""
    job = visible_job(user=active_user(user_id), job_id=job_id)
    # The end first, then the newest: an end that comes in between is then still seen as a live job's event.
    end = job.last_event_seq
    if end is None and job.status in TERMINAL:
        end = job.first_event_seq
    newest = Task.objects.values_list("event_seq", flat=True).get(pk=job.task_id)
    return JobStreamOpening(
        task_id=job.task_id,
        span=StreamSpan(
            first=job.first_event_seq,
            newest=newest,
            end=end,
            oldest_kept=oldest_kept_seq(task_id=job.task_id, after=job.first_event_seq),
        ),
    )
