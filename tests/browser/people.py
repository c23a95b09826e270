"""Several people in several browsers on one task."""

from typing import Any

from tests.support.live_stack import PASSWORD, LiveStack

VIEWPORT = {"width": 1360, "height": 860}


def sign_in(page: Any, username: str) -> None:
    """Through the form, as a person does."""
    page.goto("/login/")
    page.fill("input[name=username]", username)
    page.fill("input[name=password]", PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "/login" not in url)


def person(browser: Any, stack: LiveStack, username: str) -> Any:
    """A page of that person's own browser, signed in."""
    context = browser.new_context(base_url=stack.base_url, viewport=VIEWPORT)
    context.set_default_timeout(15_000)
    page = context.new_page()
    sign_in(page, username)
    return page


def drag(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag from one place of the picture to another, in its pixels."""
    here, there = (
        page.evaluate("([x, y]) => window.__workbench.toScreen(x, y)", list(at)) for at in (start, end)
    )
    page.mouse.move(here["x"], here["y"])
    page.mouse.down()
    page.mouse.move((here["x"] + there["x"]) / 2, (here["y"] + there["y"]) / 2, steps=4)
    page.mouse.move(there["x"], there["y"], steps=4)
    page.mouse.up()


def draw_box(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    """With the box tool."""
    page.get_by_test_id("tool-box").click()
    drag(page, start, end)
