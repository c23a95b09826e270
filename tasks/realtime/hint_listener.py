"""Hearing hints: one subscription per process, made again for as long as it takes."""

import asyncio
import json
import logging
import random
from collections.abc import Callable
from typing import Any

import redis
from redis.asyncio import Redis

logger = logging.getLogger(__name__)

#: Without a message for this long the server is asked whether it is still there.
SILENCE_SECONDS = 15.0
_FIRST_DELAY, _LONGEST_DELAY = 0.1, 3.0


class HintListener:
    """Subscribes to the hint channel and hands each message on.

    Hints may be lost at any time (the readers' sweep finds what they missed), so every new subscription
    reports itself: `on_subscribed` is called when messages from now on will be heard.
    """

    def __init__(
        self,
        url: str,
        channel: str,
        *,
        on_hint: Callable[[dict[str, Any]], None],
        on_subscribed: Callable[[], None],
    ) -> None:
        self._channel = channel
        self._on_hint = on_hint
        self._on_subscribed = on_subscribed
        self._redis = Redis.from_url(url, socket_connect_timeout=2, socket_keepalive=True)

    async def run(self) -> None:
        """Listen until cancelled, whatever happens to the server."""
        delay = _FIRST_DELAY
        while True:
            try:
                async with self._redis.pubsub() as subscription:
                    await subscription.subscribe(self._channel)
                    delay = _FIRST_DELAY
                    logger.info("listening for hints")
                    await self._hear(subscription)
            except (redis.RedisError, OSError, TimeoutError) as error:
                logger.warning("no hints for now, streams go on by their sweep: %s", error)
            # With jitter, so that all processes do not come back in one instant.
            await asyncio.sleep(delay * random.uniform(0.5, 1.0))
            delay = min(delay * 2, _LONGEST_DELAY)

    async def publish(self, message: dict[str, Any]) -> None:
        """Tell the other hubs. Never raises: what goes this way may be lost."""
        try:
            async with asyncio.timeout(2):
                await self._redis.publish(self._channel, json.dumps(message))
        except (redis.RedisError, OSError, TimeoutError) as error:
            logger.debug("not published: %s", error)

    async def close(self) -> None:
        """Close the connections."""
        await self._redis.aclose()

    async def _hear(self, subscription: Any) -> None:
        asked = False
        while True:
            message = await subscription.get_message(timeout=SILENCE_SECONDS)
            if message is None:
                if asked:
                    # A cut cable says nothing: only the missing answer shows it.
                    raise TimeoutError("the channel server does not answer")
                asked = True
                await subscription.ping()
                continue
            asked = False
            if message["type"] == "subscribe":
                self._on_subscribed()
            elif message["type"] == "message":
                self._hand_on(message["data"])

    def _hand_on(self, data: bytes) -> None:
        try:
            hint = json.loads(data)
        except ValueError:
            return
        if isinstance(hint, dict):
            self._on_hint(hint)
