"""A worker and a database that goes away: its message waits, and a dead worker's lease does not."""

import os
import socket
import subprocess
import sys
import time
from datetime import timedelta

import psutil
import pytest
from django.db import OperationalError, connection

from review import workers
from review.domain.job_states import NodeType
from review.executor.registry import register_handler
from review.models import NodeRun
from review.operations.dead_workers import expire_leases_of_the_dead, worker_name
from review.operations.take_run import take_run
from tasks.operations.transactions import db_now
from tests.support.pipeline import CUP, a_house, a_job, fresh, queued

pytestmark = pytest.mark.django_db


def finds_a_cup(**_):
    return {"boxes": [CUP], "warnings": []}


@pytest.fixture
def detecting():
    """A queued detection, and a model that finds a cup."""
    register_handler("DETECT_SUBJECTS", finds_a_cup)
    job = a_job(a_house())
    yield job, queued(job, NodeType.DETECT_SUBJECTS)
    register_handler("DETECT_SUBJECTS", None)


@pytest.mark.parametrize("step", ["take_run", "is_wanted", "receive_report"])
def test_a_message_is_kept_while_the_database_is_away(detecting, monkeypatch, step):
    job, run = detecting
    real, fails = getattr(workers, step), [1, 2]

    def away_at_first(**arguments):
        if fails:
            fails.pop()
            raise OperationalError("server closed the connection unexpectedly")
        return real(**arguments)

    monkeypatch.setattr(workers, step, away_at_first)
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    # Closing it would end the test's own transaction.
    monkeypatch.setattr(connection, "close", lambda: None)
    workers.run_node(str(run.pk))
    assert not fails
    assert fresh(job).status == "WAITING_USER_SELECTION"
    run.refresh_from_db()
    assert (run.status, run.attempt) == ("SUCCEEDED", 1)


def lease_of(run: NodeRun, pid: int) -> timedelta:
    """What is left of the run's lease when it is that process's and dead ones were looked for."""
    NodeRun.objects.filter(pk=run.pk).update(
        lease_worker=worker_name(socket.gethostname(), pid), lease_until=db_now() + timedelta(seconds=60)
    )
    expire_leases_of_the_dead(host=socket.gethostname())
    run.refresh_from_db()
    return run.lease_until - db_now()


def test_only_the_dead_lose_their_leases(detecting):
    _, run = detecting
    assert take_run(run_id=run.pk, worker="test:1")
    assert lease_of(run, os.getpid()) > timedelta(seconds=50)
    child = subprocess.Popen([sys.executable, "-c", ""])
    # It ends and stays in the table of processes until it is waited for.
    while psutil.Process(child.pid).status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.01)
    assert lease_of(run, child.pid) <= timedelta(0)
    child.wait()
    assert lease_of(run, child.pid) <= timedelta(0)
