"""A process that stands still for longer than anybody waits, and then goes on as if nothing had been."""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import psutil
import pytest

from review.models import IgnoredReport, NodeRun
from tests.faults.one_job import check, through
from tests.faults.stopped import stopped
from tests.support.fleet import Fleet
from tests.support.patient_client import PatientClient

pytestmark = pytest.mark.slow


def test_a_worker_that_outlives_its_lease_is_not_believed(fleet: Fleet, anna: PatientClient) -> None:
    fleet.arm("in_model.SEGMENT_SUBJECT", "stop")
    done = through(anna)
    pid = fleet.wait_taken("in_model.SEGMENT_SUBJECT")
    # Another worker has done it meanwhile; now the first one hands in its own.
    (twice,) = NodeRun.objects.filter(job=done.job_id, attempt=2)
    assert not IgnoredReport.objects.filter(run=twice).exists()
    os.kill(pid, signal.SIGCONT)
    fleet.wait_for(lambda: IgnoredReport.objects.filter(run=twice).exists(), "its report did not come")
    ignored = IgnoredReport.objects.get(run=twice)
    assert (ignored.attempt, ignored.why) == (1, "attempt 1 is not the run's 2")
    check(fleet, anna, done)


def test_a_database_that_takes_connections_and_does_nothing(fleet: Fleet, anna: PatientClient) -> None:
    server = psutil.Process(fleet.postgres.pid)
    with ThreadPoolExecutor() as pool:
        with stopped(*(process.pid for process in [server, *server.children()])):
            jobs = [pool.submit(through, anna) for _ in range(2)]
            until = time.monotonic() + 3
            while time.monotonic() < until:
                # The processes are alive, and say so: nobody is to kill them for the database's sake.
                for address in fleet.addresses:
                    assert httpx.get(f"{address}/healthz", timeout=2).status_code == 200
                time.sleep(0.2)
            assert not any(job.done() for job in jobs)
        for job in jobs:
            check(fleet, anna, job.result())
