"""A sweep that is killed half-way has acted on whole pauses only, and the next one does the rest."""

import os
import signal
import subprocess
import sys
from urllib.parse import urlsplit, urlunsplit

from django.db import connection, transaction

from config.env import ROOT
from review.models import PolicyAct
from review.queries.invariants import violations
from tasks.domain.policies import PolicyKind
from tasks.operations.row_locks import lock_task
from tests.support.pipeline import a_house, fresh, waiting
from tests.support.policies import HOUR, declared, sweep, waited
from tests.support.racing import until_somebody_waits


def swept_by_a_process(database: str) -> subprocess.Popen[str]:
    """`manage.py sweep_pauses` on this database."""
    address = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{database}")
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", "manage.py", "sweep_pauses"],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": urlunsplit(address)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_killed_between_two_pauses(committed_db: str) -> None:
    house = a_house()
    declared(house, PolicyKind.TIMEOUT_DEFAULT)
    first, second = waiting(house)[0], waiting(house)[0]
    waited(first, HOUR + 2)
    waited(second, HOUR + 1)
    connection.close()
    with transaction.atomic():
        # The oldest is done first; at the other one the process waits, with its transaction open.
        lock_task(second.task_id)
        process = swept_by_a_process(committed_db)
        try:
            until_somebody_waits(30)
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait(10)
    assert fresh(first).status == "PROCESSING_APPROVED_SUBJECTS"
    assert fresh(second).status == "WAITING_USER_SELECTION"
    assert PolicyAct.objects.count() == 1
    assert violations() == []
    again = swept_by_a_process(committed_db)
    said, _ = again.communicate(timeout=30)
    assert "1 pauses touched: 1 answered by default" in said
    assert fresh(second).status == "PROCESSING_APPROVED_SUBJECTS"
    assert sweep() == (0, 0, 0, 0)
    assert violations() == []
