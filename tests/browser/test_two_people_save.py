"""Two people change one task, its lock handed over in between: nothing that either did is dropped."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser import work
from tests.browser.people import at_work, rename
from tests.support.live_stack import LiveStack

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]
HELD = "You hold this task"
BOXES = (("cup", (160.0, 20.0, 420.0, 310.0)), ("spoon", (312.0, 228.0, 404.0, 318.0)))


def both_rename(
    stack: LiveStack, browser: Any, task: str, *, anna: tuple[str, str], abel: tuple[str, str]
) -> Any:
    """Anna renames while her network is gone, Abel takes over, renames, saves and leaves; Anna's page, back
    online and holding the task again."""
    annas = at_work(browser, stack, "anna", task)
    expect(annas.get_by_text(HELD)).to_be_visible()
    annas.context.set_offline(True)
    rename(annas, *anna)
    expect(annas.get_by_test_id("save-state")).to_contain_text("Offline: one edit waits")

    work.lock_goes_stale(stack, task)
    abels = at_work(browser, stack, "abel", task)
    abels.get_by_test_id("take-over").click()
    expect(abels.get_by_text(HELD)).to_be_visible()
    # What she has not sent is not there: he works on what was saved.
    expect(abels.get_by_test_id("box-item").filter(has_text=anna[1])).to_have_count(0)
    rename(abels, *abel)
    stack.wait_for(lambda: abel[1] in work.labels(stack, task), "his change was not saved")

    # Online while he still works: she is told, and what he has saved so far does not hide that she lost it.
    annas.context.set_offline(False)
    banner = annas.get_by_test_id("lock-banner")
    expect(banner).to_contain_text("Abel Okoye holds this task now", timeout=30_000)
    expect(banner).to_contain_text("Your edit is kept in this browser")
    rename(abels, abel[1], f"{abel[1]} 2")
    stack.wait_for(lambda: f"{abel[1]} 2" in work.labels(stack, task), "his second change was not saved")
    expect(banner).to_contain_text("Abel Okoye holds this task now")

    # The page alone: a whole context that goes takes its last requests with it.
    abels.close()
    expect(banner).to_contain_text("Abel Okoye took this task over")
    expect(banner).to_contain_text("Nobody holds it now")
    annas.get_by_role("button", name="Take it again").click()
    expect(annas.get_by_text(HELD)).to_be_visible()
    return annas


def test_different_items_of_both_survive(live_stack: LiveStack, browser: Any) -> None:
    task = work.task_with(live_stack, "both.png", BOXES)
    page = both_rename(live_stack, browser, task, anna=("cup", "mug"), abel=("spoon", "ladle"))
    expect(page.get_by_test_id("notice").filter(has_text="your edits were joined in")).to_be_visible()
    expect(page.get_by_test_id("box-item").filter(has_text="mug")).to_have_count(1)
    expect(page.get_by_test_id("box-item").filter(has_text="ladle 2")).to_have_count(1)
    expect(page.get_by_test_id("conflict")).to_have_count(0)
    live_stack.wait_for(lambda: work.labels(live_stack, task) == ["mug", "ladle 2"], "not both were saved")
    page.context.close()


def test_the_same_item_shows_base_mine_and_theirs(live_stack: LiveStack, browser: Any) -> None:
    task = work.task_with(live_stack, "same.png", BOXES)
    page = both_rename(live_stack, browser, task, anna=("cup", "mug"), abel=("cup", "beaker"))
    dialog = page.get_by_role("dialog", name="Which version holds?")
    expect(dialog.get_by_role("group", name="Before")).to_contain_text("cup")
    mine, theirs = (dialog.get_by_role("button", name=re.compile(f"^{side}")) for side in ("Yours", "Theirs"))
    expect(mine).to_contain_text("mug")
    expect(theirs).to_contain_text("beaker 2")
    expect(dialog.get_by_text("1 still to decide")).to_be_visible()

    # Nothing goes to the server until a person has decided; meanwhile a reload loses nothing either.
    page.reload()
    expect(theirs).to_contain_text("beaker 2")
    expect(mine).to_contain_text("mug")
    assert work.labels(live_stack, task) == ["beaker 2", "spoon"]
    mine.click()
    dialog.get_by_role("button", name="Go on with these").click()
    expect(dialog).to_have_count(0)
    live_stack.wait_for(lambda: work.labels(live_stack, task) == ["mug", "spoon"], "the choice was not saved")
    page.context.close()
