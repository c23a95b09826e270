"""A project admin declares a default answer; it acts under an open page; a person is asked after all."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.people import at_work, person
from tests.browser.work import new_task
from tests.support import jobs
from tests.support.live_stack import LiveStack

PATIENCE_MS = 60_000


@pytest.fixture(scope="module")
def live_stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveStack]:
    """A server of its own: the policy answers for everybody in the project."""
    stack = LiveStack(tmp_path_factory.mktemp("policies") / "data")
    try:
        stack.start()
        yield stack
    finally:
        stack.stop()


def declare(page: Any, project: str) -> None:
    """The default answer "no box" after a minute; refused without a written authorisation."""
    page.goto(f"/projects/{project}/settings/")
    form = page.locator("form[aria-labelledby=policy-default]")
    expect(form).to_contain_text("Never declared: off")
    form.get_by_label("On", exact=True).check()
    form.get_by_label("After so many seconds without an answer").fill("60")
    form.get_by_label("The default answer").select_option("keep_none")
    form.get_by_role("button", name="Declare").click()
    expect(form).to_contain_text("Write who authorises this default")
    form.get_by_label("Authorised by whom").fill("Olga: test pictures, nothing is lost.")
    form.get_by_role("button", name="Declare").click()
    expect(form).to_contain_text("Version 1, declared by Olga Petrova")


def as_if_it_was_yesterday(stack: LiveStack) -> None:
    """The same terms as the next version, declared a day ago: what is asked from now on can be old enough."""
    with stack.database() as database:
        database.execute(
            "INSERT INTO project_policies (id, project_id, kind, version, is_on, calibration, below,"
            ' after_seconds, answer, "group", authorisation, created_by_id, created_at)'
            " SELECT gen_random_uuid(), project_id, kind, version + 1, is_on, calibration, below,"
            ' after_seconds, answer, "group", authorisation, created_by_id,'
            " created_at - interval '1 day' FROM project_policies"
        )


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_default_answer_and_a_person_after_all(live_stack: LiveStack, browser: Any) -> None:
    anna = live_stack.login("anna")
    olga = person(browser, live_stack, "olga")
    declare(olga, jobs.project_id(anna))
    as_if_it_was_yesterday(live_stack)
    task = new_task(live_stack, "unanswered.png")
    page = at_work(browser, live_stack, "anna", task)
    page.get_by_test_id("run-detection").click()
    bar = page.get_by_test_id("state-bar")
    expect(bar).to_contain_text("If nobody answers within one minute", timeout=PATIENCE_MS)
    old = anna.get(f"/api/v1/tasks/{task}").json()["job"]["job_id"]
    assert "0 pauses touched" in live_stack.manage("sweep_pauses")
    with live_stack.database() as database:
        database.execute(
            "UPDATE pauses SET created_at = created_at - interval '61 seconds' WHERE job_id = %s", [old]
        )
    assert "1 answered by default" in live_stack.manage("sweep_pauses")

    # The open page is told: the panel folds, and says whose decision it was.
    note = page.get_by_test_id("policy-note")
    expect(note).to_contain_text("timeout_default@2")
    expect(page.get_by_test_id("answer")).to_have_count(0)
    ended = jobs.job(anna, old)
    assert ended["status"] == "EMPTY_SELECTION"

    page.get_by_test_id("compensate").click()
    expect(bar).to_contain_text("there is no time limit", timeout=PATIENCE_MS)
    expect(note).to_have_count(0)
    new = jobs.job(anna, anna.get(f"/api/v1/tasks/{task}").json()["job"]["job_id"])
    assert (new["compensates"], new["status"]) == (old, "WAITING_USER_SELECTION")
    assert jobs.job(anna, old) == ended
    assert "0 pauses touched" in live_stack.manage("sweep_pauses")
