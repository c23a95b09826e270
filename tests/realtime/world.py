"""A small project with people, a task and a job, and events as the operations write them."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction

from review.domain.job_states import MOVES, JobStatus
from review.models import Job
from review.operations.move_job import move_job
from tasks.api.authentication import token_digest
from tasks.domain.event_types import EventData, RunProgress
from tasks.domain.matrix import Role
from tasks.domain.statuses import BatchStatus, Status
from tasks.models import ApiToken, Asset, Batch, Membership, Project, Task, User
from tasks.operations.events import append_event
from tasks.operations.transactions import db_now

PASSWORD = "countersign-demo"


@dataclass
class World:
    """One project: olga owns it, anna annotates, vera looks on, sten is a stranger."""

    project: Project
    batch: Batch
    people: dict[str, User]

    def token(self, username: str) -> str:
        """An API token of that person."""
        return f"token-of-{username}"

    def headers(self, username: str) -> dict[str, str]:
        """What signs that person in."""
        return {"Authorization": f"Token {self.token(username)}"}

    def new_task(self) -> Task:
        """A pending task with a picture's row."""
        asset = Asset.objects.create(
            project=self.project, image="assets/a/image.png", width=640, height=480, sha256="0" * 64,
            size_bytes=1, original="assets/a/original", original_name="a.png", original_sha256="0" * 64,
            original_format="PNG", original_size_bytes=1,
        )  # fmt: skip
        return Task.objects.create(
            project=self.project, batch=self.batch, asset=asset, name="a.png", status=Status.PENDING
        )

    def new_job(self, task: Task) -> Job:
        """A live job that begins after the task's newest event."""
        task.refresh_from_db()
        now = db_now()
        job = Job.objects.create(
            task=task,
            status=JobStatus.DETECTING,
            first_event_seq=task.event_seq,
            created_at=now,
            updated_at=now,
        )
        Task.objects.filter(pk=task.pk).update(job_id=job.pk, job_status=job.status)
        return job


def make_world() -> World:
    """Write it; several may live in one database."""
    people = {
        name: User.objects.get_or_create(username=name, defaults={"is_active": True})[0]
        for name in ("olga", "anna", "vera", "sten")
    }
    for name, user in people.items():
        ApiToken.objects.get_or_create(
            digest=token_digest(f"token-of-{name}"), defaults={"user": user, "name": "test"}
        )
    project = Project.objects.create(name="Streams", owner=people["olga"])
    for name, role in (("olga", Role.PROJECT_ADMIN), ("anna", Role.ANNOTATOR), ("vera", Role.VIEWER)):
        Membership.objects.create(project=project, user=people[name], role=role)
    batch = Batch.objects.create(
        project=project, name="Inbox", status=BatchStatus.ACTIVE, open=True, is_default=True
    )
    return World(project, batch, people)


def add_events(task: Task, number: int, *, job_id: UUID | None = None) -> None:
    """Append `number` events, each in a transaction of its own, hinted as every operation does."""
    for index in range(number):
        add_event(task, RunProgress(run_id="r", node_type="t", phase="p", done=index, total=number), job_id)


def add_event(task: Task, data: EventData, job_id: UUID | None = None) -> None:
    """Append one event."""
    with transaction.atomic():
        append_event(task=task, data=data, job_id=job_id)


def end_job(job: Job, status: JobStatus = JobStatus.FAILED) -> None:
    """Move the job to its end, with its terminal event."""
    with transaction.atomic():
        task = Task.objects.select_for_update(no_key=True).get(pk=job.task_id)
        row = Job.objects.get(pk=job.pk)
        (trigger, *_) = MOVES[JobStatus(row.status)][status]
        move_job(task=task, job=row, target=status, trigger=trigger)


def numbers(events: list[dict[str, Any]]) -> list[int]:
    """Their seqs."""
    return [event["seq"] for event in events]
