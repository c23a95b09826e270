"""Chromium: where it is, how it is started, and what happens where there is none."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import pytest
from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-quic",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
]


def executable() -> str | None:
    """The path of a Chromium on this machine."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named
    for name in NAMES:
        found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/bin:/usr/local/bin")
        if found:
            return found
    return None


def skip_or_fail(reason: str) -> NoReturn:
    """Skip, saying why; on the build server a skip is a failure."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@contextmanager
def launched() -> Iterator[Any]:
    """A running Chromium, driven by Playwright."""
    path = executable()
    if path is None:
        skip_or_fail("no Chromium on this machine: install it, or set CHROMIUM to its path")
    # Playwright's loop runs in this thread; Django would take the tests' own queries for async code.
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    try:
        with sync_playwright() as playwright:
            running = playwright.chromium.launch(executable_path=path, args=FLAGS)
            yield running
            running.close()
    finally:
        if before is None:
            del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]
        else:
            os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = before
