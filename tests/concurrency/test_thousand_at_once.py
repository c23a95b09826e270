"""A thousand answers to one pause in the same instant, over HTTP, on two web processes: one takes effect, and
nobody is told anything else (I3, I4)."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from review.models import Intervention, Job, NodeRun
from review.operations.dispatch_run import RUN_NODE
from review.queries.invariants import violations
from review.queries.job_body import job_body
from tasks.api.authentication import token_digest
from tasks.models import ApiToken, OutboxMessage
from tests.realtime.web_process import WebProcess
from tests.support.pipeline import House, a_house, answer_to, fresh, waiting
from tests.support.volley import Answer, at_once, post_request

pytestmark = pytest.mark.slow
MANY = 1000
TOKEN = "token-of-a-thousand"


@pytest.fixture
def webs(committed_db: str, valkey: str, tmp_path: Path) -> Iterator[list[str]]:
    """The addresses of two web processes."""
    processes = [WebProcess(tmp_path / f"web-{number}.log", database=committed_db) for number in (1, 2)]
    for process in processes:
        process.start()
    yield [process.base_url for process in processes]
    for process in processes:
        process.kill()


def asked() -> tuple[House, Job, dict[str, Any]]:
    """A job that waits for Anna, who has a token."""
    house = a_house()
    ApiToken.objects.create(digest=token_digest(TOKEN), user=house.anna, name="test")
    return house, *waiting(house)


def send_all(webs: list[str], job: Job, body: dict[str, Any], ids: list[str]) -> list[Answer]:
    """One answer that keeps everything, under each of the ids, all at once."""
    answer = answer_to(body, body["box_list"]["boxes"])
    path = f"/api/v1/jobs/{job.pk}/interventions"
    bodies = [answer.content() | {"intervention_id": each} for each in ids]
    return at_once(webs, [post_request(path, content, token=TOKEN) for content in bodies])


def check_one_effect(job: Job) -> None:
    """One intervention, one next run, one outbox row for it."""
    assert Intervention.objects.filter(job=job).count() == 1
    (run,) = NodeRun.objects.filter(job=job, node_type="PROCESS_APPROVED_BOX_LIST")
    assert OutboxMessage.objects.filter(kind=RUN_NODE, payload__run_id=str(run.pk)).count() == 1
    assert fresh(job).version == 3
    assert violations() == []


def test_one_id_a_thousand_times_is_one_effect_and_the_same_bytes(webs: list[str]) -> None:
    _, job, body = asked()
    answers = send_all(webs, job, body, [str(uuid4())] * MANY)
    assert Counter(answer.status for answer in answers) == {200: MANY}
    assert len({hashlib.sha256(answer.body).digest() for answer in answers}) == 1
    check_one_effect(job)


def test_a_thousand_ids_are_one_answer_and_999_refusals_with_the_job_as_it_is(webs: list[str]) -> None:
    _, job, body = asked()
    ids = [str(uuid4()) for _ in range(MANY)]
    answers = send_all(webs, job, body, ids)
    assert Counter(answer.status for answer in answers) == {200: 1, 409: MANY - 1}
    refused = [answer.json() for answer in answers if answer.status == 409]
    assert Counter(problem["code"] for problem in refused) == {"VERSION_CONFLICT": MANY - 1}
    now = job_body(job.pk)
    assert {problem["snapshot"]["version"] for problem in refused} == {now["version"]}
    assert {problem["snapshot"]["active_pause"] for problem in refused} == {None}
    winner = next(answer for answer in answers if answer.status == 200)
    assert Intervention.objects.get(job=job).intervention_id == winner.json()["intervention_id"]
    check_one_effect(job)
