"""An annotator's and a reviewer's whole work without a mouse: sign in, answer, draw, confirm, send back."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser import work
from tests.browser.keyboard import Hands
from tests.browser.people import at_work, newcomer, session
from tests.support.live_stack import PASSWORD, LiveStack

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]


def bbox(stack: LiveStack, task: str, label: str) -> list[float]:
    """The box of that label in the server's draft."""
    items = work.draft(stack, task)[1]
    return next(item["geometry"]["bbox"] for item in items if item["label"] == label)


def answer_the_pause(page: Any, hands: Hands) -> None:
    """Leave out the table, keep the cup, draw and name the spoon, answer."""
    bar = page.get_by_test_id("state-bar")
    hands.to_picture()
    hands.press("r")
    expect(bar).to_contain_text("Check the boxes the model found", timeout=60_000)
    hands.choose("dining table")
    hands.press("s")
    expect(hands.item("dining table")).to_contain_text("skip")
    hands.press("Delete")
    expect(page.get_by_test_id("box-item-removed")).to_contain_text("dining table")
    hands.press("Control+z", "Control+Shift+z")
    expect(page.get_by_test_id("box-item-removed")).to_contain_text("dining table")
    hands.push("undo dining table")
    hands.item("dining table").wait_for()
    hands.to_picture()
    hands.choose("dining table")
    hands.press("Delete")

    # The crosshair begins in the middle, at 300, 200.
    hands.press("b")
    hands.press("ArrowRight", times=12)
    hands.press("Shift+ArrowDown", times=3)
    hands.press("Space")
    hands.press("Shift+ArrowRight", "Shift+ArrowDown", times=9)
    hands.press("Space")
    expect(page.get_by_role("option")).to_have_count(2)
    hands.press("F2")
    hands.write("spoon")
    hands.press("Enter")
    expect(hands.item("spoon")).to_have_attribute("aria-selected", "true")
    hands.press("Enter")
    expect(page.get_by_test_id("answer")).to_have_count(0)
    expect(bar).to_contain_text("cut-outs are ready", timeout=120_000)


def change_the_draft(page: Any, hands: Hands, stack: LiveStack, task: str) -> None:
    """Corners, edges, points, polygons, labels, copies, what is hidden or locked; the view."""
    hands.to_picture()
    hands.press("v")
    hands.choose("spoon")
    stack.wait_for(lambda: "spoon" in work.labels(stack, task), "the job's boxes are not in the draft")
    before = bbox(stack, task, "spoon")
    hands.press("ArrowLeft", "Alt+ArrowRight", "Alt+ArrowDown")
    hands.press("e")
    hands.press("ArrowUp", times=2)
    hands.press("Escape", "Shift+ArrowUp")
    wanted = [before[0] - 1, before[1] - 2 - 10, before[2], before[3] + 1 - 10]
    stack.wait_for(lambda: bbox(stack, task, "spoon") == pytest.approx(wanted, abs=0.02), "moved and resized")

    hands.press("o", "ArrowLeft", "Space", "4")
    hands.press("p", "Space")
    hands.press("Shift+ArrowRight", times=5)
    hands.press("Space")
    hands.press("Shift+ArrowDown", times=5)
    hands.press("Space", "Enter", "5")
    hands.press("v", "e", "ArrowLeft", "Escape")
    hands.press("Control+c", "Control+v")
    expect(hands.item("cat")).to_have_count(2)
    hands.press("Control+a", "Delete", "Control+z")
    hands.press("i")
    stack.wait_for(
        lambda: sorted(work.labels(stack, task)) == ["cat", "cat", "cup", "person", "spoon"],
        "point, polygon and copy were not saved",
    )
    shapes = {item["label"]: item["geometry"] for item in work.draft(stack, task)[1]}
    assert shapes["person"]["type"] == "point"
    assert len(shapes["cat"]["points"]) == 3

    # The list itself: arrows walk, Shift adds.
    hands.tab_to("Filter")
    hands.press("Tab", "Home")
    first = page.get_by_role("option").first
    expect(first).to_have_attribute("aria-selected", "true")
    hands.press("Shift+ArrowDown")
    expect(page.get_by_role("option", selected=True)).to_have_count(2)
    hands.press("End")
    expect(page.get_by_role("option").last).to_have_attribute("aria-selected", "true")


def look_around(page: Any, hands: Hands) -> None:
    """Zoom, pan, brightness, filter, the table of keys."""
    hands.to_picture()
    zoom = page.get_by_title("100 %", exact=True)
    fitted = zoom.inner_text()
    hands.press("Control+1")
    expect(zoom).to_have_text("100 %")
    hands.press("+")
    expect(zoom).to_have_text("125 %")
    place = page.evaluate("() => window.__workbench.toScreen(0, 0)")
    hands.press("h", "ArrowRight")
    moved = page.evaluate("() => window.__workbench.toScreen(0, 0)")
    assert (round(moved["x"] - place["x"]), round(moved["y"] - place["y"])) == (-40, 0)
    hands.press("-", "f", "v")
    expect(zoom).to_have_text(fitted)
    hands.press("a")
    hands.tab_to("Brightness 100 %")
    hands.press("ArrowRight")
    expect(page.get_by_text("101 %", exact=True)).to_be_visible()
    hands.press("a")
    hands.push("Filter")
    hands.press("Tab")
    hands.write("spo")
    expect(page.get_by_role("option")).to_have_count(1)
    hands.press("Backspace", times=3)
    hands.push("Filter", back=True)
    hands.press("?")
    dialog = page.get_by_role("dialog", name="Keyboard")
    expect(dialog).to_contain_text("the arrows move it")
    hands.press("Escape")
    expect(dialog).to_have_count(0)


def test_the_whole_work_without_a_mouse(live_stack: LiveStack, browser: Any) -> None:
    task = work.new_task(live_stack, "by-keyboard.png")
    page = newcomer(browser, live_stack)
    page.goto("/login/")
    hands = Hands(page)
    hands.write("anna")
    hands.press("Tab")
    hands.write(PASSWORD)
    hands.press("Enter")
    page.wait_for_url(lambda url: "/login" not in url)
    page.goto(f"/tasks/{task}/")
    page.get_by_test_id("canvas").wait_for()
    answer_the_pause(page, hands)
    with page.expect_download():
        hands.push("Download the cut-out of cup")
    hands.push("Items", back=True)
    change_the_draft(page, hands, live_stack, task)
    look_around(page, hands)
    hands.to_picture()
    hands.press("Control+s")
    hands.push("Confirm")
    expect(page.get_by_test_id("state-bar")).to_contain_text("Confirmed as revision 1")
    hands.push("Submit")
    expect(page.get_by_test_id("state-bar")).to_contain_text("waiting for a reviewer")

    # The reviewer pins what is wrong and sends it back.
    ritas = at_work(browser, live_stack, "rita", task)
    rita = Hands(ritas)
    rita.push("Take for review")
    expect(ritas.get_by_test_id("send-back")).to_be_visible()
    rita.push("Send back")
    rita.press("ArrowRight", "ArrowDown", "Space")
    rita.tab_to("Text of pin 1")
    rita.write("left edge cuts the handle")
    rita.tab_to(r"Why does it go back\?", back=True)
    rita.write("one edge")
    rita.push("Send back")
    expect(ritas.get_by_test_id("notice").filter(has_text="Sent back")).to_be_visible()
    ritas.context.close()

    # The annotator answers the pin and hands it in again.
    page.reload()
    page.get_by_text("left edge cuts the handle").wait_for()
    hands.push("Start")
    expect(page.get_by_text("You hold this task")).to_be_visible()
    hands.push("Answer", back=True)
    hands.write("moved")
    hands.press("Enter")
    hands.to_picture()
    hands.press("j", "ArrowLeft")
    hands.push("Confirm")
    expect(page.get_by_test_id("state-bar")).to_contain_text("Confirmed as revision 2")
    hands.push("Submit")
    expect(page.get_by_test_id("state-bar")).to_contain_text("waiting for a reviewer")
    body = session(live_stack, "anna").get(f"/api/v1/tasks/{task}").json()
    assert (body["status"], body["annotation_revision"]) == ("review", 2)
    assert body["last_decision"]["pins"][0]["text"] == "left edge cuts the handle"
    assert body["last_decision"]["pins"][0]["answer"] == "moved"
    page.context.close()
