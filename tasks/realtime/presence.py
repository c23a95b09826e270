"""Who has a task open. Kept in memory and passed between hubs; nobody's work depends on it."""

import time
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID, uuid4

from tasks.realtime.mailbox import Reader

#: Another hub's word counts for this many of its repetitions.
REPETITIONS = 3

Person = dict[str, str]


class Presence:
    """The people at each task: those of this process, and those that other hubs told of lately."""

    def __init__(
        self, publish: Callable[[dict[str, Any]], Awaitable[None]], *, repeat_seconds: float
    ) -> None:
        self.hub_id = uuid4().hex
        self._publish = publish
        self._lifetime = REPETITIONS * repeat_seconds
        self._here: dict[UUID, set[Reader]] = {}
        #: task → hub → (people, when they count no more)
        self._elsewhere: dict[UUID, dict[str, tuple[list[Person], float]]] = {}

    async def enter(self, reader: Reader) -> None:
        """Somebody opened the task."""
        self._here.setdefault(reader.task_id, set()).add(reader)
        await self._changed(reader.task_id)

    async def leave(self, reader: Reader) -> None:
        """Somebody closed it."""
        readers = self._here.get(reader.task_id, set())
        readers.discard(reader)
        await self._changed(reader.task_id)
        if not readers:
            self._here.pop(reader.task_id, None)

    async def repeat(self) -> None:
        """Tell the other hubs again, and forget those that fell silent."""
        now = time.monotonic()
        for task_id in list(self._elsewhere):
            hubs = self._elsewhere[task_id]
            silent = [hub for hub, (_, until) in hubs.items() if until < now]
            for hub in silent:
                del hubs[hub]
            if not hubs:
                del self._elsewhere[task_id]
            if silent:
                self._tell_readers(task_id)
        for task_id in list(self._here):
            await self._publish(self._message(task_id))

    def hear(self, hint: dict[str, Any]) -> None:
        """Another hub's word: {presence: task, hub, users}."""
        try:
            task_id, hub = UUID(hint["presence"]), str(hint["hub"])
            people = [
                {"id": str(user["id"]), "username": str(user["username"]), "name": str(user["name"])}
                for user in hint["users"]
            ]
        except (KeyError, TypeError, ValueError):
            return
        # What nobody here looks at needs no memory.
        if hub == self.hub_id or task_id not in self._here:
            return
        hubs = self._elsewhere.setdefault(task_id, {})
        before = hubs.get(hub, ([], 0.0))[0]
        if people:
            hubs[hub] = (people, time.monotonic() + self._lifetime)
        else:
            hubs.pop(hub, None)
        if people != before:
            self._tell_readers(task_id)

    def people_at(self, task_id: UUID) -> list[Person]:
        """Each person once, by name."""
        found = {person["id"]: person for person in self._local(task_id)}
        for people, _ in self._elsewhere.get(task_id, {}).values():
            found |= {person["id"]: person for person in people}
        return sorted(found.values(), key=lambda person: (person["name"], person["id"]))

    async def _changed(self, task_id: UUID) -> None:
        self._tell_readers(task_id)
        await self._publish(self._message(task_id))

    def _local(self, task_id: UUID) -> list[Person]:
        people = {reader.visitor.user_id: reader.visitor for reader in self._here.get(task_id, ())}
        return [visitor.as_user_body() for visitor in sorted(people.values(), key=lambda v: v.username)]

    def _message(self, task_id: UUID) -> dict[str, Any]:
        return {"presence": str(task_id), "hub": self.hub_id, "users": self._local(task_id)}

    def _tell_readers(self, task_id: UUID) -> None:
        message = {"type": "presence", "users": self.people_at(task_id)}
        for reader in self._here.get(task_id, ()):
            reader.note("presence", message)
