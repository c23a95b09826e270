"""The first seed's acceptance list, in its order, in the running product: the page and the API beside it.

Its smoke test has two shoes to keep and a hand to leave out; here it is a cup to keep, a table to leave out.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser import work
from tests.browser.people import at_work, open_task, session
from tests.realtime.event_source import EventSource
from tests.support import jobs
from tests.support.live_stack import LiveStack

ASKED = "Check the boxes the model found"
#: What would let a clock answer for a person.
DEADLINES = {"timeout_at", "timeout_seconds", "auto_submit_on_timeout", "expires_at"}
FORGED = """
from review.operations.receive_report import receive_report
from review.models import NodeRun
run = NodeRun.objects.get(job_id="{job}", node_type="DETECT_SUBJECTS")
found = {{"boxes": [{{"label": "cup", "bbox": [10, 10, 90, 90], "score": 0.9}}], "warnings": []}}
print(receive_report(run_id=run.pk, attempt=run.attempt + 1, report=found))
"""


@contextmanager
def nothing_is_dispatched(stack: LiveStack) -> Iterator[None]:
    """The relay is stopped, so that a job stays where it is while one looks."""
    pid = stack.kill("relay", signal.SIGSTOP)
    try:
        yield
    finally:
        stack.kill("relay", signal.SIGCONT)
        assert stack.pid("relay") == pid


def start(client: httpx.Client, task: str) -> str:
    answer = client.post("/api/v1/jobs", json={"task": task, "request_id": str(uuid4())})
    assert (answer.status_code, answer.json()["accepted"]) == (202, True), answer.text
    return str(answer.json()["job_id"])


def count(stack: LiveStack, query: str, job: str) -> int:
    with stack.database() as database:
        row = database.execute(query, [job]).fetchone()
    assert row is not None
    return int(row[0])


def post(client: httpx.Client, job: str, answer: dict[str, Any]) -> httpx.Response:
    return client.post(f"/api/v1/jobs/{job}/interventions", json=answer)


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_the_ten_steps(live_stack: LiveStack, browser: Any) -> None:
    api = session(live_stack, "anna")
    task = work.new_task(live_stack, "shoes.png")
    page = at_work(browser, live_stack, "anna", task)

    # 1. Asked at once, the job detects; the page says so in words.
    with nothing_is_dispatched(live_stack):
        page.get_by_test_id("run-detection").click()
        expect(page.get_by_test_id("state-bar")).to_contain_text("The model looks for objects")
        job = str(api.get(f"/api/v1/tasks/{task}").json()["job"]["job_id"])
        assert jobs.job(api, job)["status"] == "DETECTING"
        stream = api.stream("GET", f"/api/v1/jobs/{job}/events", timeout=30)
        events = EventSource(stream.__enter__())

    # 2. The report has landed: a pause, WAITING, without a deadline; the panel is there by itself.
    expect(page.get_by_test_id("state-bar")).to_contain_text(ASKED, timeout=60_000)
    asked = jobs.job(api, job)
    assert asked["active_pause"]["status"] == "WAITING"
    assert not DEADLINES & set(asked["active_pause"])
    with live_stack.database() as database:
        columns = database.execute("SELECT * FROM pauses LIMIT 0").description or []
    assert not [c.name for c in columns if "timeout" in c.name or "expire" in c.name or "deadline" in c.name]

    # 3. The stream tells of the wait.
    told = next(block for block in events.events() if block.event == "pause.created")
    assert told.data is not None
    assert told.data["job_id"] == job
    stream.__exit__(None, None, None)

    # 4. A query brings the whole list back, and the page shows the same.
    labels = [box["label"] for box in asked["box_list"]["boxes"]]
    assert sorted(labels) == ["cup", "dining table"]
    expect(page.get_by_test_id("box-item")).to_have_count(2)

    # 5. The API process is killed and comes back: the same token, in the API and in a new page.
    old_pid = live_stack.kill("web")
    live_stack.wait_restarted("web", old_pid)
    live_stack.wait_ready()
    again = jobs.job(api, job)
    assert (again["active_pause"], again["box_list"]) == (asked["active_pause"], asked["box_list"])
    open_task(page, task)
    expect(page.get_by_test_id("state-bar")).to_contain_text(ASKED)
    # A second tab that will hear of nothing: its line is cut.
    deaf = page.context.new_page()
    deaf.route_web_socket("**/ws/**", lambda _: None)
    open_task(deaf, task)
    expect(deaf.get_by_test_id("box-item")).to_have_count(2)

    # 6. Only the cup is kept: the pause is consumed, the job goes on.
    page.get_by_test_id("box-item").filter(has_text="dining table").click()
    page.keyboard.press("Delete")
    with page.expect_response(lambda response: "/interventions" in response.url) as sent:
        page.get_by_test_id("answer").click()
    expect(page.get_by_test_id("answer")).to_have_count(0)
    answer = sent.value.request.post_data_json
    assert [box["label"] for box in answer["subjects"]] == ["cup"]
    assert (sent.value.status, sent.value.json()["outcome"]) == (200, "PROCESSING")
    consumed = "SELECT count(*) FROM pauses WHERE job_id = %s AND status = 'CONSUMED'"
    assert count(live_stack, consumed, job) == 1
    assert jobs.job(api, job)["status"] not in {"DETECTING", "WAITING_USER_SELECTION"}

    # 7. The same id again: the same reply, byte for byte, and no second next step.
    repeated = post(api, job, answer)
    assert (repeated.status_code, repeated.content) == (200, sent.value.body())
    dispatched = (
        "SELECT count(*) FROM node_runs WHERE job_id = %s AND node_type = 'PROCESS_APPROVED_BOX_LIST'"
    )
    assert count(live_stack, dispatched, job) == 1

    # 8. Another id with the old token: 409 with what is now; the second tab is told, and its panel folds.
    refused = post(api, job, answer | {"intervention_id": str(uuid4())})
    assert (refused.status_code, refused.json()["code"]) == (409, "VERSION_CONFLICT")
    assert refused.json()["snapshot"]["version"] > answer["base_version"]
    with deaf.expect_response(lambda response: "/interventions" in response.url) as late:
        deaf.get_by_test_id("answer").click()
    assert (late.value.status, late.value.json()["code"]) == (409, "VERSION_CONFLICT")
    expect(deaf.get_by_test_id("answer")).to_have_count(0)
    expect(deaf.get_by_test_id("state-bar")).not_to_contain_text(ASKED)
    assert count(live_stack, dispatched, job) == 1
    deaf.close()

    # 9. Another job, nothing kept: EMPTY_SELECTION, which is no failure.
    empty_task = work.new_task(live_stack, "nothing.png")
    empty = start(api, empty_task)
    open_task(page, empty_task)
    expect(page.get_by_test_id("box-item")).to_have_count(2, timeout=60_000)
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.get_by_role("button", name="Nothing to cut out").click()
    expect(page.get_by_test_id("state-bar")).to_contain_text("nothing to cut out in this picture")
    ended = jobs.job(api, empty)
    assert (ended["status"], ended["failure"]) == ("EMPTY_SELECTION", None)
    assert api.get(f"/api/v1/jobs/{empty}/results").json()["items"] == []

    # 10. The scanner, run by hand, consumes nothing, however old the pause. Cancelled while it waits, then
    # a forged report of success: it stays cancelled.
    cancelled_task = work.new_task(live_stack, "cancelled.png")
    cancelled = start(api, cancelled_task)
    open_task(page, cancelled_task)
    expect(page.get_by_test_id("state-bar")).to_contain_text(ASKED, timeout=60_000)
    with live_stack.database() as database:
        database.execute("UPDATE pauses SET created_at = '2020-01-01' WHERE job_id = %s", [cancelled])
    live_stack.manage("sweep_pauses")
    assert jobs.job(api, cancelled)["active_pause"]["status"] == "WAITING"
    page.get_by_test_id("cancel").click()
    expect(page.get_by_test_id("state-bar")).to_contain_text("The job was cancelled")
    printed = live_stack.manage("shell", "-c", FORGED.format(job=cancelled))
    assert printed.strip().splitlines()[-1] == "IGNORED"
    assert jobs.job(api, cancelled)["status"] == "CANCELLED"
    late_answer = post(api, cancelled, answer | {"intervention_id": str(uuid4())})
    assert (late_answer.status_code, late_answer.json()["code"]) == (409, "JOB_CANCELLED")
    page.context.close()
