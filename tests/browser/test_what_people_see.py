"""A page says what happened, and offers nobody what they may not do."""

from typing import Any

from playwright.sync_api import expect

from tests.browser.people import at_work, person
from tests.browser.work import new_task
from tests.support import jobs
from tests.support.live_stack import LiveStack


def test_saved_settings_say_so(live_stack: LiveStack, browser: Any) -> None:
    page = person(browser, live_stack, "olga")
    page.goto(f"/projects/{jobs.project_id(live_stack.login('olga'))}/settings/")
    expect(page.get_by_text("Saved.")).to_be_hidden()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Saved.")).to_be_hidden()


def test_a_long_name_widens_no_page(live_stack: LiveStack, browser: Any) -> None:
    new_task(live_stack, f"{'a-very-long-name-' * 11}.png")
    page = person(browser, live_stack, "olga")
    page.goto(f"/projects/{jobs.project_id(live_stack.login('olga'))}/")
    expect(page.locator("#recent")).to_contain_text("a-very-long-name")
    assert page.evaluate("document.documentElement.scrollWidth === innerWidth")


def test_a_viewer_is_told_and_not_shown_dead_buttons(live_stack: LiveStack, browser: Any) -> None:
    page = at_work(browser, live_stack, "vera", new_task(live_stack, "for-vera.png"))
    side = page.get_by_test_id("side")
    expect(side).to_contain_text("Your role in this project is to look.")
    expect(side.get_by_test_id("start")).to_have_count(0)
    expect(side.get_by_test_id("run-detection")).to_have_count(0)
