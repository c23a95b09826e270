"""Pictures of the workbench in every state, and of the other pages, in paper and ink: to be looked at.

.venv/bin/python -m tests.browser.screenshots FOLDER [WIDTHxHEIGHT] writes PNGs; none of them goes into git.
.venv/bin/python -m tests.browser.screenshots --docs takes those of the documentation anew.
"""

import io
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image

from config.embedded.stack import ROOT
from tests.browser import people
from tests.browser.states import THEMES, states, wear
from tests.support import browser as chromium
from tests.support import jobs
from tests.support.live_stack import LiveStack

PAGES = ("", "tasks/", "review/", "batches/", "members/", "sessions/", "audit/", "settings/")
#: State and theme → the picture's name in docs/pictures.
DOCS = {("panel 1", "ink"): "workbench", ("conflict", "ink"): "conflict", ("results", "paper"): "results"}
DOCS_SIZE = "1440x820"


def take(page: Any) -> bytes:
    """What is seen, without what comes and goes: notices, the pointer, the ring around what has the focus."""
    # Not by their buttons: a dialog may lie over them.
    page.evaluate("() => document.querySelectorAll('[data-testid=notice]').forEach(one => one.remove())")
    page.mouse.move(5, 5)
    page.evaluate("() => document.activeElement.blur()")
    # Transitions end.
    page.wait_for_timeout(400)
    return bytes(page.screenshot())


def workbench(stack: LiveStack, browser: Any, folder: Path) -> None:
    """Every state in both themes."""
    for name, page in states(stack, browser):
        for theme in THEMES:
            wear(page, theme)
            page.wait_for_timeout(300)
            page.screenshot(path=folder / f"workbench, {name}, {theme}.png")


def pages(stack: LiveStack, browser: Any, folder: Path) -> None:
    """The project's pages as its owner sees them."""
    olga = people.session(stack, "olga")
    project = jobs.project_id(olga)
    for theme in THEMES:
        context = browser.new_context(base_url=stack.base_url, viewport=people.VIEWPORT)
        people.let_in(context, olga, stack.base_url)
        context.add_cookies([{"name": "theme", "value": theme, "url": stack.base_url}])
        page = context.new_page()
        for address in ("/", "/projects/", "/settings/", *(f"/projects/{project}/{part}" for part in PAGES)):
            page.goto(address)
            page.wait_for_load_state("networkidle")
            name = address.replace(project, "demo").strip("/").replace("/", " ") or "home"
            page.screenshot(path=folder / f"{name}, {theme}.png", full_page=True)
        context.close()


def documentation(stack: LiveStack, browser: Any) -> None:
    """The pictures of README and user guide."""
    for name, page in states(stack, browser):
        for theme in THEMES:
            if target := DOCS.get((name, theme)):
                wear(page, theme)
                picture = Image.open(io.BytesIO(take(page))).convert("RGB")
                picture.save(ROOT / "docs" / "pictures" / f"{target}.webp", quality=82, method=6)


def main() -> None:
    """Take them all."""
    words = sys.argv[1:]
    for_docs = words == ["--docs"]
    width, height = (words[1] if len(words) > 1 else DOCS_SIZE).split("x")
    people.VIEWPORT.update(width=int(width), height=int(height))
    with tempfile.TemporaryDirectory() as data, chromium.launched() as browser:
        stack = LiveStack(Path(data) / "data")
        try:
            stack.start()
            if for_docs:
                documentation(stack, browser)
                return
            folder = Path(words[0])
            folder.mkdir(parents=True, exist_ok=True)
            workbench(stack, browser, folder)
            pages(stack, browser, folder)
        finally:
            stack.stop()


if __name__ == "__main__":
    main()
