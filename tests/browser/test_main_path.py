"""The main job in a real browser: upload, panel, a person's answer, cut-outs (coffee.png)."""

import io
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.people import drag, person, sign_in
from tests.support import jobs
from tests.support.live_stack import LiveStack

SPOON = (312, 228, 404, 318)
DATA = Path(__file__).parents[1] / "data" / "import"


def labels(page: Any) -> list[str]:
    return [text.split("\n")[0].strip() for text in page.get_by_test_id("box-item").all_inner_texts()]


def upload(page: Any, stack: LiveStack) -> str:
    """Two files at once through the page: one is accepted, one refused by name; the workbench's address."""
    page.get_by_role("link", name="Demo", exact=True).first.click()
    page.locator("[data-upload] input[type=file]").set_input_files(
        [str(jobs.picture(stack, "coffee.png")), str(DATA / "not-a-picture.jpg")]
    )
    rows = page.locator("[data-upload-list] > li")
    expect(rows).to_have_count(2)
    refused = rows.filter(has_text="not-a-picture.jpg")
    expect(refused.locator("[data-upload-state]")).to_have_text(
        re.compile("not a picture|no picture|picture", re.I)
    )
    expect(refused.locator("a:visible")).to_have_count(0)
    accepted = rows.filter(has_text="coffee.png")
    link = accepted.locator("a:visible[href^='/tasks/']").first
    expect(link).to_be_visible(timeout=20_000)
    return str(link.get_attribute("href"))


def job_of(client: httpx.Client, task_path: str) -> str:
    task_id = task_path.strip("/").split("/")[1]
    return str(client.get(f"/api/v1/tasks/{task_id}").json()["job"]["job_id"])


def mask_and_cutout(client: httpx.Client, item: dict[str, Any]) -> tuple[Image.Image, Image.Image]:
    mask = Image.open(io.BytesIO(client.get(item["mask_url"]).raise_for_status().content))
    cutout = Image.open(io.BytesIO(client.get(item["cutout_url"]).raise_for_status().content))
    return mask, cutout


def check_pixels(client: httpx.Client, item: dict[str, Any], size: tuple[int, int]) -> None:
    """The mask is not empty and inside its box; the cut-out is transparent somewhere and opaque somewhere."""
    mask, cutout = mask_and_cutout(client, item)
    assert mask.size == size
    inside = mask.convert("L").getbbox()
    assert inside is not None, "the mask is empty"
    x1, y1, x2, y2 = item["bbox"]
    assert min(inside[0] - int(x1), inside[1] - int(y1)) >= 0, (inside, item["bbox"])
    assert max(inside[2] - x2, inside[3] - y2) <= 1, (inside, item["bbox"])
    assert cutout.mode == "RGBA"
    low, high = cutout.getchannel("A").getextrema()
    assert (low, high) == (0, 255)


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_from_upload_to_cutouts(live_stack: LiveStack, page: Any, browser: Any) -> None:
    api = live_stack.login("anna")
    sign_in(page, "anna")
    workbench = upload(page, live_stack)

    # The panel appears by itself: the page is opened while the model may still be running.
    page.goto(workbench)
    expect(page.get_by_test_id("state-bar")).to_contain_text("Check the boxes", timeout=60_000)
    expect(page.get_by_test_id("box-item")).to_have_count(2)
    assert set(labels(page)) == {"cup", "dining table"}
    job_id = job_of(api, workbench)
    asked = jobs.job(api, job_id)

    # Somebody else who may see the task sees the panel too.
    other = person(browser, live_stack, "rita")
    other.goto(workbench)
    expect(other.get_by_test_id("box-item")).to_have_count(2)
    other.context.close()

    # Every process goes and comes back, and the page is loaded anew: the same question.
    page.goto("about:blank")
    live_stack.stop()
    live_stack.start()
    page.goto(workbench)
    expect(page.get_by_test_id("box-item")).to_have_count(2, timeout=20_000)
    again = jobs.job(api, job_id)
    assert again["active_pause"] == asked["active_pause"]
    assert again["box_list"] == asked["box_list"]

    # Remove the table; draw the spoon and say what it is.
    page.get_by_test_id("box-item").filter(has_text="dining table").click()
    page.keyboard.press("Delete")
    expect(page.get_by_test_id("box-item")).to_have_count(1)
    expect(page.get_by_test_id("box-item-removed")).to_have_count(1)
    page.get_by_test_id("tool-box").click()
    drag(page, SPOON[:2], SPOON[2:])
    expect(page.get_by_test_id("box-item")).to_have_count(2)
    page.get_by_test_id("label-input").fill("spoon")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("box-item").filter(has_text="spoon")).to_have_count(1)

    # Move the cup's box by the keyboard and one of its corners by hand: still the model's, edited.
    page.get_by_test_id("tool-select").click()
    page.get_by_test_id("box-item").filter(has_text="cup").click()
    page.keyboard.press("ArrowRight")
    cup = next(box for box in asked["box_list"]["boxes"] if box["label"] == "cup")
    corner = (cup["bbox"][2] + 1, cup["bbox"][3])
    drag(page, corner, (corner[0] + 4, corner[1] + 4))

    page.get_by_test_id("answer").click()
    expect(page.get_by_test_id("answer")).to_have_count(0, timeout=10_000)
    done = jobs.wait_for_status(api, job_id, "SUCCEEDED", seconds=120)
    expect(page.get_by_test_id("state-bar")).to_contain_text("cut-outs are ready", timeout=10_000)

    # It went through validation, and the table's box went nowhere.
    with live_stack.database() as database:
        ran = {
            row[0] for row in database.execute("SELECT node_type FROM node_runs WHERE job_id = %s", [job_id])
        }
    assert "VALIDATE_MANUAL_BOX_LIST" in ran
    results = api.get(f"/api/v1/jobs/{job_id}/results").json()["items"]
    assert {item["label"] for item in results} == {"cup", "spoon"}
    assert {item["outcome"] for item in results} == {"succeeded"}
    for item in results:
        check_pixels(api, item, (done["image"]["width"], done["image"]["height"]))
    kept = {box["label"]: box for box in done["approved_box_list"]["boxes"]}
    assert (kept["cup"]["source"], kept["cup"]["edited"]) == ("model", True)
    assert kept["cup"]["bbox"][0] == pytest.approx(cup["bbox"][0] + 1, abs=0.01)
    assert kept["cup"]["bbox"][2] == pytest.approx(cup["bbox"][2] + 5, abs=1.5)
    assert kept["spoon"]["source"] == "manual"
    for drawn, wanted in zip(kept["spoon"]["bbox"], SPOON, strict=True):
        assert drawn == pytest.approx(wanted, abs=2)

    # They are seen and downloaded in the page.
    page.get_by_role("button", name=re.compile("^Cut-outs")).click()
    expect(page.get_by_test_id("result-item")).to_have_count(2)
    with page.expect_download() as download:
        page.get_by_test_id("result-item").first.get_by_role("link").first.click()
    assert Image.open(download.value.path()).mode == "RGBA"
