"""A worker whose run was given to another one may do nothing for it any more (I8)."""

import pytest

from review.domain.job_states import NodeType
from review.models import NodeRun
from review.operations.cancel_job import cancel_job
from review.operations.receive_report import Receipt, receive_report
from review.operations.report_progress import report_progress
from review.operations.take_run import is_wanted, renew_lease, take_run
from tasks.domain.matrix import Role
from tasks.models import Event
from tasks.operations.transactions import db_now
from tests.support.pipeline import CUP, NOWHERE, a_house, a_job, no_key, queued

pytestmark = pytest.mark.django_db


@pytest.fixture
def taken_over():
    """A run that was taken, lost, and taken by another worker."""
    run = queued(a_job(a_house()), NodeType.DETECT_SUBJECTS)
    assert take_run(run_id=run.pk, worker="test:1").attempt == 1
    NodeRun.objects.filter(pk=run.pk).update(lease_until=db_now())
    assert take_run(run_id=run.pk, worker="test:2").attempt == 2
    return run


def row(run):
    return NodeRun.objects.filter(pk=run.pk).values().get()


def test_a_live_lease_is_not_taken(taken_over):
    before = row(taken_over)
    assert take_run(run_id=taken_over.pk, worker="test:3") is None
    assert row(taken_over) == before


def test_the_first_worker_may_not_keep_it(taken_over):
    before = row(taken_over)
    assert not renew_lease(run_id=taken_over.pk, attempt=1)
    assert row(taken_over) == before
    assert renew_lease(run_id=taken_over.pk, attempt=2)
    assert row(taken_over)["lease_until"] > before["lease_until"]


def test_the_first_worker_is_told_that_nobody_wants_it(taken_over):
    assert not is_wanted(run_id=taken_over.pk, attempt=1)
    assert is_wanted(run_id=taken_over.pk, attempt=2)


def test_the_first_worker_s_progress_is_not_shown(taken_over):
    before, events = row(taken_over), Event.objects.count()
    assert not report_progress(run_id=taken_over.pk, attempt=1, phase="old", done=1, total=2)
    assert (row(taken_over), Event.objects.count()) == (before, events)
    assert report_progress(run_id=taken_over.pk, attempt=2, phase="new", done=1, total=2)
    assert row(taken_over)["phase"] == "new"
    assert Event.objects.count() == events + 1


def test_the_first_worker_s_report_does_not_count(taken_over):
    found = {"boxes": [CUP], "warnings": []}
    assert receive_report(run_id=taken_over.pk, attempt=1, report=found) == Receipt.IGNORED
    assert row(taken_over)["status"] == "RUNNING"
    assert receive_report(run_id=taken_over.pk, attempt=2, report=found) == Receipt.ACCEPTED


def test_nobody_works_for_a_cancelled_job(taken_over):
    job, anna = taken_over.job, taken_over.created_by
    key = no_key(anna, Role.ANNOTATOR, "cancel_job")
    cancel_job(actor=anna, job_id=job.pk, request=key, context=NOWHERE)
    before, events = row(taken_over), Event.objects.count()
    assert not renew_lease(run_id=taken_over.pk, attempt=2)
    assert not is_wanted(run_id=taken_over.pk, attempt=2)
    assert not report_progress(run_id=taken_over.pk, attempt=2, phase="late", done=1, total=2)
    assert (row(taken_over), Event.objects.count()) == (before, events)
