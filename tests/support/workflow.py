"""Tasks in any status with any holder, and the calls that move them."""

import json
import random
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django.db import connection
from rest_framework.test import APIClient

from locks import operations as leases
from locks.models import TaskLock
from review.models import Annotation, Draft
from tasks.domain.matrix import Action, Role
from tasks.domain.statuses import Status
from tasks.models import Asset, Batch, BatchAssignee, BatchCount, Membership, Project, Task, User
from tasks.operations.transactions import db_now

#: What each action's request carries.
BODIES: dict[Action, dict[str, Any]] = {
    Action.CLAIM: {"client_id": "page"},
    Action.SUBMIT: {},
    Action.WITHDRAW: {},
    Action.RECALL: {"client_id": "page"},
    Action.REVIEW_CLAIM: {"client_id": "page"},
    Action.APPROVE: {"annotation_revision": 1},
    Action.REJECT: {"annotation_revision": 1, "reason": "The box is too large."},
    Action.REOPEN: {"reason": "A cup is missing."},
}


def address_of(action: Action, task: Task) -> str:
    """Where the action is sent."""
    return f"tasks/{task.pk}/{action.value.replace('_', '-')}"


@dataclass
class Answer:
    """A response, its body parsed."""

    status: int
    body: Any
    raw: bytes
    headers: Any

    @property
    def code(self) -> str | None:
        """The problem's code."""
        return self.body.get("code") if isinstance(self.body, dict) else None


def call(user: User | None, method: str, path: str, body: Any = None, **extra: Any) -> Answer:
    """A request to /api/v1/`path`; `user` None: nobody is signed in."""
    client = APIClient()
    if user is not None:
        client.force_authenticate(user)
    content: dict[str, Any] = (
        {} if body is None else {"data": json.dumps(body), "content_type": "application/json"}
    )
    response = getattr(client, method)(f"/api/v1/{path}", **content, **extra)
    raw = b"".join(response.streaming_content) if response.streaming else response.content
    is_json = "json" in response.get("Content-Type", "")
    try:
        parsed = json.loads(raw) if raw and is_json else None
    except ValueError:
        parsed = None
    return Answer(response.status_code, parsed, raw, response.headers)


def an_asset(project: Project) -> Asset:
    """A picture's row; its files do not exist."""
    return Asset.objects.create(
        project=project,
        image=f"assets/{uuid4()}/image.png",
        width=160,
        height=120,
        sha256="0" * 64,
        size_bytes=1,
        original="none",
        original_name="none.png",
        original_sha256="0" * 64,
        original_format="PNG",
        original_size_bytes=1,
    )


def task_in(
    batch: Batch,
    status: Status = Status.PENDING,
    *,
    asset: Asset | None = None,
    confirmed_by: User | None = None,
    **columns: Any,
) -> Task:
    """A task that has just this status; with `confirmed_by` it has a confirmed draft, revision 1."""
    task = Task.objects.create(
        project=batch.project,
        batch=batch,
        asset=asset or an_asset(batch.project),
        name=f"picture {random.randrange(10**9)}",
        status=status,
        random_key=random.random(),
        annotation_revision=None if confirmed_by is None else 1,
        **columns,
    )
    BatchCount.objects.create(batch=batch, status=status, delta=1)
    if confirmed_by is not None:
        now = db_now()
        Draft.objects.create(task=task, version=1, items=[], updated_by=confirmed_by, updated_at=now)
        Annotation.objects.create(
            task=task,
            revision=1,
            selection_mode="free",
            config_version=task.config_version,
            draft_version=1,
            items=[],
            confirmed_by=confirmed_by,
            confirmed_at=now,
        )
    return task


def many_tasks(batch: Batch, number: int) -> list[UUID]:
    """Pending tasks, made in bulk; their ids in the order of the queue."""
    asset = an_asset(batch.project)
    tasks = Task.objects.bulk_create(
        [
            Task(
                project_id=batch.project_id,
                batch=batch,
                asset=asset,
                name=f"picture {place}",
                status=Status.PENDING,
                order=place,
                random_key=random.random(),
                model_confidence=random.random(),
            )
            for place in range(number)
        ]
    )
    BatchCount.objects.create(batch=batch, status=Status.PENDING, delta=number)
    return [task.pk for task in tasks]


def held_by(task: Task, user: User, *, client_id: str = "page", ttl: int = 300) -> TaskLock:
    """The task's live lock is this person's."""
    return leases.acquire(task_id=task.pk, user_id=user.pk, client_id=client_id, ttl_seconds=ttl).lock


def let_pass(task: Task, seconds: float) -> None:
    """As if so many seconds had gone by since the lock's last heartbeat."""
    ago = timedelta(seconds=seconds)
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE task_locks SET acquired_at = acquired_at - %(ago)s, heartbeat_at = heartbeat_at - %(ago)s"
            ", expire_at = expire_at - %(ago)s WHERE task_id = %(task)s",
            {"ago": ago, "task": task.pk},
        )
        cursor.execute(
            "UPDATE tasks SET last_worked_at = last_worked_at - %(ago)s WHERE id = %(task)s",
            {"ago": ago, "task": task.pk},
        )


def a_batch(project: Project, *assignees: User, **columns: Any) -> Batch:
    """An active batch given to these people."""
    batch = Batch.objects.create(**{"project": project, "name": "Batch", "status": "active", **columns})
    BatchAssignee.objects.bulk_create([BatchAssignee(batch=batch, user=user) for user in assignees])
    return batch


def annotators(project: Project, number: int) -> list[User]:
    """So many more members who annotate."""
    people = User.objects.bulk_create([User(username=f"person-{uuid4().hex[:10]}") for _ in range(number)])
    Membership.objects.bulk_create(
        [Membership(project=project, user=user, role=Role.ANNOTATOR) for user in people]
    )
    return people
