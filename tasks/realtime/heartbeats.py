"""Heartbeats that come over WebSockets: gathered for a moment, written in one statement."""

import asyncio
import logging
from datetime import datetime
from uuid import UUID

from locks.operations import heartbeat_many
from tasks.domain.times import iso
from tasks.realtime.mailbox import Mailbox
from tasks.realtime.threads import DATABASE_DOWN, HubThreads

logger = logging.getLogger(__name__)

#: How long beats are gathered. Clients wait 8 s for the answer, leases live for 60 s at least.
WINDOW_SECONDS = 0.5

#: (task, person)
Holding = tuple[UUID, UUID]


class Heartbeats:
    """Coalesces beats; each client hears `held` with the new end, or `lost`."""

    def __init__(self, threads: HubThreads) -> None:
        self._threads = threads
        self._waiting: dict[Holding, dict[str, Mailbox]] = {}
        self._has_some = asyncio.Event()

    def add(self, holding: Holding, *, client_id: str, mailbox: Mailbox) -> None:
        """Take a beat; the answer comes to `mailbox`. Beats of one person's pages are one statement's row."""
        self._waiting.setdefault(holding, {})[client_id] = mailbox
        self._has_some.set()

    async def run(self) -> None:
        """Write what was gathered, until cancelled."""
        while True:
            await self._has_some.wait()
            await asyncio.sleep(WINDOW_SECONDS)
            self._has_some.clear()
            gathered, self._waiting = self._waiting, {}
            try:
                beats = await self._threads.run(heartbeat_many, list(gathered))
            except DATABASE_DOWN as error:
                # No answer: the client beats again over HTTP, and its lease outlives a restart.
                logger.warning("heartbeats not written: %s", error)
                continue
            ends = beats.renewed | beats.busy
            for holding, clients in gathered.items():
                for client_id, mailbox in clients.items():
                    _answer(mailbox, client_id, ends.get(holding))


def _answer(mailbox: Mailbox, client_id: str, end: datetime | None) -> None:
    state = "lost" if end is None else "held"
    # One kind for each client id: none of two answers is dropped.
    mailbox.note(f"lock {client_id}", {"type": "lock", "state": state, "expire_at": iso(end)})
