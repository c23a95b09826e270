"""PostgreSQL is restarted in the middle of everything, again and again, while clients send what was not
answered once more: no job is lost, and nothing happens twice (I1, I3, I4, I8)."""

import threading
import time
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from uuid import NAMESPACE_OID, uuid4, uuid5

import pytest

from review.domain.job_states import TERMINAL, NodeType, RunStatus
from review.models import Intervention, Job, NodeRun
from review.queries.invariants import violations
from tasks.domain.statuses import Status
from tasks.models import Asset, Batch, IdempotentRequest, OutboxMessage, Task
from tests.faults.conftest import TOKEN
from tests.support import jobs
from tests.support.fleet import Fleet
from tests.support.patient_client import PatientClient
from tests.support.pipeline import png

JOBS = 900
RESTARTS = 6
CLIENTS = 12
#: Jobs that one client starts before it answers the first of them.
AHEAD = 15
PICTURE = png()
#: What becomes of the jobs, in turn. The cut-out takes three runs more than the others.
ENDS = ("cut out", "left", "nothing", "left", "nothing", "cut out", "nothing", "left", "nothing", "nothing")
RUN = uuid4().hex[:8]


def name_of(number: int) -> str:
    return f"{RUN}-{number}.png"


def tasks_there(project: str) -> dict[str, str]:
    """Four of five jobs are of tasks that are there already; the others bring their picture."""
    asset = Asset.objects.filter(project=project).order_by("pk")[0]
    batch = Batch.objects.get(project=project, is_default=True)
    numbers = [number for number in range(JOBS) if number % 5]
    made = Task.objects.bulk_create(
        Task(project_id=project, batch=batch, asset=asset, name=name_of(number), status=Status.PENDING)
        for number in numbers
    )
    return {task.name: str(task.pk) for task in made}


@dataclass
class Done:
    """One job, as its client saw it."""

    number: int
    job_id: str
    answer: dict[str, Any]
    reply: bytes


def kept(number: int, boxes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the person keeps: one to cut out, all to be left as they are, or nothing."""
    match ENDS[number % len(ENDS)]:
        case "cut out":
            return boxes[:1]
        case "left":
            return [box | {"target_policy": "skip"} for box in boxes]
    return []


class Person:
    """Starts and answers its share of the jobs."""

    def __init__(self, fleet: Fleet, project: str, tasks: dict[str, str], started: Counter[str]) -> None:
        self.client = PatientClient(fleet.addresses, TOKEN)
        self.project = project
        self.tasks = tasks
        self.started = started

    def work(self, numbers: list[int]) -> list[Done]:
        done = []
        for first in range(0, len(numbers), AHEAD):
            some = numbers[first : first + AHEAD]
            begun = [(number, self.start(number)) for number in some]
            done += [self.answer(number, job_id) for number, job_id in begun]
        return done

    def start(self, number: int) -> str:
        name, request_id = name_of(number), str(uuid5(NAMESPACE_OID, name_of(number)))
        if name in self.tasks:
            request = {"json": {"task": self.tasks[name], "request_id": request_id}}
        else:
            request = {
                "data": {"project": self.project, "request_id": request_id},
                "files": {"image": (name, PICTURE, "image/png")},
            }
        answer = self.client.post("/api/v1/jobs", **request)
        assert answer.status_code == 202, answer.text
        if number % 10 == 0:
            assert self.client.post("/api/v1/jobs", **request).content == answer.content
        self.started["jobs"] += 1
        return str(answer.json()["job_id"])

    def answer(self, number: int, job_id: str) -> Done:
        now = jobs.wait_for_status(self.client, job_id, "WAITING_USER_SELECTION", seconds=90, every=0.5)
        body = jobs.answer_body(now, kept(number, now["box_list"]["boxes"]))
        answer = self.client.post(f"/api/v1/jobs/{job_id}/interventions", json=body)
        assert answer.status_code == 200, answer.text
        return Done(number, job_id, body, answer.content)


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_nine_hundred_jobs_while_postgres_restarts_six_times(fleet: Fleet, anna: PatientClient) -> None:
    began = time.monotonic()
    project, started = jobs.project_id(anna), Counter()
    tasks = tasks_there(project)
    people = [Person(fleet, project, tasks, started) for _ in range(CLIENTS)]
    with ThreadPoolExecutor(CLIENTS) as pool:
        shares = [pool.submit(person.work, list(range(n, JOBS, CLIENTS))) for n, person in enumerate(people)]
        for restart in range(1, RESTARTS + 1):
            wait_for_share(shares, started, restart * JOBS // (RESTARTS + 1))
            fleet.restart_postgres()
            print("restart", restart, time.monotonic() - began)
        done = [one for share in shares for one in share.result()]
    print("answered", time.monotonic() - began)
    troubles = Counter(trouble for person in people for trouble in person.client.troubles)
    print(troubles)
    assert troubles, "nobody noticed a restart"
    jobs_of_this = Job.objects.filter(task__name__startswith=RUN)
    fleet.wait_for(
        lambda: not jobs_of_this.exclude(status__in=TERMINAL).exists() and violations(is_quiet=True) == [],
        "the jobs have not ended",
        120,
    )
    print("ended", time.monotonic() - began)
    check(done)


def wait_for_share(shares: list[Future[list[Done]]], started: Counter[str], number: int) -> None:
    """Until that many jobs were started, or somebody has failed."""
    while started["jobs"] < number:
        for share in shares:
            if share.done():
                share.result()
        threading.Event().wait(0.02)


def check(done: list[Done]) -> None:
    by_id = {one.job_id: one for one in done}
    assert len(by_id) == JOBS
    assert Task.objects.filter(name__startswith=RUN).count() == JOBS
    found = {str(job.pk): job for job in Job.objects.filter(task__name__startswith=RUN)}
    assert set(found) == set(by_id)
    expected = {"cut out": "SUCCEEDED", "left": "SUCCEEDED", "nothing": "EMPTY_SELECTION"}
    assert {pk: job.status for pk, job in found.items()} == {
        one.job_id: expected[ENDS[one.number % len(ENDS)]] for one in done
    }
    given = Intervention.objects.filter(job__in=found).values_list("job_id", "intervention_id")
    assert sorted((str(job), key) for job, key in given) == sorted(
        (one.job_id, one.answer["intervention_id"]) for one in done
    )
    stored = IdempotentRequest.objects.filter(scope__in=[f"job:{pk}" for pk in found])
    assert {each.scope: bytes(each.reply) for each in stored} == {
        f"job:{one.job_id}": one.reply for one in done
    }
    effects = Counter(
        NodeRun.objects.filter(job__in=found, status=RunStatus.SUCCEEDED, is_background=False).values_list(
            "job_id", "node_type"
        )
    )
    assert set(effects.values()) == {1}
    once = {
        NodeType.DETECT_SUBJECTS: JOBS,
        NodeType.PROCESS_APPROVED_BOX_LIST: JOBS // 5,
        NodeType.SEGMENT_SUBJECT: JOBS // 5,
        NodeType.QUALITY_GATE_SUBJECT: JOBS // 5,
    }
    assert Counter(node_type for _, node_type in effects) == once
    assert OutboxMessage.objects.filter(dead_at__isnull=False).count() == 0
