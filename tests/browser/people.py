"""People in their own browsers, and what their hands do."""

from typing import Any
from weakref import WeakKeyDictionary

import httpx

from tests.support.live_stack import PASSWORD, LiveStack

VIEWPORT = {"width": 1360, "height": 860}
#: A machine with two busy cores is slow; what is awaited comes much sooner.
PATIENCE_MS = 15_000


_SESSIONS: WeakKeyDictionary[LiveStack, dict[str, httpx.Client]] = WeakKeyDictionary()


def session(stack: LiveStack, username: str) -> httpx.Client:
    """That person's session, the same for all who ask; who means to end one signs in for it."""
    known = _SESSIONS.setdefault(stack, {})
    if username not in known:
        known[username] = stack.login(username)
    return known[username]


def sign_in(page: Any, username: str) -> None:
    """Through the form, as a person does."""
    page.goto("/login/")
    page.fill("input[name=username]", username)
    page.fill("input[name=password]", PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "/login" not in url)


def newcomer(browser: Any, stack: LiveStack) -> Any:
    """A page of somebody's own browser, signed out."""
    context = browser.new_context(base_url=stack.base_url, viewport=VIEWPORT)
    context.set_default_timeout(PATIENCE_MS)
    return context.new_page()


def person(browser: Any, stack: LiveStack, username: str) -> Any:
    """A page of that person's own browser, signed in."""
    page = newcomer(browser, stack)
    sign_in(page, username)
    return page


def at_work(
    browser: Any,
    stack: LiveStack,
    username: str,
    task_id: str,
    *,
    base_url: str | None = None,
    client: httpx.Client | None = None,
) -> Any:
    """A page of that person's own browser on that task, in the session of `client`.

    `base_url`: where the browser finds the server, when not at its own address.
    """
    context = browser.new_context(base_url=base_url or stack.base_url, viewport=VIEWPORT)
    context.set_default_timeout(PATIENCE_MS)
    let_in(context, client or session(stack, username), base_url or stack.base_url)
    page = context.new_page()
    open_task(page, task_id)
    return page


def let_in(context: Any, client: Any, base_url: str) -> None:
    """Give the browser the session of a signed-in client."""
    context.add_cookies(
        [{"name": name, "value": value, "url": base_url} for name, value in client.cookies.items()]
    )


def open_task(page: Any, task_id: str) -> None:
    """The workbench on that task, ready to work."""
    page.goto(f"/tasks/{task_id}/")
    page.get_by_test_id("canvas").wait_for()


def at(page: Any, place: tuple[float, float]) -> tuple[float, float]:
    """Where a pixel of the picture is on the page."""
    found = page.evaluate("([x, y]) => window.__workbench.toScreen(x, y)", list(place))
    return found["x"], found["y"]


def drag(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag from one place of the picture to another, in its pixels."""
    here, there = at(page, start), at(page, end)
    page.mouse.move(*here)
    page.mouse.down()
    page.mouse.move((here[0] + there[0]) / 2, (here[1] + there[1]) / 2, steps=4)
    page.mouse.move(*there, steps=4)
    page.mouse.up()


def draw_box(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    """With the box tool."""
    page.get_by_test_id("tool-box").click()
    drag(page, start, end)


def rename(page: Any, old: str, new: str) -> None:
    """Choose the item in the list and write another label."""
    page.get_by_test_id("box-item").filter(has_text=old).click()
    page.get_by_test_id("label-input").fill(new)
    page.get_by_test_id("label-input").press("Enter")
