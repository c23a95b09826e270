"""What stands behind the row locks: a write that started from an older row than the database's is refused,
and changes nothing."""

import pytest
from django.db import transaction

from review.domain.job_errors import PauseNotActive
from review.domain.job_states import IllegalJobMove, JobStatus, Trigger
from review.models import Job, Pause
from review.operations.consume_pause import consume_pause
from review.operations.move_job import move_job
from tasks.models import Event
from tests.support.pipeline import a_house, a_job, fresh, waiting

pytestmark = pytest.mark.django_db


def test_a_pause_is_consumed_by_the_first_of_two():
    house = a_house()
    job, _ = waiting(house)
    one, other = (Pause.objects.get(job=job) for _ in range(2))
    consume_pause(one, actor=house.anna, intervention_id="first")
    with pytest.raises(PauseNotActive):
        consume_pause(other, actor=house.abel, intervention_id="second")
    one.refresh_from_db()
    assert (one.status, one.consumed_intervention, one.consumed_by) == ("CONSUMED", "first", house.anna)


def refused(job: Job, target: JobStatus) -> None:
    """By a trigger that the table lets do it, and the job, its task and its events stay as they are."""
    before = Job.objects.filter(pk=job.pk).values().get()
    events = Event.objects.filter(job_id=job.pk).count()
    trigger = Trigger.CANCEL if target == JobStatus.CANCELLED else Trigger.REPORT
    with pytest.raises(IllegalJobMove), transaction.atomic():
        move_job(task=job.task, job=job, target=target, trigger=trigger)
    assert Job.objects.filter(pk=job.pk).values().get() == before
    assert Event.objects.filter(job_id=job.pk).count() == events


@pytest.mark.parametrize("target", [JobStatus.WAITING_USER_SELECTION, JobStatus.FAILED])
def test_a_job_that_is_being_cancelled_goes_nowhere_else(target):
    job = a_job(a_house())
    Job.objects.filter(pk=job.pk).update(cancel_requested=True)
    # The table would allow it.
    refused(fresh(job), target)


@pytest.mark.parametrize("change", [{"version": 7}, {"status": JobStatus.CREATED}])
def test_a_job_that_somebody_else_moved_is_not_moved_from_where_it_was(change):
    stale = fresh(a_job(a_house()))
    Job.objects.filter(pk=stale.pk).update(**change)
    refused(stale, JobStatus.FAILED)
