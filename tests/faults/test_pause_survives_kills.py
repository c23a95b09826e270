"""Web, worker and PostgreSQL are killed while a person is asked: the same question is still there."""

from typing import Any

import httpx
import pytest

from tests.support import jobs
from tests.support.live_stack import LiveStack


def question(client: httpx.Client, job_id: str) -> tuple[Any, ...]:
    """What must not change while nobody answers."""
    now = jobs.job(client, job_id)
    pause = now["active_pause"]
    return now["status"], now["version"], pause["pause_token"], pause["base_version"], now["box_list"]


@pytest.mark.slow
def test_same_token_and_boxes_after_each_kill(live_stack: LiveStack) -> None:
    client = live_stack.login("anna")
    job_id = jobs.start_job(client, jobs.picture(live_stack, "coffee.png"))
    waiting = jobs.wait_for_status(client, job_id, "WAITING_USER_SELECTION")
    assert {box["label"] for box in waiting["box_list"]["boxes"]} >= {"cup", "dining table"}
    asked = question(client, job_id)

    for name in ("web", "worker", "postgres"):
        pid = live_stack.kill(name)
        live_stack.wait_restarted(name, pid)
        live_stack.wait_ready()
        assert question(client, job_id) == asked, f"after the kill of {name}"

    cup = next(box for box in waiting["box_list"]["boxes"] if box["label"] == "cup")
    body = jobs.answer_body(waiting, [cup])
    first = client.post(f"/api/v1/jobs/{job_id}/interventions", json=body)
    assert first.status_code == 200, first.text
    again = client.post(f"/api/v1/jobs/{job_id}/interventions", json=body)
    assert (again.status_code, again.content) == (200, first.content)
    jobs.wait_for_status(client, job_id, "SUCCEEDED", seconds=90)
    runs = live_stack.database().execute(
        "SELECT count(*) FROM node_runs WHERE job_id = %s AND node_type = 'PROCESS_APPROVED_BOX_LIST'",
        [job_id],
    )
    assert runs.fetchone() == (1,)


@pytest.mark.slow
def test_worker_killed_in_the_middle_of_a_job_goes_on(live_stack: LiveStack) -> None:
    client = live_stack.login("anna")
    job_id = jobs.start_job(client, jobs.picture(live_stack, "chelsea.png"))
    pid = live_stack.kill("worker")
    live_stack.wait_restarted("worker", pid)
    now = jobs.wait_for_status(client, job_id, "WAITING_USER_SELECTION", seconds=100)
    assert [box["label"] for box in now["box_list"]["boxes"]] == ["cat"]
