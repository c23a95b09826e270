"""The browser dies, the network goes, the session ends, the server is killed: every stroke is still there."""

import os
import signal
from pathlib import Path
from typing import Any

import psutil
import pytest
from playwright.sync_api import expect

from tests.browser import work
from tests.browser.people import VIEWPORT, at_work, draw_box, let_in, open_task, rename, session
from tests.support.browser import FLAGS, executable
from tests.support.live_stack import PASSWORD, LiveStack
from tests.support.reply_dropper import dropping_replies

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]
CUP = ("cup", (160.0, 20.0, 420.0, 310.0))
SAVES = "**/api/v1/tasks/*/editor"


def own_chromium(browser: Any, stack: LiveStack, profile: Path) -> Any:
    """A context whose storage lives in a folder and outlives its process, signed in as Anna."""
    context = browser.browser_type.launch_persistent_context(
        str(profile), executable_path=executable(), args=FLAGS, base_url=stack.base_url, viewport=VIEWPORT
    )
    let_in(context, session(stack, "anna"), stack.base_url)
    return context


def kill_chromium(profile: Path) -> None:
    """kill -9 for the browser process that has this profile, and every process that it started."""
    mark = f"--user-data-dir={profile}"
    running = [p for p in psutil.process_iter(["cmdline"]) if mark in (p.info["cmdline"] or [])]
    assert running, "no Chromium has this profile"
    for process in running:
        os.kill(process.pid, signal.SIGKILL)
    psutil.wait_procs(running, timeout=10)


def test_strokes_survive_the_killed_browser(live_stack: LiveStack, browser: Any, tmp_path: Path) -> None:
    task = work.task_with(live_stack, "killed.png", [CUP])
    context = own_chromium(browser, live_stack, tmp_path)
    page = context.new_page()
    # The server is out of reach for saves alone, so that it is the browser that must keep the strokes.
    page.route(SAVES, lambda route: route.abort() if route.request.method == "PUT" else route.continue_())
    open_task(page, task)
    draw_box(page, (20, 20), (80, 90))
    rename(page, "cup", "mug")
    expect(page.get_by_test_id("save-state")).to_contain_text("Offline: 2 edits wait")
    kill_chromium(tmp_path)
    assert work.labels(live_stack, task) == ["cup"]

    context = own_chromium(browser, live_stack, tmp_path)
    page = context.new_page()
    open_task(page, task)
    found = page.get_by_role("dialog", name="Unsaved work found")
    expect(found).to_contain_text("2 unsaved edits")
    found.get_by_role("button", name="Join in").click()
    expect(page.get_by_test_id("box-item")).to_have_count(2)
    live_stack.wait_for(lambda: work.labels(live_stack, task) == ["mug", None], "the strokes were not saved")
    expect(page.get_by_test_id("save-state")).to_contain_text("Saved")
    # The copy has been joined in: it is not offered again.
    page.reload()
    expect(page.get_by_test_id("box-item")).to_have_count(2)
    expect(found).to_have_count(0)
    context.close()


def test_a_stroke_survives_a_reload_at_once(live_stack: LiveStack, browser: Any) -> None:
    task = work.task_with(live_stack, "reloaded.png", [CUP])
    page = at_work(browser, live_stack, "anna", task)
    draw_box(page, (20, 20), (80, 90))
    page.reload()
    expect(page.get_by_test_id("box-item")).to_have_count(2)
    live_stack.wait_for(lambda: work.labels(live_stack, task) == ["cup", None], "the stroke was not saved")
    page.context.close()


def test_ten_edits_without_network(live_stack: LiveStack, browser: Any) -> None:
    task = work.task_with(live_stack, "offline.png", [CUP])
    before, _ = work.draft(live_stack, task)
    page = at_work(browser, live_stack, "anna", task)
    page.context.set_offline(True)
    for number in range(10):
        left, top = 20 + 55 * number, 330
        draw_box(page, (left, top), (left + 40, top + 50))
    expect(page.get_by_test_id("save-state")).to_contain_text("Offline: 10 edits wait")
    expect(page.get_by_test_id("state-bar")).to_contain_text("Offline")
    assert work.draft(live_stack, task)[0] == before

    page.context.set_offline(False)
    expect(page.get_by_test_id("save-state")).to_contain_text("Saved", timeout=30_000)
    after, items = work.draft(live_stack, task)
    lefts = [round(item["geometry"]["bbox"][0]) for item in items]
    assert lefts == [160, *(20 + 55 * number for number in range(10))]
    # The request that was on its way when the network went, and one with all the rest.
    assert after - before <= 2
    page.context.close()


def test_thumbnails_come_when_the_network_does(live_stack: LiveStack, browser: Any) -> None:
    task = work.task_with(live_stack, "torn.png", [CUP])
    context = browser.new_context(base_url=live_stack.base_url, viewport=VIEWPORT)
    let_in(context, session(live_stack, "anna"), live_stack.base_url)
    page = context.new_page()
    page.route("**/image?w=*", lambda route: route.abort())
    open_task(page, task)
    loaded = (
        "() => [...document.querySelectorAll('.wb-strip img')].filter(one => one.naturalWidth > 0).length"
    )
    expect(page.locator(".wb-strip img.wb-unloaded").first).to_be_attached()
    assert page.evaluate(loaded) == 0
    page.unroute("**/image?w=*")
    live_stack.wait_for(lambda: page.evaluate(loaded) > 0, "no thumbnail came", seconds=20)
    expect(page.locator(".wb-strip img.wb-unloaded")).to_have_count(0, timeout=20_000)
    context.close()


def test_signing_in_again_in_place(live_stack: LiveStack, browser: Any) -> None:
    task = work.task_with(live_stack, "signed-out.png", [CUP])
    page = at_work(browser, live_stack, "anna", task, client=live_stack.login("anna"))
    # An edit that has not reached the server when the session ends, whoever notices that first.
    page.route(SAVES, lambda route: route.abort() if route.request.method == "PUT" else route.continue_())
    draw_box(page, (20, 20), (80, 90))
    expect(page.get_by_test_id("save-state")).to_contain_text("Offline: one edit waits")
    other = page.context.new_page()
    other.goto("/")
    other.get_by_text("Anna Weber", exact=True).click()
    other.get_by_role("button", name="Sign out").click()
    other.wait_for_url("**/login/**")

    page.unroute(SAVES)
    dialog = page.get_by_role("dialog", name="Sign in again")
    expect(dialog).to_be_visible()
    dialog.get_by_label("Password").fill("not-my-password")
    dialog.get_by_role("button", name="Sign in", exact=True).click()
    expect(dialog.get_by_role("alert")).to_contain_text("That password is not right")
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Sign in", exact=True).click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_test_id("box-item")).to_have_count(2)
    live_stack.wait_for(lambda: work.labels(live_stack, task) == ["cup", None], "the edit was not saved")

    # The page goes on: the next edit needs no reload.
    rename(page, "cup", "mug")
    live_stack.wait_for(lambda: work.labels(live_stack, task) == ["mug", None], "the next edit was not saved")
    page.context.close()


def test_the_server_is_killed_between_commit_and_reply(live_stack: LiveStack, browser: Any) -> None:
    task = work.task_with(live_stack, "no-reply.png", [CUP])
    before, _ = work.draft(live_stack, task)
    with dropping_replies(live_stack.port) as proxy:
        page = at_work(browser, live_stack, "anna", task, base_url=proxy.base_url)
        old_pid = live_stack.pid("web")
        proxy.lose_reply_to(f"PUT /api/v1/tasks/{task}/editor", lambda: live_stack.kill("web"))
        with page.expect_request(lambda request: request.method == "PUT") as first:
            rename(page, "cup", "mug")
        assert proxy.dropped.wait(10)
        # Committed, and the page does not know it.
        assert work.draft(live_stack, task)[0] == before + 1
        expect(page.get_by_test_id("save-state")).to_contain_text("Offline: one edit waits")
        with page.expect_response(
            lambda response: response.request.method == "PUT" and response.ok, timeout=60_000
        ) as second:
            live_stack.wait_restarted("web", old_pid)
            live_stack.wait_ready()
            # The page may have tried by itself by now.
            page.get_by_role("button", name="Try now").evaluate_all(
                "found => found.forEach(it => it.click())"
            )
        # The same request again, and its first reply: one revision.
        sent = [found.value.post_data_json for found in (first,)] + [second.value.request.post_data_json]
        assert sent[0]["request_id"] == sent[1]["request_id"]
        assert second.value.json()["draft_version"] == before + 1
        expect(page.get_by_test_id("save-state")).to_contain_text("Saved")
        assert (work.draft(live_stack, task)[0], work.labels(live_stack, task)) == (before + 1, ["mug"])
        # And the page goes on from there.
        rename(page, "mug", "glass")
        live_stack.wait_for(lambda: work.labels(live_stack, task) == ["glass"], "the next edit was not saved")
        assert work.draft(live_stack, task)[0] == before + 2
        page.context.close()
