"""Frames of the workbench: 500 boxes on a picture of 24 megapixels, panned, zoomed, dragged by a real pointer.

A frame's time is what lies between two calls of requestAnimationFrame in the page while the gesture lasts.
.venv/bin/python -m tests.bench.frames prints these rows alone.
"""

import io
import random
import shutil
import time
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from PIL import Image, ImageDraw

from config.embedded.stack import ROOT
from tests.bench.rows import Row, line
from tests.browser import work
from tests.browser.people import VIEWPORT, at, let_in, open_task
from tests.support import browser as chromium
from tests.support import jobs
from tests.support.live_stack import LiveStack

WIDTH, HEIGHT = 6000, 4000
COLUMNS, ROWS = 25, 20
CELL = 240, 200
GESTURE_SECONDS = 4.0
#: The issue's limit for the 95th percentile.
MOST_MS = 33.0
#: Frames are noted from one mark to the next.
RECORDER = """() => {
  window.__frames = [];
  let last = null;
  const note = (now) => {
    if (last !== null) window.__frames.push(now - last);
    last = now;
    window.__recorder = requestAnimationFrame(note);
  };
  cancelAnimationFrame(window.__recorder);
  window.__recorder = requestAnimationFrame(note);
}"""
RECORDED = "() => { cancelAnimationFrame(window.__recorder); return window.__frames; }"


def picture() -> bytes:
    """24 megapixels with something in every corner: noise that does not compress away, and discs."""
    rng = random.Random(1)
    small = Image.frombytes("RGB", (600, 400), rng.randbytes(600 * 400 * 3))
    image = small.resize((WIDTH, HEIGHT), Image.Resampling.BICUBIC)
    draw = ImageDraw.Draw(image)
    for x, y in cells():
        colour = tuple(rng.randrange(40, 220) for _ in range(3))
        draw.ellipse((x + 30, y + 20, x + 170, y + 160), fill=colour)
    out = io.BytesIO()
    image.save(out, "JPEG", quality=85)
    return out.getvalue()


def cells() -> list[tuple[int, int]]:
    """Where the boxes lie."""
    return [(column * CELL[0], row * CELL[1]) for row in range(ROWS) for column in range(COLUMNS)]


def crowded_task(stack: LiveStack) -> str:
    """A task on that picture with 500 boxes in its draft; its id."""
    olga, anna = stack.login("olga"), stack.login("anna")
    project = jobs.project_id(olga)
    batches = olga.get(f"/api/v1/projects/{project}/batches").raise_for_status().json()["items"]
    batch = next(batch["id"] for batch in batches if batch["name"] == "First pictures")
    answer = olga.post(
        f"/api/v1/projects/{project}/tasks",
        data={"batch": batch, "name": "crowded.jpg", "request_id": str(uuid4())},
        files={"image": ("crowded.jpg", picture(), "image/jpeg")},
        timeout=120,
    )
    task = str(answer.raise_for_status().json()["id"])
    anna.post(f"/api/v1/tasks/{task}/claim", json={"client_id": work.AWAY}).raise_for_status()
    names = ("cup", "spoon", "bowl", "person", "cat")
    items = [
        {
            "id": f"box-{number}",
            "label": names[number % len(names)],
            "geometry": {"type": "bbox", "bbox": [x + 30, y + 20, x + 170, y + 160]},
        }
        for number, (x, y) in enumerate(cells())
    ]
    work.save_and_leave(anna, task, items)
    return task


def keep_doing(page: Any, gesture: Callable[[Any, int], None]) -> list[float]:
    """The frame times while the gesture is repeated."""
    page.evaluate(RECORDER)
    deadline = time.monotonic() + GESTURE_SECONDS
    turn = 0
    while time.monotonic() < deadline:
        gesture(page, turn)
        turn += 1
    return list(page.evaluate(RECORDED))


def swing(page: Any, turn: int, middle: tuple[float, float], reach: float) -> None:
    """To the next place of a square around the middle, in small steps."""
    corners = ((-reach, -reach), (reach, -reach), (reach, reach), (-reach, reach))
    dx, dy = corners[turn % 4]
    page.mouse.move(middle[0] + dx, middle[1] + dy, steps=20)


def held(page: Any, middle: tuple[float, float], reach: float) -> list[float]:
    """Frame times while the button is held and the pointer goes round."""
    page.mouse.move(*middle)
    page.mouse.down()
    times = keep_doing(page, lambda page, turn: swing(page, turn, middle, reach))
    page.mouse.move(*middle)
    page.mouse.up()
    return times


def gestures(page: Any) -> dict[str, list[float]]:
    """Each gesture's frame times."""
    middle = at(page, (WIDTH / 2, HEIGHT / 2))
    found = {}
    page.get_by_test_id("tool-pan").click()
    found["pan, the whole picture in sight"] = held(page, middle, 90)
    page.mouse.move(*middle)

    def wheel(page: Any, turn: int) -> None:
        for _ in range(10):
            page.mouse.wheel(0, -120 if turn % 2 == 0 else 120)

    found["zoom at the pointer"] = keep_doing(page, wheel)
    page.keyboard.press("Control+1")
    found["pan at 100 %"] = held(page, middle, 200)
    page.keyboard.press("f")
    page.get_by_test_id("tool-select").click()
    box = at(page, (COLUMNS // 2 * CELL[0] + 100, ROWS // 2 * CELL[1] + 90))
    found["drag a box"] = held(page, box, 60)
    return found


def row_of(what: str, times: list[float]) -> Row:
    """The row of these frame times."""
    ordered = sorted(times)

    def quantile(share: float) -> float:
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    rate = 1000 * len(ordered) / sum(ordered)
    limit = f"the issue's limit for p95, {MOST_MS:.0f} ms a frame"
    return Row(f"frames: {what}", rate, quantile(0.5), quantile(0.95), limit, 1000 / MOST_MS)


def measure(stack: LiveStack) -> list[Row]:
    """The rows, from a browser of its own on the running stack."""
    task = crowded_task(stack)
    with chromium.launched() as browser:
        context = browser.new_context(base_url=stack.base_url, viewport=VIEWPORT)
        let_in(context, stack.login("anna"), stack.base_url)
        page = context.new_page()
        open_task(page, task)
        page.get_by_text("You hold this task").wait_for()
        page.wait_for_function("() => document.querySelectorAll('[data-testid=box-item]').length >= 500")
        page.get_by_text("Loading the picture").wait_for(state="detached", timeout=60_000)
        return [row_of(what, times) for what, times in gestures(page).items()]


def main() -> None:
    """These rows alone."""
    folder = ROOT / ".cache" / "bench-frames"
    shutil.rmtree(folder, ignore_errors=True)
    stack = LiveStack(folder, LOG_LEVEL="WARNING")
    try:
        stack.start()
        for row in measure(stack):
            print(line(row), flush=True)
    finally:
        stack.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
