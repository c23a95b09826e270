"""Two people on one task: the banner, the hand-over, the take-over from somebody whose network is gone."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.people import draw_box, person
from tests.support.live_stack import LiveStack

HELD = "You hold this task"


def task_of(stack: LiveStack, name: str) -> str:
    """The demo's task on that picture."""
    tasks = stack.login("anna").get("/api/v1/tasks").json()["items"]
    return str(next(task["id"] for task in tasks if task["name"] == name))


def draft_items(stack: LiveStack, task_id: str) -> list[dict[str, Any]]:
    """What the server has of the draft."""
    with stack.database() as database:
        row = database.execute("SELECT items FROM drafts WHERE task_id = %s", [task_id]).fetchone()
    return row[0] if row else []


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_banner_and_release_when_the_page_closes(live_stack: LiveStack, browser: Any) -> None:
    address = f"/tasks/{task_of(live_stack, 'astronaut.png')}/"
    anna, abel = person(browser, live_stack, "anna"), person(browser, live_stack, "abel")
    for page in (anna, abel):
        page.goto(address)
        expect(page.get_by_test_id("start")).to_be_visible()

    anna.get_by_test_id("start").click()
    expect(anna.get_by_text(HELD)).to_be_visible()
    banner = abel.get_by_test_id("lock-banner")
    expect(banner).to_contain_text("Anna")
    expect(abel.get_by_text(HELD)).to_have_count(0)

    # Read-only: the tools say why they do nothing.
    expect(abel.get_by_test_id("tool-box")).to_be_disabled()
    assert "cannot change anything" in abel.get_by_test_id("tool-box").get_attribute("title")

    anna.close()
    expect(banner).to_have_count(0)
    expect(abel.get_by_test_id("start")).to_be_enabled()
    abel.context.close()


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_take_over_from_a_page_without_network(live_stack: LiveStack, browser: Any) -> None:
    task_id = task_of(live_stack, "chelsea.png")
    address = f"/tasks/{task_id}/"
    anna = person(browser, live_stack, "anna")
    anna.goto(address)
    anna.get_by_test_id("start").click()
    expect(anna.get_by_text(HELD)).to_be_visible()
    draw_box(anna, (60, 60), (160, 160))
    expect(anna.get_by_test_id("box-item")).to_have_count(1)
    live_stack.wait_for(lambda: len(draft_items(live_stack, task_id)) == 1, "the first box was not saved")

    # Her network goes; she draws on. Her lock's TTL is scaled down from 300 s.
    anna.context.set_offline(True)
    draw_box(anna, (200, 60), (300, 160))
    expect(anna.get_by_test_id("box-item")).to_have_count(2)
    with live_stack.database() as database:
        database.execute(
            "UPDATE task_locks SET ttl_seconds = 12, heartbeat_at = clock_timestamp(),"
            " expire_at = clock_timestamp() + interval '12 seconds' WHERE task_id = %s",
            [task_id],
        )

    abel = person(browser, live_stack, "abel")
    abel.goto(address)
    take_over = abel.get_by_test_id("take-over")
    expect(abel.get_by_test_id("lock-banner")).to_contain_text("Anna")
    expect(take_over).to_be_enabled(timeout=20_000)
    take_over.click()
    expect(abel.get_by_text(HELD)).to_be_visible()
    expect(abel.get_by_test_id("box-item")).to_have_count(1)

    # She comes back: read-only, told who has it, and both of her boxes are still on her screen.
    anna.context.set_offline(False)
    expect(anna.get_by_test_id("lock-banner")).to_contain_text("Abel", timeout=30_000)
    expect(anna.get_by_text(HELD)).to_have_count(0)
    expect(anna.get_by_test_id("box-item")).to_have_count(2)
    assert len(draft_items(live_stack, task_id)) == 1, "a late save must not reach the draft"
    with live_stack.database() as database:
        actions = [
            row[0]
            for row in database.execute(
                "SELECT action FROM audit WHERE task_id = %s ORDER BY number", [task_id]
            )
        ]
    assert {"lock.takeover", "task.takeover"} & set(actions)
    for page in (anna, abel):
        page.context.close()
