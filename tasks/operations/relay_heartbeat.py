"""The relay's sign of life, for `/readyz`: a key on the channel server that runs out by itself."""

import functools
import logging

import redis
from django.conf import settings

logger = logging.getLogger(__name__)

KEY = "countersign.relay.alive"
#: The relay beats at least every few seconds; after this it counts as gone.
LIFETIME_SECONDS = 15


@functools.cache
def _client() -> redis.Redis:
    return redis.Redis.from_url(settings.CHANNEL_URL, socket_connect_timeout=1, socket_timeout=1)


def beat() -> None:
    """Say that a relay works, after a turn in which it reached database and broker. Never raises."""
    try:
        _client().set(KEY, "1", ex=LIFETIME_SECONDS)
    except redis.RedisError as error:
        logger.warning("the relay's sign of life was not written: %s", error)


def is_alive() -> bool:
    """Whether some relay has beaten lately. Raises redis.RedisError where the server does not answer."""
    return bool(_client().exists(KEY))
