"""Who ended somebody's lock, when and why; what holds for who looks on."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser import work
from tests.browser.axe import in_both_themes
from tests.browser.people import at_work, rename, session
from tests.browser.states import BOXES
from tests.support import jobs
from tests.support.live_stack import LiveStack

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]
HELD = "You hold this task"


def test_an_admin_ends_the_lock(live_stack: LiveStack, browser: Any) -> None:
    task = work.task_with(live_stack, "released.png", BOXES)
    anna = at_work(browser, live_stack, "anna", task)
    expect(anna.get_by_text(HELD)).to_be_visible()
    olga = session(live_stack, "olga")
    where = f"/api/v1/projects/{jobs.project_id(olga)}/locks/{task}"
    olga.request("DELETE", where, json={"reason": "Needed for the demo"}).raise_for_status()

    banner = anna.get_by_test_id("lock-banner")
    expect(banner).to_contain_text(
        re.compile(r"Olga Petrova ended your hold on this task at \d\d:\d\d: “Needed for the demo”")
    )
    expect(banner).to_contain_text("Nobody holds it now.")
    expect(banner).to_contain_text("Everything you did was saved.")
    expect(anna.get_by_test_id("tool-box")).to_be_disabled()

    assert in_both_themes(anna) == []

    # Somebody else takes it up: both are said. Then it is hers again, and all of it is gone.
    abel = session(live_stack, "abel")
    abel.post(f"/api/v1/tasks/{task}/claim", json={"client_id": work.AWAY}).raise_for_status()
    expect(banner).to_contain_text("Abel Okoye holds this task now")
    expect(banner).to_contain_text("Olga Petrova ended your hold")
    abel.delete(f"/api/v1/tasks/{task}/lock", params={"client_id": work.AWAY}).raise_for_status()
    anna.get_by_test_id("take-over").click()
    expect(anna.get_by_text(HELD)).to_be_visible()
    expect(banner).to_have_count(0)
    anna.context.close()


def test_a_hold_that_stops_the_work_is_told_with_its_reason(live_stack: LiveStack, browser: Any) -> None:
    project, _ = work.demo_batch(live_stack)
    where = (project, work.open_batch(live_stack, project, "To be held"))
    task = work.task_with(live_stack, "held-up.png", BOXES, where=where)
    anna = at_work(browser, live_stack, "anna", task)
    expect(anna.get_by_text(HELD)).to_be_visible()
    anna.context.set_offline(True)
    rename(anna, "cup", "mug")
    expect(anna.get_by_test_id("save-state")).to_contain_text("Offline: one edit waits")
    hold = {"reason": "The pictures are exchanged", "release_locks": True}
    session(live_stack, "olga").post(f"/api/v1/batches/{where[1]}/hold", json=hold).raise_for_status()
    anna.context.set_offline(False)

    banner = anna.get_by_test_id("lock-banner")
    expect(banner).to_contain_text("Olga Petrova ended your hold on this task", timeout=30_000)
    expect(banner).to_contain_text("The pictures are exchanged")
    expect(banner).to_contain_text("Your edit is kept in this browser")
    # It cannot be taken again while the hold lasts, and that is said too.
    anna.get_by_test_id("take-over").click()
    expect(anna.get_by_test_id("notice").filter(has_text="is on hold")).to_be_visible()
    session(live_stack, "olga").post(f"/api/v1/batches/{where[1]}/release", json={}).raise_for_status()
    anna.context.close()


def test_what_ran_out_by_itself_was_ended_by_nobody(live_stack: LiveStack, browser: Any) -> None:
    task = work.task_with(live_stack, "ran-out.png", BOXES)
    anna = at_work(browser, live_stack, "anna", task)
    expect(anna.get_by_text(HELD)).to_be_visible()
    # Her line has begun: from here on only an event tells, and the next beat is far.
    with anna.expect_websocket() as line:
        anna.reload()
    line.value.wait_for_event("framereceived", lambda frame: '"snapshot"' in str(frame))
    expect(anna.get_by_text(HELD)).to_be_visible()
    with live_stack.database() as database:
        database.execute(
            "UPDATE task_locks SET heartbeat_at = clock_timestamp() - interval '10 minutes',"
            " expire_at = clock_timestamp() - interval '5 minutes' WHERE task_id = %s",
            [task],
        )
    olga = session(live_stack, "olga")
    where = f"/api/v1/projects/{jobs.project_id(olga)}/locks/{task}"
    olga.request("DELETE", where, json={"reason": "Nobody is there"}).raise_for_status()
    banner = anna.get_by_test_id("lock-banner")
    expect(banner).to_contain_text(re.compile(r"Your hold on this task ran out at \d\d:\d\d"))
    expect(banner).not_to_contain_text("Olga")
    anna.context.close()


def test_a_viewer_is_promised_nothing(live_stack: LiveStack, browser: Any) -> None:
    task = work.task_with(live_stack, "looked-at.png", BOXES)
    work.hand_in(live_stack, task)
    vera = at_work(browser, live_stack, "vera", task)
    rita = session(live_stack, "rita")
    rita.post(f"/api/v1/tasks/{task}/review-claim", json={"client_id": work.AWAY}).raise_for_status()
    banner = vera.get_by_test_id("lock-banner")
    expect(banner).to_contain_text("in your role you change nothing here")
    expect(banner).not_to_contain_text("take it back")
    anna = at_work(browser, live_stack, "anna", task)
    expect(anna.get_by_test_id("lock-banner")).to_contain_text("While somebody reviews it you cannot")
    for page in (vera, anna):
        page.context.close()


def test_a_reopened_task_says_why(live_stack: LiveStack, browser: Any) -> None:
    task = work.task_with(live_stack, "again.png", BOXES)
    work.hand_in(live_stack, task)
    rita, olga = session(live_stack, "rita"), session(live_stack, "olga")
    rita.post(f"/api/v1/tasks/{task}/review-claim", json={"client_id": work.AWAY}).raise_for_status()
    approval = {"annotation_revision": 1}
    rita.post(f"/api/v1/tasks/{task}/approve", json=approval).raise_for_status()
    anna = at_work(browser, live_stack, "anna", task)
    bar = anna.get_by_test_id("state-bar")
    expect(bar).to_contain_text("Approved")
    reason = {"reason": "The spoon's handle is missing."}
    olga.post(f"/api/v1/tasks/{task}/reopen", json=reason).raise_for_status()

    # At once on the open page, and whenever it is opened: by whom, when, and why.
    told = anna.get_by_test_id("reopened")
    for _ in range(2):
        expect(bar).to_contain_text("Olga Petrova reopened this task")
        expect(bar).to_contain_text("The spoon's handle is missing.")
        expect(told).to_contain_text(re.compile(r"Reopened by Olga Petrova, .*\d\d:\d\d"))
        expect(told).to_contain_text("The spoon's handle is missing.")
        anna.reload()
    assert in_both_themes(anna) == []
    anna.get_by_test_id("start").click()
    expect(anna.get_by_text(HELD)).to_be_visible()
    expect(told).to_be_visible()
    anna.context.close()
