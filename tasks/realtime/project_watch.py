"""Open project pages: each gets the summary at once and whenever it changed, at most once a second."""

import asyncio
import json
import logging
from typing import Any
from uuid import UUID

from tasks.queries.project_summary import summaries
from tasks.realtime.mailbox import Mailbox
from tasks.realtime.threads import DATABASE_DOWN, HubThreads

logger = logging.getLogger(__name__)

#: However many tasks move, a project is summed up once in this time.
PAUSE_SECONDS = 1.0


class ProjectWatch:
    """The watchers of each project, and what each of them was last told."""

    def __init__(self, threads: HubThreads) -> None:
        self._threads = threads
        self._watchers: dict[UUID, set[Mailbox]] = {}
        self._project_of: dict[Mailbox, UUID] = {}
        self._told: dict[Mailbox, str] = {}
        self._changed: set[UUID] = set()
        self._has_changed = asyncio.Event()

    def enter(self, watcher: Mailbox, project_id: UUID) -> None:
        """Somebody opened the project."""
        self._watchers.setdefault(project_id, set()).add(watcher)
        self._project_of[watcher] = project_id
        self.changed(project_id)

    def leave(self, watcher: Mailbox) -> None:
        """Somebody closed it."""
        project_id = self._project_of.pop(watcher, None)
        self._told.pop(watcher, None)
        if project_id is not None:
            watchers = self._watchers.get(project_id, set())
            watchers.discard(watcher)
            if not watchers:
                self._watchers.pop(project_id, None)

    def project_of(self, watcher: Mailbox) -> UUID | None:
        """The project that this stream shows; None for a task's stream."""
        return self._project_of.get(watcher)

    def changed(self, project_id: UUID) -> None:
        """Something moved in the project."""
        if project_id in self._watchers:
            self._changed.add(project_id)
            self._has_changed.set()

    def check_all(self) -> None:
        """Sum up every watched project again, whether or not a hint came."""
        for project_id in self._watchers:
            self.changed(project_id)

    async def run(self) -> None:
        """Sum up what changed, until cancelled."""
        while True:
            await self._has_changed.wait()
            self._has_changed.clear()
            changed, self._changed = self._changed, set()
            for project_id in changed:
                watchers = list(self._watchers.get(project_id, ()))
                people = {watcher.visitor.user_id for watcher in watchers}
                try:
                    found = await self._threads.run(summaries, project_id=project_id, user_ids=people)
                except DATABASE_DOWN as error:
                    logger.warning("project not summed up, trying again: %s", error)
                    self.changed(project_id)
                    continue
                for watcher in watchers:
                    if summary := found.get(watcher.visitor.user_id):
                        self._tell(watcher, summary)
            await asyncio.sleep(PAUSE_SECONDS)

    def _tell(self, watcher: Mailbox, summary: dict[str, Any]) -> None:
        text = json.dumps(summary, sort_keys=True)
        if watcher in self._project_of and self._told.get(watcher) != text:
            self._told[watcher] = text
            watcher.note("snapshot", {"type": "snapshot", **summary})
