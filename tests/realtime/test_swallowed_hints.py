"""A channel server that takes connections and answers nothing must not hold up every write."""

import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest

from config.embedded import ports
from tasks.operations import hints


@pytest.fixture
def swallowing(settings: Any) -> Iterator[None]:
    """CHANNEL_URL leads to a socket that nobody reads."""
    with socket.create_server((ports.LOOPBACK, 0)) as server:
        settings.CHANNEL_URL = f"redis://{ports.LOOPBACK}:{server.getsockname()[1]}/0"
        hints._client.cache_clear()
        yield
    hints._client.cache_clear()
    hints._quiet_until = 0.0


def test_only_the_first_hint_waits(swallowing: None) -> None:
    started = time.monotonic()
    for _ in range(20):
        hints.publish({"task": "x"})
    assert time.monotonic() - started < 4
