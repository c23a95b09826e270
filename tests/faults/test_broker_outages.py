"""The broker loses what it had, or is away: nothing in it was true, so nothing is lost (page 04, Relay)."""

import time

import psutil
import pytest
import redis

from review.models import Job
from tests.faults.one_job import check, come_to_rest, finish, start, through
from tests.faults.stopped import stopped
from tests.support.fleet import Fleet
from tests.support.patient_client import PatientClient

pytestmark = pytest.mark.slow


def workers(fleet: Fleet) -> list[int]:
    """The workers' parents and children."""
    parents = [psutil.Process(fleet.processes[name].pid) for name in ("worker-1", "worker-2")]
    return [process.pid for parent in parents for process in [parent, *parent.children(recursive=True)]]


def test_killed_and_back_without_its_messages(fleet: Fleet, anna: PatientClient) -> None:
    with stopped(*workers(fleet)):
        begun = [start(anna) for _ in range(3)]
        fleet.restart_valkey()
    for job_id in begun:
        finish(anna, job_id)
    # The probe: workers and relays go on with the new one.
    check(fleet, anna, through(anna))


def test_emptied(fleet: Fleet, anna: PatientClient) -> None:
    with redis.Redis.from_url(fleet.broker_url) as broker, stopped(*workers(fleet)):
        begun = [start(anna) for _ in range(3)]
        fleet.wait_for(lambda: broker.llen("models") > 0, "no message came")
        broker.flushall()
    for job_id in begun:
        finish(anna, job_id)
    come_to_rest(fleet)


def test_one_that_takes_connections_and_does_nothing_holds_up_no_request(
    fleet: Fleet, anna: PatientClient
) -> None:
    assert fleet.valkey.pid is not None
    with stopped(fleet.valkey.pid):
        before = time.monotonic()
        begun = [start(anna) for _ in range(6)]
        assert time.monotonic() - before < 10
        assert set(Job.objects.filter(pk__in=begun).values_list("status", flat=True)) == {"DETECTING"}
    assert anna.troubles == []
    for job_id in begun:
        finish(anna, job_id)
    check(fleet, anna, through(anna))
