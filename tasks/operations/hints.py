"""Hints: "something changed in this task". Ids only; any of them may be lost without harm.

Sent after the commit, from a plain synchronous client: `group_send` through `async_to_sync` would open
a connection for each call. The hub (tasks/realtime) reads PostgreSQL when it hears one.
"""

import functools
import json
import logging
import time
from uuid import UUID

import redis
from django.conf import settings
from django.db import transaction

logger = logging.getLogger(__name__)

CHANNEL = "countersign.hints"
#: After a time-out nobody is told for this long: a server that swallows connections would otherwise cost each
#: write a second. A refused connection costs nothing and is tried again at once.
QUIET_SECONDS = 3.0
_quiet_until = 0.0


@functools.cache
def _client() -> redis.Redis:
    return redis.Redis.from_url(settings.CHANNEL_URL, socket_connect_timeout=1, socket_timeout=1)


def publish(message: dict[str, str]) -> None:
    """Tell every hub now. Never raises: a hint is not worth a request."""
    global _quiet_until  # two threads may both set it; either value will do
    if time.monotonic() < _quiet_until:
        return
    try:
        _client().publish(CHANNEL, json.dumps(message))
    except redis.RedisError as error:
        if isinstance(error, redis.TimeoutError):
            _quiet_until = time.monotonic() + QUIET_SECONDS
        logger.warning("hint not sent (readers will find the change by their sweep): %s", error)


def _publish_once(message: dict[str, str]) -> None:
    """After the commit, once, however often this transaction asks: most operations write several events."""
    waiting = transaction.get_connection().run_on_commit
    if not any(getattr(entry[1], "args", None) == (message,) for entry in waiting):
        transaction.on_commit(functools.partial(publish, message), robust=True)


def hint_task(task_id: UUID, project_id: UUID) -> None:
    """After the commit, tell the hubs that this task has news."""
    _publish_once({"task": str(task_id), "project": str(project_id)})


def hint_relay() -> None:
    """After the commit, wake the relay."""
    _publish_once({"relay": "outbox"})


def hint_membership(user_id: UUID, project_id: UUID) -> None:
    """After the commit, tell the hubs to check this person's streams again."""
    message = {"member": str(user_id), "project": str(project_id)}
    transaction.on_commit(functools.partial(publish, message), robust=True)
