"""Writing to the outbox, in the transaction that the message speaks of."""

from datetime import datetime
from typing import Any

from tasks.models import OutboxMessage
from tasks.operations.hints import hint_relay
from tasks.operations.transactions import db_now


def enqueue(*, kind: str, payload: dict[str, Any], available_at: datetime | None = None) -> OutboxMessage:
    """Add a message (ids only). It goes out once the transaction has committed, however often we crash."""
    now = db_now()
    message = OutboxMessage.objects.create(
        kind=kind, payload=payload, available_at=available_at or now, created_at=now
    )
    hint_relay()
    return message
