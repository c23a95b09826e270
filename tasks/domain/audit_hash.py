"""What an audit row's hash covers: everything that the row says, and the hash of the row before it."""

from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from tasks.domain.canonical import canonical_json, sha256_hex
from tasks.domain.times import iso


class AuditRow(Protocol):
    """An audit row, as stored or about to be."""

    at: datetime
    project_id: UUID
    task_id: UUID | None
    number: int
    actor_id: UUID | None
    actor_name: str
    role: str
    action: str
    reason: str
    before: Any
    after: Any
    request_id: str
    address: str
    prev_hash: str


def entry_hash(entry: AuditRow) -> str:
    """SHA-256 over the entry's content and the hash before it."""
    content = {
        "at": iso(entry.at),
        "project_id": str(entry.project_id),
        "task_id": str(entry.task_id) if entry.task_id else None,
        "number": entry.number,
        "actor_id": str(entry.actor_id) if entry.actor_id else None,
        "actor_name": entry.actor_name,
        "role": entry.role,
        "action": entry.action,
        "reason": entry.reason,
        "before": entry.before,
        "after": entry.after,
        "request_id": entry.request_id,
        "address": entry.address,
        "prev_hash": entry.prev_hash,
    }
    return sha256_hex(canonical_json(content))
