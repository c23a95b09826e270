"""Two people on one task: the banner, the hand-over, the take-over from somebody whose network is gone."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser import work
from tests.browser.people import at_work, draw_box, open_task, session
from tests.support.live_stack import LiveStack

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]
HELD = "You hold this task"
#: The product's own limits, from the event on: what a wait for them may take.
BANNER_MS = 1_000
FREE_MS = 2_000
#: A lock's TTL, scaled down from 300 s.
TTL_SECONDS = 8


def test_banner_and_release_when_the_page_closes(live_stack: LiveStack, browser: Any) -> None:
    task = work.new_task(live_stack, "handed-over.png")
    anna, abel = (at_work(browser, live_stack, name, task) for name in ("anna", "abel"))
    for page in (anna, abel):
        expect(page.get_by_test_id("start")).to_be_visible()
        expect(page.get_by_text("live", exact=True)).to_be_visible()

    banner = abel.get_by_test_id("lock-banner")
    anna.get_by_test_id("start").click()
    expect(banner).to_contain_text("Anna Weber works on this task", timeout=BANNER_MS)
    expect(anna.get_by_text(HELD)).to_be_visible()
    expect(abel.get_by_text(HELD)).to_have_count(0)

    # Read-only: the tools say why they do nothing.
    expect(abel.get_by_test_id("tool-box")).to_be_disabled()
    assert "cannot change anything" in abel.get_by_test_id("tool-box").get_attribute("title")

    anna.close()
    expect(banner).to_have_count(0, timeout=FREE_MS)
    expect(abel.get_by_test_id("start")).to_be_enabled()
    abel.context.close()


def test_a_claim_while_the_second_page_still_connects(live_stack: LiveStack, browser: Any) -> None:
    task = work.new_task(live_stack, "late-line.png")
    anna, abel = (at_work(browser, live_stack, name, task) for name in ("anna", "abel"))
    lines: list[Any] = []
    abel.route_web_socket("**/ws/**", lambda line: lines.append(line))
    open_task(abel, task)
    expect(abel.get_by_test_id("start")).to_be_visible()
    anna.get_by_test_id("start").click()
    expect(anna.get_by_text(HELD)).to_be_visible()
    # He has read the task before the claim, and his line begins after it: no event will tell.
    for line in lines:
        line.connect_to_server()
    expect(abel.get_by_test_id("lock-banner")).to_contain_text("Anna Weber works on this task")
    for page in (anna, abel):
        page.context.close()


def test_take_over_from_a_page_without_network(live_stack: LiveStack, browser: Any) -> None:
    task = work.new_task(live_stack, "cut-off.png")
    anna = at_work(browser, live_stack, "anna", task)
    anna.get_by_test_id("start").click()
    expect(anna.get_by_text(HELD)).to_be_visible()
    draw_box(anna, (60, 60), (160, 160))
    live_stack.wait_for(lambda: work.labels(live_stack, task) == [None], "the first box was not saved")

    # Her network goes; she draws on.
    anna.context.set_offline(True)
    draw_box(anna, (200, 60), (300, 160))
    expect(anna.get_by_test_id("box-item")).to_have_count(2)
    with live_stack.database() as database:
        database.execute(
            "UPDATE task_locks SET ttl_seconds = %s, heartbeat_at = clock_timestamp(),"
            " expire_at = clock_timestamp() + make_interval(secs => %s) WHERE task_id = %s",
            [TTL_SECONDS, TTL_SECONDS, task],
        )

    # Before half of the TTL she is taken to be there, by the page and by the server.
    abel = at_work(browser, live_stack, "abel", task)
    take_over = abel.get_by_test_id("take-over")
    expect(abel.get_by_test_id("lock-banner")).to_contain_text("Anna Weber")
    expect(take_over).to_be_disabled()
    assert "Wait until the countdown ends" in take_over.get_attribute("title")
    refused = session(live_stack, "abel").put(
        f"/api/v1/tasks/{task}/lock", json={"client_id": "another page"}
    )
    assert (refused.status_code, refused.json()["code"]) == (409, "LOCK_HELD")
    # After it he may, and before the lock would expire.
    expect(take_over).to_be_enabled(timeout=TTL_SECONDS * 1000 // 2 + BANNER_MS)
    take_over.click()
    expect(abel.get_by_text(HELD)).to_be_visible()
    expect(abel.get_by_test_id("box-item")).to_have_count(1)

    # She comes back: read-only, told who has it, and both of her boxes are still on her screen.
    anna.context.set_offline(False)
    expect(anna.get_by_test_id("lock-banner")).to_contain_text("Abel Okoye holds this task", timeout=30_000)
    expect(anna.get_by_test_id("lock-banner")).to_contain_text("Your edit is kept in this browser")
    expect(anna.get_by_test_id("take-over")).to_be_disabled()
    expect(anna.get_by_text(HELD)).to_have_count(0)
    expect(anna.get_by_test_id("tool-box")).to_be_disabled()
    expect(anna.get_by_test_id("box-item")).to_have_count(2)
    assert work.labels(live_stack, task) == [None], "a late save must not reach the draft"
    actions = work.audited(live_stack, task)
    assert "lock.takeover" in actions
    assert "task.takeover" in actions
    for page in (anna, abel):
        page.context.close()
