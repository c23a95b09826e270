"""Dashed is what a model proposed, solid what a person made, changed or confirmed: also after a reload."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser import work
from tests.browser.axe import in_both_themes
from tests.browser.people import at_work, open_task, rename
from tests.browser.states import BOXES
from tests.support.live_stack import LiveStack

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]


def whose(page: Any) -> dict[str, str]:
    """Label → model (drawn dashed) or person (drawn solid)."""
    shapes = page.evaluate("() => window.__workbench.editor.shapes.get().map(({label, by}) => [label, by])")
    return {str(label): str(by) for label, by in shapes}


def saved(page: Any, task: str) -> None:
    """Everything is on the server; the page is loaded anew."""
    expect(page.get_by_test_id("save-state")).to_have_attribute("data-phase", "clean")
    open_task(page, task)
    expect(page.get_by_test_id("box-item").first).to_be_visible()


def test_what_a_person_moved_in_the_pause_stays_theirs(live_stack: LiveStack, browser: Any) -> None:
    task = work.new_task(live_stack, "whose.png")
    anna = at_work(browser, live_stack, "anna", task)
    anna.get_by_test_id("run-detection").click()
    bar = anna.get_by_test_id("state-bar")
    expect(bar).to_contain_text("Check the boxes the model found", timeout=60_000)
    anna.get_by_test_id("box-item").filter(has_text="cup").click()
    anna.keyboard.press("ArrowRight")
    anna.get_by_test_id("answer").click()
    expect(bar).to_contain_text("cut-outs are ready", timeout=120_000)
    anna.get_by_role("button", name="Items", exact=True).click()
    for _ in range(2):
        items = anna.get_by_test_id("box-item")
        expect(items.filter(has_text="cup")).to_contain_text("found by the model · changed by hand")
        expect(items.filter(has_text="dining table")).to_contain_text("found by the model · unchanged")
        assert whose(anna) == {"cup": "person", "dining table": "model"}
        saved(anna, task)

    # Changed in the draft: solid, also when other candidates have taken the place of those it came from.
    anna.get_by_test_id("box-item").filter(has_text="dining table").click()
    anna.keyboard.press("ArrowLeft")
    assert whose(anna)["dining table"] == "person"
    saved(anna, task)
    assert whose(anna)["dining table"] == "person"
    anna.get_by_test_id("candidates-edit").click()
    anna.get_by_test_id("box-item").filter(has_text="dining table").click()
    anna.keyboard.press("Delete")
    anna.get_by_test_id("candidates-done").click()
    saved(anna, task)
    assert whose(anna)["dining table"] == "person"
    table = anna.get_by_test_id("box-item").filter(has_text="dining table")
    expect(table).to_contain_text("changed by hand")
    # Back where the model had put it: the model's again.
    table.click()
    anna.keyboard.press("ArrowRight")
    assert whose(anna)["dining table"] == "model"
    saved(anna, task)
    assert whose(anna) == {"cup": "person", "dining table": "model"}
    anna.context.close()


def test_a_foreign_label_is_said_before_it_is_refused(live_stack: LiveStack, browser: Any) -> None:
    where = work.new_project(live_stack, "Kitchen", labels=["cup", "spoon"])
    task = work.task_with(live_stack, "foreign.png", BOXES, where=where)
    anna = at_work(browser, live_stack, "anna", task)
    rename(anna, "cup", "beaker")
    row = anna.get_by_test_id("box-item").filter(has_text="beaker")
    expect(row).to_contain_text("label not in the project's set")
    hint = anna.get_by_test_id("unknown-label")
    expect(hint).to_contain_text("“beaker” is not one of the project's labels")
    field = anna.get_by_test_id("label-input")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(str(hint.text_content()))
    expect(anna.get_by_test_id("unknown-labels")).to_contain_text("One item has a label outside")
    assert in_both_themes(anna) == []
    # The draft keeps it; confirming does not take it.
    live_stack.wait_for(lambda: "beaker" in work.labels(live_stack, task), "the draft did not keep it")
    anna.get_by_test_id("confirm").click()
    expect(anna.get_by_test_id("notice").filter(has_text="not one of the project's labels")).to_be_visible()
    anna.get_by_role("group", name="Labels of the project").get_by_role("button", name="cup").click()
    expect(hint).to_have_count(0)
    expect(anna.get_by_test_id("unknown-labels")).to_have_count(0)
    anna.get_by_test_id("confirm").click()
    expect(anna.get_by_test_id("submit")).to_be_visible()
    anna.context.close()
