"""Running the two halves of a connection, what comes in and what goes out, until one of them ends."""

import asyncio
from collections.abc import Coroutine
from typing import Any


async def first_to_end(*halves: Coroutine[Any, Any, None]) -> None:
    """Run all; when one returns, cancel the others. Raises what the first to fail raised."""
    running = [asyncio.ensure_future(half) for half in halves]
    try:
        done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for half in running:
            half.cancel()
        await asyncio.gather(*running, return_exceptions=True)
    for half in done:
        half.result()
