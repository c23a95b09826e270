"""Whoever writes with an input method presses Enter, digits and letters for it: no shortcut of ours fires."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser import work
from tests.browser.people import at_work
from tests.support.live_stack import LiveStack

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]
BOXES = (("cup", (160.0, 20.0, 420.0, 310.0)), ("spoon", (312.0, 228.0, 404.0, 318.0)))
#: Keys that mean something to the workbench, alone or on a selected item.
MEANT = ("b", "o", "2", "Delete", "Backspace", "Enter", "Escape", "ArrowLeft", "n", " ", "?")


class InputMethod:
    """What Chromium gets from the system while an input method composes."""

    def __init__(self, page: Any) -> None:
        self._cdp = page.context.new_cdp_session(page)

    def compose(self, text: str) -> None:
        """The text being composed, underlined in the field."""
        place = {"selectionStart": len(text), "selectionEnd": len(text)}
        self._cdp.send("Input.imeSetComposition", {"text": text, **place})

    def press(self, *keys: str) -> None:
        """Keys that the input method takes: their code is 229, their name "Process" or (a Mac) their own."""
        for name in (name for key in keys for name in ("Process", key)):
            key = {"key": name, "windowsVirtualKeyCode": 229}
            self._cdp.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", **key})
            self._cdp.send("Input.dispatchKeyEvent", {"type": "keyUp", **key})

    def commit(self, text: str) -> None:
        """The composed text is done."""
        self._cdp.send("Input.insertText", {"text": text})


def expect_untouched(page: Any) -> None:
    """Both items, the select tool, this task, no dialog."""
    expect(page.get_by_test_id("box-item")).to_have_count(2)
    expect(page.get_by_test_id("tool-select")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("option", selected=True)).to_contain_text("cup")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_test_id("save-state")).to_have_attribute("data-phase", "clean")


def test_composing_fires_no_shortcut(live_stack: LiveStack, browser: Any) -> None:
    task = work.task_with(live_stack, "composing.png", BOXES)
    page = at_work(browser, live_stack, "anna", task)
    method = InputMethod(page)
    page.get_by_test_id("box-item").filter(has_text="cup").click()
    address = page.url

    # On the picture, with the input method left on.
    method.press(*MEANT)
    expect_untouched(page)

    # In the label's field: Enter chooses a candidate of the input method, and is no end of the label.
    field = page.get_by_test_id("label-input")
    field.fill("")
    method.compose("beizi")
    method.press(*MEANT)
    expect(field).to_be_focused()
    expect(field).to_have_value("beizi")
    expect_untouched(page)
    assert work.labels(live_stack, task) == ["cup", "spoon"]
    method.commit("杯子")
    expect(field).to_have_value("杯子")

    # Now it is the person's own Enter.
    page.keyboard.press("Enter")
    expect(page.get_by_role("option", selected=True)).to_contain_text("杯子")
    live_stack.wait_for(lambda: work.labels(live_stack, task) == ["杯子", "spoon"], "the label was not saved")
    assert page.url == address

    # The same keys without an input method do what they say.
    page.keyboard.press("b")
    expect(page.get_by_test_id("tool-box")).to_have_attribute("aria-pressed", "true")
    page.context.close()
