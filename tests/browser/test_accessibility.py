"""axe finds nothing serious on any page, light and dark."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from review.pages.urls import urlpatterns as review_pages
from tasks.pages.urls import urlpatterns as tasks_pages
from tests.browser import work
from tests.browser.axe import findings
from tests.browser.people import VIEWPORT, at_work, let_in, rename
from tests.support import jobs
from tests.support.live_stack import LiveStack

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]
BOXES = (("cup", (160.0, 20.0, 420.0, 310.0)), ("spoon", (312.0, 228.0, 404.0, 318.0)))
THEMES = ("paper", "ink")


def pages(client: httpx.Client, **ids: str) -> list[str]:
    """Every address of the pages that shows one; the workbench has a test of its own."""
    routes = [str(route.pattern) for route in (*tasks_pages, *review_pages)]
    routes.remove("tasks/<uuid:task_id>/")
    for name, value in ids.items():
        routes = [route.replace(f"<uuid:{name}>", value) for route in routes]
    return [
        f"/{route}"
        for route in routes
        if "<" not in route
        and (answer := client.get(f"/{route}")).status_code == 200
        and answer.headers["content-type"].startswith("text/html")
    ]


def wear(context: Any, stack: LiveStack, theme: str) -> None:
    """As chosen on the settings page."""
    context.add_cookies([{"name": "theme", "value": theme, "url": stack.base_url}])


@pytest.fixture(scope="module")
def in_review(live_stack: LiveStack) -> str:
    """A task that waits for a review, so that no list is empty; somebody holds another one."""
    task = work.task_with(live_stack, "to-be-looked-at.png", BOXES)
    anna = live_stack.login("anna")
    anna.put(f"/api/v1/tasks/{task}/lock", json={"client_id": "axe"}).raise_for_status()
    versions = anna.get(f"/api/v1/tasks/{task}/editor").json()
    confirm = {
        "expected_draft_version": versions["draft"]["version"],
        "expected_config_version": versions["config"]["version"],
    }
    anna.post(f"/api/v1/tasks/{task}/confirm", json=confirm).raise_for_status()
    anna.post(f"/api/v1/tasks/{task}/submit", json={}).raise_for_status()
    held = work.new_task(live_stack, "held.png")
    anna.post(f"/api/v1/tasks/{held}/claim", json={"client_id": "axe"}).raise_for_status()
    return task


@pytest.mark.parametrize("theme", THEMES)
def test_pages(live_stack: LiveStack, browser: Any, in_review: str, theme: str) -> None:
    olga = live_stack.login("olga")
    context = browser.new_context(base_url=live_stack.base_url, viewport=VIEWPORT)
    let_in(context, olga, live_stack.base_url)
    wear(context, live_stack, theme)
    page = context.new_page()
    found = {}
    addresses = pages(olga, project_id=jobs.project_id(olga), task_id=in_review)
    assert {"/", "/projects/", "/settings/"} <= set(addresses)
    for address in addresses:
        page.goto(address)
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        found[address] = findings(page)
    context.clear_cookies()
    wear(context, live_stack, theme)
    page.goto("/login/")
    found["/login/"] = findings(page)
    context.close()
    assert {address: lines for address, lines in found.items() if lines} == {}


def states(page: Any, stack: LiveStack, task: str) -> Iterator[str]:
    """The workbench in one state after another; its name, when it is there."""
    page.get_by_test_id("box-item").first.click()
    yield "an item is selected"
    page.keyboard.press("a")
    page.get_by_role("button", name="Filter").click()
    yield "brightness and filter are open"
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keyboard").wait_for()
    yield "the table of keys"
    page.keyboard.press("Escape")
    page.context.set_offline(True)
    rename(page, "cup", "mug")
    expect(page.get_by_test_id("save-state")).to_contain_text("Offline")
    yield "offline"
    work.lock_goes_stale(stack, task)
    abel = stack.login("abel")
    abel.put(f"/api/v1/tasks/{task}/lock", json={"client_id": work.AWAY}).raise_for_status()
    page.context.set_offline(False)
    expect(page.get_by_test_id("lock-banner")).to_contain_text("Abel Okoye holds this task", timeout=30_000)
    yield "lost to somebody else"
    items = work.draft(stack, task)[1]
    work.save_and_leave(abel, task, [items[0] | {"label": "beaker"}, *items[1:]])
    page.get_by_role("button", name="Take it again").click()
    page.get_by_role("dialog", name="Which version holds?").wait_for()
    yield "a conflict"


@pytest.mark.parametrize("theme", THEMES)
def test_workbench(live_stack: LiveStack, browser: Any, theme: str) -> None:
    task = work.task_with(live_stack, f"{theme}.png", BOXES)
    page = at_work(browser, live_stack, "anna", task)
    wear(page.context, live_stack, theme)
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", theme)
    expect(page.get_by_text("You hold this task")).to_be_visible()
    found = {state: findings(page) for state in states(page, live_stack, task)}
    page.context.close()

    asked = work.new_task(live_stack, f"{theme}-asked.png")
    page = at_work(browser, live_stack, "anna", asked)
    wear(page.context, live_stack, theme)
    page.reload()
    page.get_by_test_id("run-detection").click()
    page.get_by_test_id("answer").wait_for(timeout=60_000)
    page.get_by_test_id("box-item").first.click()
    found["the job waits for an answer"] = findings(page)
    page.get_by_test_id("answer").click()
    expect(page.get_by_test_id("state-bar")).to_contain_text("cut-outs are ready", timeout=120_000)
    expect(page.get_by_test_id("result-item").first).to_be_visible()
    found["the results"] = findings(page)
    page.context.close()
    assert {state: lines for state, lines in found.items() if lines} == {}
