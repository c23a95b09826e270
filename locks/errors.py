"""What can go wrong with a lease. The tasks app says it to clients in its own words."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from locks.models import TaskLock


class LeaseHeld(Exception):
    """Somebody else is live in the lock."""

    def __init__(self, lock: "TaskLock") -> None:
        super().__init__(f"held by {lock.user_id}")
        self.lock = lock


class LeaseLost(Exception):
    """The caller had the lock, or claims to, and has it no longer. `lock`: the live holder's, or None."""

    def __init__(self, lock: "TaskLock | None") -> None:
        super().__init__("lost")
        self.lock = lock
