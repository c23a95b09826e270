"""Reports: accepted once, from the attempt that holds the run, and never for a job that has ended."""

import pytest

from review.domain.job_states import NodeType, RunStatus
from review.models import IgnoredReport, NodeRun, Pause
from review.operations.cancel_job import cancel_job
from review.operations.receive_report import Receipt, receive_report
from review.operations.report_progress import report_progress
from review.operations.take_run import is_wanted, renew_lease, take_run
from review.queries.invariants import violations
from review.queries.job_body import job_body
from tasks.domain.errors import IllegalTransition, RoleForbidden
from tasks.domain.matrix import Role
from tasks.models import AuditEntry, Event, OutboxMessage
from tasks.operations.transactions import db_now
from tests.support.pipeline import (
    CUP,
    NOWHERE,
    a_house,
    a_job,
    answer_to,
    fresh,
    no_key,
    queued,
    report,
    send,
    waiting,
)

pytestmark = pytest.mark.django_db
FOUND = {"boxes": [CUP], "warnings": []}


def cancel(house, job, by="anna", key=None):
    user = house.people[by]
    request = key or no_key(user, Role.ANNOTATOR, "cancel_job")
    return cancel_job(actor=user, job_id=job.pk, request=request, context=NOWHERE)


def taken(job, node_type=NodeType.DETECT_SUBJECTS):
    run = queued(job, node_type)
    found = take_run(run_id=run.pk, worker="test:1")
    assert found is not None
    return found


def expire(run_id):
    NodeRun.objects.filter(pk=run_id).update(lease_until=db_now())


def test_a_run_is_taken_once():
    job = a_job(a_house())
    first = taken(job)
    assert first.attempt == 1
    assert take_run(run_id=first.run_id, worker="test:2") is None


def test_a_run_whose_lease_ran_out_is_taken_again_with_the_next_attempt():
    job = a_job(a_house())
    first = taken(job)
    expire(first.run_id)
    again = take_run(run_id=first.run_id, worker="test:2")
    assert again is not None
    assert again.attempt == 2
    assert not renew_lease(run_id=first.run_id, attempt=1)
    assert renew_lease(run_id=first.run_id, attempt=2)


def test_the_same_report_twice_changes_nothing():
    job = a_job(a_house())
    run = taken(job)
    assert receive_report(run_id=run.run_id, attempt=1, report=FOUND) == Receipt.ACCEPTED
    before = job_body(job.pk), Event.objects.count(), OutboxMessage.objects.count()
    assert receive_report(run_id=run.run_id, attempt=1, report=FOUND) == Receipt.DUPLICATE
    assert (job_body(job.pk), Event.objects.count(), OutboxMessage.objects.count()) == before
    assert Pause.objects.filter(job=job).count() == 1


def test_an_older_attempt_s_report_is_kept_as_ignored():
    job = a_job(a_house())
    run = taken(job)
    expire(run.run_id)
    take_run(run_id=run.run_id, worker="test:2")
    for _ in range(2):
        assert receive_report(run_id=run.run_id, attempt=1, report=FOUND) == Receipt.IGNORED
    kept = IgnoredReport.objects.get(run_id=run.run_id)
    assert (kept.attempt, kept.why, kept.report) == (1, "attempt 1 is not the run's 2", FOUND)
    assert fresh(job).status == "DETECTING"
    assert receive_report(run_id=run.run_id, attempt=2, report=FOUND) == Receipt.ACCEPTED


def test_a_report_after_a_cancel_is_ignored_and_the_job_stays_cancelled():
    house = a_house()
    job = a_job(house)
    run = taken(job)
    cancel(house, job)
    events = Event.objects.count()
    assert not is_wanted(run_id=run.run_id, attempt=1)
    assert not renew_lease(run_id=run.run_id, attempt=1)
    assert not report_progress(run_id=run.run_id, attempt=1, phase="x", done=0, total=1)
    assert receive_report(run_id=run.run_id, attempt=1, report=FOUND) == Receipt.IGNORED
    assert fresh(job).status == "CANCELLED"
    assert NodeRun.objects.get(pk=run.run_id).status == RunStatus.IGNORED
    assert IgnoredReport.objects.get(run_id=run.run_id).why == "job is CANCELLED"
    assert Event.objects.count() == events
    assert violations() == []


def test_a_forged_report_of_a_cancelled_wait_is_ignored():
    house = a_house()
    job, _ = waiting(house)
    run = NodeRun.objects.get(job=job, node_type=NodeType.DETECT_SUBJECTS)
    cancel(house, job)
    assert receive_report(run_id=run.pk, attempt=7, report=FOUND) == Receipt.IGNORED
    assert fresh(job).status == "CANCELLED"
    assert Pause.objects.get(job=job).status == "CANCELLED"


def test_cancel_is_one_event_and_one_audit_row_and_again_the_same_reply():
    house = a_house()
    job, _ = waiting(house)
    events, audits = Event.objects.count(), AuditEntry.objects.count()
    first = cancel(house, job)
    assert (Event.objects.count(), AuditEntry.objects.count()) == (events + 1, audits + 1)
    assert cancel(house, job) == first
    assert (Event.objects.count(), AuditEntry.objects.count()) == (events + 1, audits + 1)
    assert not NodeRun.objects.filter(job=job, status__in=["QUEUED", "RUNNING"]).exists()


def test_a_job_that_ended_otherwise_cannot_be_cancelled():
    house = a_house()
    job, body = waiting(house)
    send(house, job, answer_to(body, []))
    with pytest.raises(IllegalTransition) as caught:
        cancel(house, job)
    assert caught.value.fields["snapshot"]["status"] == "EMPTY_SELECTION"
    assert fresh(job).status == "EMPTY_SELECTION"


def test_others_jobs_are_cancelled_by_admins_only():
    house = a_house()
    job, _ = waiting(house)
    for name in ("abel", "rita"):
        with pytest.raises(RoleForbidden):
            cancel(house, job, by=name)
    assert fresh(job).status == "WAITING_USER_SELECTION"
    cancel(house, job, by="otto")
    assert fresh(job).status == "CANCELLED"


def test_a_retryable_error_backs_off_and_a_repeated_report_of_it_does_not():
    job = a_job(a_house())
    run = taken(job)
    error = {"code": "NODE_CRASHED", "message": "Once.", "retryable": True}
    assert receive_report(run_id=run.run_id, attempt=1, error=error) == Receipt.RETRYING
    row = NodeRun.objects.get(pk=run.run_id)
    assert (row.status, row.error["code"]) == ("QUEUED", "NODE_CRASHED")
    assert row.available_at > db_now()
    assert take_run(run_id=run.run_id, worker="test:1") is None
    messages = OutboxMessage.objects.count()
    assert receive_report(run_id=run.run_id, attempt=1, error=error) == Receipt.DUPLICATE
    assert OutboxMessage.objects.count() == messages
    NodeRun.objects.filter(pk=run.run_id).update(available_at=db_now())
    again = take_run(run_id=run.run_id, worker="test:1")
    assert again is not None
    assert receive_report(run_id=run.run_id, attempt=again.attempt, report=FOUND) == Receipt.ACCEPTED


def test_after_the_last_attempt_the_run_and_its_job_fail_visibly(settings):
    settings.RUN_MAX_ATTEMPTS = 2
    job = a_job(a_house())
    error = {"code": "NODE_CRASHED", "message": "Each time.", "retryable": True}
    run = taken(job)
    receive_report(run_id=run.run_id, attempt=1, error=error)
    NodeRun.objects.filter(pk=run.run_id).update(available_at=db_now())
    again = take_run(run_id=run.run_id, worker="test:1")
    assert again is not None
    assert receive_report(run_id=run.run_id, attempt=2, error=error) == Receipt.FAILED
    assert fresh(job).status == "FAILED"
    assert fresh(job).failure == error


def test_an_error_that_no_retry_can_mend_fails_at_once():
    job = a_job(a_house())
    error = {"code": "UNSUPPORTED_NODE_TYPE", "message": "No.", "retryable": False}
    assert report(queued(job, NodeType.DETECT_SUBJECTS), error=error) == Receipt.FAILED
    assert (fresh(job).status, fresh(job).failure["code"]) == ("FAILED", "UNSUPPORTED_NODE_TYPE")
    assert violations() == []


@pytest.mark.parametrize(
    "broken",
    [
        None,
        [],
        {},
        {"boxes": "none"},
        {"boxes": [{"label": "cup"}]},
        {"boxes": [CUP | {"bbox": [0, 0, 500, 20]}]},
        {"boxes": [CUP | {"bbox": [20, 0, 10, 20]}]},
        {"boxes": [CUP | {"score": "high"}]},
    ],
)
def test_a_report_that_breaks_the_contract_fails_with_the_raw_reply_kept(broken):
    job = a_job(a_house())
    run = queued(job, NodeType.DETECT_SUBJECTS)
    assert report(run, broken) == Receipt.FAILED
    run.refresh_from_db()
    assert (run.status, run.error["code"], run.report) == ("FAILED", "BROKEN_CONTRACT", broken)
    assert (fresh(job).status, fresh(job).failure["code"]) == ("FAILED", "BROKEN_CONTRACT")
    assert not Pause.objects.filter(job=job).exists()


@pytest.mark.parametrize("value", [float("nan"), "a\0b", object()])
def test_a_report_that_no_database_can_hold_is_kept_as_text(value):
    job = a_job(a_house())
    run = queued(job, NodeType.DETECT_SUBJECTS)
    assert report(run, {"boxes": [CUP | {"label": value}]}) == Receipt.FAILED
    run.refresh_from_db()
    assert (run.error["code"], list(run.report)) == ("BROKEN_CONTRACT", ["as_text"])


def test_a_validation_that_answers_for_other_boxes_breaks_the_contract():
    house = a_house()
    job, body = waiting(house)
    send(house, job, answer_to(body, [{"bbox": [0, 0, 40, 40]}]))
    run = queued(job, NodeType.VALIDATE_MANUAL_BOX_LIST)
    assert report(run, {"items": [{"box_id": "box_x", "valid": True, "label": "cup"}]}) == Receipt.FAILED
    assert fresh(job).failure["code"] == "BROKEN_CONTRACT"


def test_a_failed_encoding_harms_nobody():
    house = a_house()
    job, body = waiting(house)
    error = {"code": "NODE_CRASHED", "message": "No.", "retryable": False}
    assert report(queued(job, NodeType.ENCODE_PICTURE), error=error) == Receipt.FAILED
    assert job_body(job.pk)["active_pause"] == body["active_pause"]


def test_progress_is_an_event_and_shown():
    job = a_job(a_house())
    run = taken(job)
    assert report_progress(run_id=run.run_id, attempt=1, phase="detecting", done=1, total=2)
    assert job_body(job.pk)["progress"] == {"done": 1, "total": 2, "phase": "detecting"}
    assert Event.objects.filter(job_id=job.pk, type="run.progress").count() == 1
