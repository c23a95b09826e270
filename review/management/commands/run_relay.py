"""The relay process: publishes the outbox, does the control plane's steps, finds what was lost."""

import gc
import json
import logging
import signal
import time
from typing import Any

import redis
from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import InterfaceError, OperationalError, connection

from review.operations.broker import Broker
from review.operations.relay_outbox import publish_due, run_steps
from review.operations.sweep_runs import sweep_runs
from tasks.operations import relay_heartbeat
from tasks.operations.fold_counts import fold_counts
from tasks.operations.hints import CHANNEL

logger = logging.getLogger("countersign.relay")

#: A wait never lasts longer than this, so that a stop is noticed.
SLICE_SECONDS = 0.25
LONGEST_IDLE_SECONDS = 2.0
BEAT_SECONDS = 3.0
AFTER_ERROR_SECONDS = 0.5


class Command(BaseCommand):
    """Run until SIGTERM or SIGINT; several may run at once."""

    help = "Publish the outbox to the broker and re-dispatch lost runs, until stopped."

    def handle(self, *args: Any, **options: Any) -> None:
        """The loop; whatever database or broker do, it goes on."""
        relay = Relay()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: relay.stop())
        logger.info("relay started")
        relay.run()
        logger.info("relay stopped")
        # The interpreter's last collection walks everything imported, seconds on a busy machine; a stop
        # has to be quick, and there is nothing left to collect.
        gc.freeze()


class Relay:
    """One relay; `run` returns after `stop`."""

    def __init__(self) -> None:
        self.broker = Broker(settings.BROKER_URL)
        self.wake = Wake(settings.CHANNEL_URL)
        self.is_stopping = False
        self._idle = settings.RELAY_IDLE_SECONDS
        self._next_sweep = 0.0
        self._next_beat = 0.0

    def stop(self) -> None:
        """Finish what is in hand, then return from `run`."""
        self.is_stopping = True

    def run(self) -> None:
        """Turn after turn."""
        try:
            while not self.is_stopping:
                try:
                    busy = self.turn()
                except (OperationalError, InterfaceError) as error:
                    logger.warning("no database for now: %s", error)
                    self._recover()
                except Exception:
                    logger.exception("a turn of the relay failed")
                    self._recover()
                else:
                    self._rest(busy)
        finally:
            connection.close()
            self.wake.close()
            self.broker.close()

    def turn(self) -> bool:
        """Everything that is due; whether there was anything."""
        done = run_steps() + publish_due(publish=self.broker.publish)
        now = time.monotonic()
        if now >= self._next_sweep:
            self._next_sweep = now + settings.SWEEP_SECONDS
            fold_counts()
            self._sweep()
        if now >= self._next_beat:
            self._next_beat = now + BEAT_SECONDS
            relay_heartbeat.beat()
        return done > 0

    def _sweep(self) -> None:
        try:
            waiting = self.broker.waiting()
        except Exception as error:
            # Nothing can be sent again now, and what waits in the outbox is safe there.
            logger.warning("the broker does not answer: %s", error)
            return
        swept = sweep_runs(messages_waiting=waiting)
        if swept.sent_again or swept.interrupted:
            logger.warning("sent %s runs again, gave up %s", swept.sent_again, swept.interrupted)

    def _recover(self) -> None:
        # The connection may be broken in a way that only a new one mends.
        connection.close()
        self._pause(AFTER_ERROR_SECONDS)

    def _rest(self, busy: bool) -> None:
        if busy:
            self._idle = settings.RELAY_IDLE_SECONDS
            return
        if self._pause(self._idle):
            self._idle = settings.RELAY_IDLE_SECONDS
        elif self.wake.is_listening:
            # Hints come at once; polling is only for the ones that get lost, so it may grow quiet.
            self._idle = min(self._idle * 1.5, LONGEST_IDLE_SECONDS)
        else:
            self._idle = settings.RELAY_IDLE_SECONDS

    def _pause(self, seconds: float) -> bool:
        """Wait; True as soon as a hint says that there is work."""
        until = time.monotonic() + seconds
        while not self.is_stopping and (left := until - time.monotonic()) > 0:
            if self.wake.wait(min(left, SLICE_SECONDS)):
                return True
        return False


class Wake:
    """The hint channel, if it is there: hints may be lost without harm."""

    def __init__(self, url: str) -> None:
        self._redis = redis.Redis.from_url(url, socket_connect_timeout=1, health_check_interval=15)
        self._heard: Any = None
        self._next_try = 0.0

    @property
    def is_listening(self) -> bool:
        """Whether hints reach us."""
        return self._heard is not None

    def wait(self, seconds: float) -> bool:
        """At most `seconds`; True where a hint for relays came."""
        until = time.monotonic() + seconds
        try:
            if self._heard is None and time.monotonic() >= self._next_try:
                self._next_try = time.monotonic() + 2.0
                client: Any = self._redis
                heard: Any = client.pubsub(ignore_subscribe_messages=True)
                heard.subscribe(CHANNEL)
                self._heard = heard
                # What was hinted while nobody listened is found by a look at the outbox.
                return True
            while self._heard is not None and (left := until - time.monotonic()) > 0:
                message = self._heard.get_message(timeout=left)
                if message and message["type"] == "message" and _is_for_relay(message["data"]):
                    # One turn does the work of every hint that is here already.
                    while self._heard.get_message(timeout=0) is not None:
                        pass
                    return True
        except (redis.RedisError, OSError, ValueError):
            self._heard = None
        if (left := until - time.monotonic()) > 0:
            time.sleep(left)
        return False

    def close(self) -> None:
        """Close the connection."""
        if self._heard is not None:
            self._heard.close()
        self._redis.close()


def _is_for_relay(data: bytes) -> bool:
    try:
        hint = json.loads(data)
    except ValueError:
        return False
    return isinstance(hint, dict) and "relay" in hint
