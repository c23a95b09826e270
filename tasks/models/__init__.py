"""The tables of the workflow."""

from tasks.models.asset import Asset
from tasks.models.audit import AuditEntry
from tasks.models.batch import Batch, BatchAssignee, BatchCount
from tasks.models.event import Event
from tasks.models.idempotency import IdempotentRequest
from tasks.models.outbox import OutboxMessage
from tasks.models.policy import ProjectPolicy
from tasks.models.project import Membership, Project
from tasks.models.task import Task
from tasks.models.user import ApiToken, User

__all__ = [
    "ApiToken",
    "Asset",
    "AuditEntry",
    "Batch",
    "BatchAssignee",
    "BatchCount",
    "Event",
    "IdempotentRequest",
    "Membership",
    "OutboxMessage",
    "Project",
    "ProjectPolicy",
    "Task",
    "User",
]
