"""The next task's picture is there before it is asked for, whatever the project's sampling."""

from typing import Any
from urllib.parse import urlparse

import pytest
from playwright.sync_api import expect

from tests.browser import work
from tests.browser.people import at_work
from tests.browser.states import BOXES
from tests.support.live_stack import LiveStack

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]
PICTURE = "() => window.__workbench.page.state.get().task.asset.image_url"


@pytest.mark.parametrize("sampling", ["random", "uncertainty", "sequence"])
def test_the_picture_that_next_gives_was_fetched_before(
    live_stack: LiveStack, browser: Any, sampling: str
) -> None:
    where = work.new_project(live_stack, f"Ahead by {sampling}", sampling=sampling)
    elsewhere = (where[0], work.open_batch(live_stack, where[0], "More"))
    for number in range(8):
        work.new_task(live_stack, f"ahead-{number}.png", where=elsewhere if number % 2 else where)
    task = work.task_with(live_stack, "now.png", BOXES, where=where)
    asked: list[str] = []
    anna = at_work(browser, live_stack, "anna", task)
    anna.on("request", lambda request: asked.append(urlparse(request.url).path))
    anna.reload()
    anna.wait_for_load_state("networkidle")
    before = set(asked) - {anna.evaluate(PICTURE)}
    anna.get_by_test_id("confirm-next").click()
    anna.wait_for_url(lambda url: task not in url)
    anna.get_by_test_id("canvas").wait_for()
    expect(anna.get_by_text("Loading the picture…")).to_have_count(0)
    shown = anna.evaluate(PICTURE)
    assert shown in before
    # Out of the browser's cache.
    timing = anna.evaluate(
        "url => performance.getEntriesByType('resource').filter(one => one.name.endsWith(url))"
        ".map(one => one.transferSize)",
        shown,
    )
    assert timing
    assert min(timing) < 1_000, timing
    anna.context.close()
