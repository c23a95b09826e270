"""The hub's own database threads: synchronous reads for asynchronous code, few at a time.

Apart from the HTTP threads, so that streams and requests cannot starve each other, and apart from
asgiref's thread-sensitive thread, through which all consumers of a process would queue.
"""

import asyncio
import functools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.db import Error, connections
from psycopg_pool import PoolTimeout

P = ParamSpec("P")
R = TypeVar("R")

#: What a call raises while the database is away: wait and try again.
DATABASE_DOWN = (Error, PoolTimeout)


class HubThreads:
    """A bounded executor whose calls give their database connection back when they end."""

    def __init__(self, size: int) -> None:
        self._executor = ThreadPoolExecutor(max_workers=size, thread_name_prefix="hub")

    async def run(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """`function(*args, **kwargs)` in one of the threads; whatever it raises."""
        call = functools.partial(_with_own_connection, function, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._executor, call)

    def shut_down(self) -> None:
        """Take no more calls; calls that still wait are dropped."""
        self._executor.shutdown(wait=False, cancel_futures=True)


def _with_own_connection(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    try:
        return function(*args, **kwargs)
    finally:
        # Back to the pool at once: nothing holds a connection while a client waits for an event.
        connections.close_all()
