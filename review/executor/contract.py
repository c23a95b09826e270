"""What a handler is given and what it may raise. It cannot reach a job's status, and waits for nobody."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

from review.providers.contract import Picture

Input: TypeAlias = dict[str, Any]
Report: TypeAlias = dict[str, Any]


class NodeExecutionError(Exception):
    """A node that failed. `code` is stable, `message` says what happened and what to do,
    `retryable` whether the same input may succeed later."""

    def __init__(self, code: str, message: str, retryable: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.retryable = retryable


class NodeContext(Protocol):
    """The handler's whole world besides its input."""

    def picture(self) -> Picture:
        """The normalised picture: RGB uint8, shape (height, width, 3)."""

    def read_artifact(self, key: str) -> bytes:
        """The bytes of an earlier node's artifact."""

    def write_artifact(self, name: str, data: bytes) -> str:
        """Store bytes under this run; the key to read them by."""

    def progress(self, phase: str, done: int, total: int) -> None:
        """Say how far the node is; may be called often."""

    def cancelled(self) -> bool:
        """Whether the run's result is no longer wanted."""


class Handler(Protocol):
    """A node's work."""

    def __call__(self, *, input: Input, context: NodeContext) -> Report:
        """The report, JSON-serialisable. Raises NodeExecutionError."""


def stop_if_cancelled(context: NodeContext) -> None:
    """Raises NodeExecutionError CANCELLED when nobody waits for the result any more."""
    if context.cancelled():
        raise NodeExecutionError("CANCELLED", "The run was cancelled.", False)
