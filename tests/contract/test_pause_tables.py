"""What the tables of jobs and pauses must be, and what the database itself refuses."""

import ast
import itertools
import re

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction

from config.env import ROOT
from review.domain.job_states import TERMINAL, JobStatus
from review.models import CandidateSet, Job, Pause
from review.queries.job_body import job_body
from tests.support.pipeline import a_house, answer_to, send, waiting

pytestmark = pytest.mark.django_db


def columns(table):
    with connection.cursor() as cursor:
        cursor.execute("SELECT column_name FROM information_schema.columns WHERE table_name = %s", [table])
        return {row[0] for row in cursor.fetchall()}


def test_a_pause_has_no_deadline():
    found = columns("pauses")
    assert "created_at" in found
    wrong = re.compile(r"timeout|deadline|expire|until|auto|due")
    assert [name for name in found if wrong.search(name)] == []


@pytest.mark.parametrize(("current", "target"), list(itertools.product(JobStatus, JobStatus)))
def test_the_database_lets_no_job_leave_its_end(current, target):
    house = a_house()
    job, _ = waiting(house)
    Job.objects.filter(pk=job.pk).update(status=current)
    refused = current in TERMINAL and current != target
    try:
        with transaction.atomic():
            Job.objects.filter(pk=job.pk).update(status=target)
    except DatabaseError:
        assert refused
    else:
        assert not refused


def test_a_consumed_pause_never_waits_again():
    house = a_house()
    job, body = waiting(house)
    send(house, job, answer_to(body, []))
    with pytest.raises(DatabaseError), transaction.atomic():
        Pause.objects.filter(job=job).update(status="WAITING")
    assert Pause.objects.get(job=job).status == "CONSUMED"


def test_two_pauses_of_one_job_do_not_wait_at_once():
    house = a_house()
    job, _ = waiting(house)
    first = Pause.objects.get(job=job)
    with pytest.raises(DatabaseError), transaction.atomic():
        Pause.objects.create(
            job=job,
            pause_token="another",
            stage=first.stage,
            round=2,
            base_version=2,
            snapshot=first.snapshot,
            created_at=first.created_at,
        )


def test_a_candidate_set_never_changes():
    house = a_house()
    job, _ = waiting(house)
    with pytest.raises(DatabaseError), transaction.atomic():
        CandidateSet.objects.filter(job=job).update(items=[])
    assert len(CandidateSet.objects.get(job=job).items) == 2


def test_two_live_jobs_of_one_task_are_refused():
    house = a_house()
    job, _ = waiting(house)
    with pytest.raises(DatabaseError), transaction.atomic():
        Job.objects.create(task=job.task, created_at=job.created_at, updated_at=job.created_at)


def test_the_sweep_answers_for_nobody(capsys):
    house = a_house()
    job, body = waiting(house)
    Pause.objects.filter(job=job).update(created_at="2001-01-01T00:00:00Z")
    before = job_body(job.pk)
    call_command("sweep_pauses")
    assert job_body(job.pk) == before
    assert before["active_pause"]["status"] == "WAITING"
    assert "0 pauses touched" in capsys.readouterr().out
    assert body["active_pause"]["pause_token"] == before["active_pause"]["pause_token"]


def writes_a_job_s_status(source):
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign):
            targets = [each for target in node.targets for each in ast.walk(target)]
            names = [each for each in targets if isinstance(each, ast.Attribute) and each.attr == "status"]
            if any(isinstance(each.value, ast.Name) and each.value.id == "job" for each in names):
                return True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "update":
            is_job = "Job.objects" in ast.unparse(node.func)
            if is_job and any(keyword.arg == "status" for keyword in node.keywords):
                return True
    return False


def test_only_one_function_changes_a_job_s_status():
    found = {
        path.relative_to(ROOT).as_posix()
        for app in ("review", "tasks", "locks", "config")
        for path in (ROOT / app).rglob("*.py")
        if writes_a_job_s_status(path.read_text())
    }
    assert found == {"review/operations/move_job.py"}
