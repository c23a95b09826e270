"""One running server and one Chromium for this whole folder: each test makes its own tasks on it.

A module whose tests change what all others see (a project's policies) defines a `live_stack` of its own.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support import browser as chromium
from tests.support.live_stack import LiveStack


@pytest.fixture(scope="package")
def live_stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveStack]:
    """The real server, with the demo."""
    stack = LiveStack(tmp_path_factory.mktemp("browser") / "data")
    try:
        stack.start()
        yield stack
    finally:
        stack.stop()


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """Chromium; it ends with the folder, since its event loop would be in the way of other tests'."""
    with chromium.launched() as launched:
        yield launched
