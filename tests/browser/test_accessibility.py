"""axe finds nothing serious on any page, light and dark."""

from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from review.pages.urls import urlpatterns as review_pages
from tasks.pages.urls import urlpatterns as tasks_pages
from tests.browser import work
from tests.browser.axe import findings
from tests.browser.people import VIEWPORT, let_in, session
from tests.browser.states import BOXES, THEMES, states, wear
from tests.support import jobs
from tests.support.live_stack import LiveStack

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]


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


@pytest.fixture(scope="module")
def in_review(live_stack: LiveStack) -> str:
    """A task that waits for a review, so that no list is empty; somebody holds another one."""
    task = work.task_with(live_stack, "to-be-looked-at.png", BOXES)
    work.hand_in(live_stack, task)
    held = work.new_task(live_stack, "held.png")
    claim = {"client_id": work.AWAY}
    session(live_stack, "anna").post(f"/api/v1/tasks/{held}/claim", json=claim).raise_for_status()
    return task


def test_pages(live_stack: LiveStack, browser: Any, in_review: str) -> None:
    olga = session(live_stack, "olga")
    context = browser.new_context(base_url=live_stack.base_url, viewport=VIEWPORT)
    page = context.new_page()
    found = {}

    def look_at(address: str) -> None:
        page.goto(address)
        for theme in THEMES:
            wear(page, theme)
            found[f"{address}, {theme}"] = findings(page)

    look_at("/login/")
    let_in(context, olga, live_stack.base_url)
    addresses = pages(olga, project_id=jobs.project_id(olga), task_id=in_review)
    assert {"/", "/projects/", "/settings/"} <= set(addresses)
    for address in addresses:
        look_at(address)
    context.close()
    assert {address: lines for address, lines in found.items() if lines} == {}


def test_workbench(live_stack: LiveStack, browser: Any) -> None:
    found = {}
    for name, page in states(live_stack, browser):
        for theme in THEMES:
            wear(page, theme)
            found[f"{name}, {theme}"] = findings(page)
    assert {state: lines for state, lines in found.items() if lines} == {}


@pytest.mark.parametrize(("chosen", "worn"), [("paper", "paper"), ("ink", "ink"), ("", "ink")])
def test_the_workbench_is_dark_unless_paper_was_chosen(
    live_stack: LiveStack, browser: Any, in_review: str, chosen: str, worn: str
) -> None:
    context = browser.new_context(base_url=live_stack.base_url, color_scheme="light")
    let_in(context, session(live_stack, "anna"), live_stack.base_url)
    context.add_cookies([{"name": "theme", "value": chosen, "url": live_stack.base_url}])
    page = context.new_page()
    page.goto(f"/tasks/{in_review}/")
    expect(page.locator("html")).to_have_attribute("data-theme", worn)
    context.close()
