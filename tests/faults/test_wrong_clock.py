"""Half of the processes are ten minutes ahead, half ten minutes behind: time comes from the database, and
nothing behaves differently (I7)."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.apps import apps
from django.db import models

from locks.models import TaskLock
from review.models import Job
from tasks.models import AuditEntry
from tasks.operations.transactions import db_now
from tests.faults.conftest import TOKEN
from tests.faults.one_job import check, through
from tests.support import shifted_clock
from tests.support.fleet import Fleet
from tests.support.patient_client import PatientClient

pytestmark = pytest.mark.slow
FOLDER = str(Path(shifted_clock.__path__[0]))
#: The furthest that the database itself writes into the future: a lock's time to live.
AHEAD = timedelta(seconds=310)


@pytest.fixture
def wrong(fleet: Fleet) -> Iterator[Fleet]:
    """A fleet whose first processes are ahead and whose second ones are behind."""
    shifts = {name: "600" if name.endswith("1") else "-600" for name in fleet.processes}
    fleet.restart_with({name: {"PYTHONPATH": FOLDER, "CLOCK_SHIFT": by} for name, by in shifts.items()})
    yield fleet
    fleet.restart_with({name: {} for name in shifts})


def dated_wrong(job_id: str, since: datetime) -> dict[str, datetime]:
    """Every time in the database that lies ahead of it, and every one of this job before its start."""
    until = db_now() + AHEAD
    wrong: dict[str, datetime] = {}
    for name in ("locks", "tasks", "review"):
        for model in apps.get_app_config(name).get_models():
            for field in times(model):
                newest = model._default_manager.aggregate(newest=models.Max(field))["newest"]
                if newest is not None and newest > until:
                    wrong[f"{model.__name__}.{field} ahead"] = newest
    job = Job.objects.get(pk=job_id)
    rows = [job, job.task, job.task.asset, *job.runs.all(), *job.pauses.all(), *job.interventions.all()]
    for row in [*rows, *job.task.events.all(), *AuditEntry.objects.filter(task_id=job.task_id)]:
        for field in times(type(row)):
            value = getattr(row, field)
            if value is not None and value < since:
                wrong[f"{type(row).__name__}.{field} behind"] = value
    return wrong


def times(model: type[models.Model]) -> list[str]:
    return [field.name for field in model._meta.fields if isinstance(field, models.DateTimeField)]


def test_nothing_behaves_differently(wrong: Fleet) -> None:
    for address in wrong.addresses:
        since = db_now()
        client = PatientClient([address], TOKEN)
        done = through(client)
        check(wrong, client, done)
        assert dated_wrong(done.job_id, since) == {}
    # The same person at both: a lock is as long as ever, whichever of them gives it.
    task = Job.objects.get(pk=done.job_id).task_id
    for address in (*wrong.addresses, *wrong.addresses):
        client = PatientClient([address], TOKEN)
        answer = client.put(f"/api/v1/tasks/{task}/lock", json={"client_id": "page"})
        assert answer.status_code == 200, answer.text
        left = TaskLock.objects.get(task_id=task).expire_at - db_now()
        assert timedelta(seconds=280) < left < timedelta(seconds=301)
