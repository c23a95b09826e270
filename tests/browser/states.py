"""The workbench in every state that a person meets, one after the other: for axe and for pictures."""

from collections.abc import Iterator
from typing import Any

from playwright.sync_api import expect

from tests.browser import work
from tests.browser.people import at_work, draw_box, open_task, rename, session
from tests.support.live_stack import LiveStack

#: A state's name, and the page that is in it.
State = tuple[str, Any]
BOXES = (("cup", (160.0, 20.0, 420.0, 310.0)), ("spoon", (312.0, 228.0, 404.0, 318.0)))
SAVES = "**/api/v1/tasks/*/editor"
THEMES = ("paper", "ink")


def wear(page: Any, theme: str) -> None:
    """Show the page as it is for who chose that theme."""
    page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
    # Colours that change slowly are not waited for; what moves for ever has no end.
    page.evaluate(
        "() => document.getAnimations().forEach((one) => { try { one.finish() } catch { one.cancel() } })"
    )


def states(stack: LiveStack, browser: Any) -> Iterator[State]:
    """Each state, while its page is in it."""
    yield from looking(stack, browser)
    yield from editing(stack, browser)
    yield from losing(stack, browser)
    yield from recovering(stack, browser)
    yield from answering(stack, browser)
    yield from reviewing(stack, browser)


def looking(stack: LiveStack, browser: Any) -> Iterator[State]:
    """Nothing there yet; somebody else works on it."""
    task = work.new_task(stack, "coffee.png")
    abel = at_work(browser, stack, "abel", task)
    expect(abel.get_by_test_id("start")).to_be_visible()
    yield "empty", abel
    session(stack, "anna").post(
        f"/api/v1/tasks/{task}/claim", json={"client_id": work.AWAY}
    ).raise_for_status()
    expect(abel.get_by_test_id("lock-banner")).to_be_visible()
    yield "read-only", abel
    abel.context.close()


def editing(stack: LiveStack, browser: Any) -> Iterator[State]:
    """At work, with everything that opens beside it."""
    page = at_work(browser, stack, "anna", work.task_with(stack, "coffee.png", BOXES))
    expect(page.get_by_text("You hold this task")).to_be_visible()
    page.get_by_test_id("box-item").first.click()
    yield "editing", page
    page.keyboard.press("a")
    page.get_by_role("button", name="Filter").click()
    yield "brightness and filter", page
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keyboard").wait_for()
    yield "keys", page
    page.context.close()


def losing(stack: LiveStack, browser: Any) -> Iterator[State]:
    """The network goes, somebody takes over, both changed the same item."""
    task = work.task_with(stack, "coffee.png", BOXES)
    page = at_work(browser, stack, "anna", task)
    expect(page.get_by_text("You hold this task")).to_be_visible()
    page.context.set_offline(True)
    rename(page, "cup", "mug")
    expect(page.get_by_test_id("save-state")).to_contain_text("Offline")
    yield "offline", page
    work.lock_goes_stale(stack, task)
    abel = session(stack, "abel")
    abel.put(f"/api/v1/tasks/{task}/lock", json={"client_id": work.AWAY}).raise_for_status()
    page.context.set_offline(False)
    expect(page.get_by_test_id("lock-banner")).to_contain_text("Abel Okoye holds this task", timeout=30_000)
    yield "lost", page
    items = work.draft(stack, task)[1]
    work.save_and_leave(abel, task, [items[0] | {"label": "beaker"}, *items[1:]])
    page.get_by_role("button", name="Take it again").click()
    page.get_by_role("dialog", name="Which version holds?").wait_for()
    yield "conflict", page
    page.context.close()


def recovering(stack: LiveStack, browser: Any) -> Iterator[State]:
    """Another page of this browser left edits behind."""
    task = work.task_with(stack, "coffee.png", BOXES)
    page = at_work(browser, stack, "anna", task)
    page.route(SAVES, lambda route: route.abort() if route.request.method == "PUT" else route.continue_())
    rename(page, "cup", "mug")
    expect(page.get_by_test_id("save-state")).to_contain_text("Offline")
    page.close()
    again = page.context.new_page()
    open_task(again, task)
    again.get_by_role("dialog", name="Unsaved work found").wait_for()
    yield "recovery", again
    again.context.close()


def answering(stack: LiveStack, browser: Any) -> Iterator[State]:
    """The job waits, waits once more, and is done."""
    page = at_work(browser, stack, "anna", work.new_task(stack, "coffee.png"))
    bar = page.get_by_test_id("state-bar")
    page.get_by_test_id("run-detection").click()
    expect(bar).to_contain_text("Check the boxes the model found", timeout=60_000)
    page.get_by_test_id("box-item").filter(has_text="dining table").click()
    page.keyboard.press("Delete")
    draw_box(page, BOXES[1][1][:2], BOXES[1][1][2:])
    page.get_by_test_id("label-input").fill("spoon")
    page.get_by_test_id("label-input").press("Enter")
    yield "panel 1", page
    # Too small to be recognised: the second question.
    draw_box(page, (20, 330), (32, 342))
    page.get_by_test_id("answer").click()
    expect(bar).to_contain_text("These boxes were not recognised", timeout=60_000)
    page.get_by_test_id("box-item").first.click()
    yield "panel 2", page
    page.locator("[data-testid=box-item].wb-item-problem").first.click()
    page.keyboard.press("Delete")
    page.get_by_test_id("answer").click()
    expect(bar).to_contain_text("cut-outs are ready", timeout=120_000)
    expect(page.get_by_test_id("result-item")).to_have_count(2)
    page.wait_for_function("() => [...document.images].every(image => image.complete)")
    yield "results", page
    page.context.close()


def reviewing(stack: LiveStack, browser: Any) -> Iterator[State]:
    """The reviewer pins what is wrong; the annotator gets it back."""
    task = work.task_with(stack, "coffee.png", BOXES)
    work.hand_in(stack, task)
    rita = at_work(browser, stack, "rita", task)
    rita.get_by_test_id("review-claim").click()
    rita.get_by_test_id("send-back").click()
    rita.keyboard.press("ArrowRight")
    rita.keyboard.press("Space")
    rita.get_by_label("Text of pin 1").fill("the handle belongs to the cup")
    rita.get_by_test_id("reject-reason").fill("One box is too small.")
    yield "review", rita
    rita.get_by_test_id("reject").click()
    expect(rita.get_by_test_id("notice").filter(has_text="Sent back")).to_be_visible()
    rita.context.close()
    anna = at_work(browser, stack, "anna", task)
    anna.get_by_text("the handle belongs to the cup").wait_for()
    yield "sent back", anna
    anna.context.close()
