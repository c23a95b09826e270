"""A project with its people and jobs on it, and a worker that reports what a test tells it to."""

import io
from dataclasses import dataclass
from itertools import count
from typing import Any
from uuid import UUID, uuid4

from PIL import Image

from review.domain.job_states import NodeType, RunStatus
from review.models import Job, NodeRun
from review.operations.create_job import create_job_within
from review.operations.intervene import Answer, intervene
from review.operations.receive_report import Receipt, StoredFile, receive_report
from review.operations.relay_outbox import run_steps
from review.operations.take_run import take_run
from review.queries.job_body import job_body
from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.canonical import canonical_json, sha256_hex
from tasks.domain.matrix import Role
from tasks.domain.statuses import BatchStatus
from tasks.models import Batch, Membership, Project, Task, User
from tasks.operations.create_task import create_task_within
from tasks.operations.idempotency import Reply
from tasks.operations.row_locks import lock_task
from tasks.operations.store_asset import store_asset
from tasks.operations.transactions import operation
from tasks.queries.access import role_in

NOWHERE = RequestContext()
_NUMBERS = count(1)

CUP = {"label": "cup", "bbox": [10.0, 10.0, 60.0, 60.0], "score": 0.95, "detector": "test"}
TABLE = {"label": "table", "bbox": [0.0, 40.0, 160.0, 120.0], "score": 0.76, "detector": "test"}


def png(width: int = 160, height: int = 120) -> bytes:
    """A picture of that size."""
    file = io.BytesIO()
    Image.linear_gradient("L").resize((width, height)).convert("RGB").save(file, "PNG")
    return file.getvalue()


@dataclass
class House:
    """One project: olga owns, otto administers, rita reviews, anna and abel annotate, vera views."""

    project: Project
    people: dict[str, User]

    def __getattr__(self, name: str) -> User:
        try:
            return self.__dict__["people"][name]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def inbox(self) -> Batch:
        """The default batch."""
        return Batch.objects.get(project=self.project, is_default=True)


def a_house(**project: Any) -> House:
    """A new project with its people; `stranger` is in none."""
    number = next(_NUMBERS)
    names = ("olga", "otto", "rita", "anna", "abel", "vera", "stranger")
    people = {
        name: User.objects.create_user(username=f"{name}{number}-{uuid4().hex[:6]}", password="x")
        for name in names
    }
    people["root"] = User.objects.create_superuser(username=f"root{number}-{uuid4().hex[:6]}", password="x")
    made = Project.objects.create(
        name=f"House {number}",
        owner=people["olga"],
        labels=[
            {"id": "l1", "name": "cup", "aliases": ["coffee cup"]},
            {"id": "l2", "name": "spoon", "aliases": []},
        ],
        **project,
    )
    roles = {
        "olga": Role.PROJECT_ADMIN,
        "otto": Role.PROJECT_ADMIN,
        "rita": Role.REVIEWER,
        "anna": Role.ANNOTATOR,
        "abel": Role.ANNOTATOR,
        "vera": Role.VIEWER,
    }
    for name, role in roles.items():
        Membership.objects.create(project=made, user=people[name], role=role)
    Batch.objects.create(project=made, name="Inbox", status=BatchStatus.ACTIVE, open=True, is_default=True)
    return House(made, people)


@operation
def a_task(house: House, *, by: str = "olga", batch: Batch | None = None) -> Task:
    """A pending task with a picture of 160×120."""
    asset = store_asset(project=house.project, name="cup.png", data=png())
    return create_task_within(
        project=house.project,
        batch=batch or house.inbox,
        asset=asset,
        name="cup",
        question="",
        selection_mode="free",
        targets=[],
        actor=house.people[by],
        role=role_in(user=house.people[by], project=house.project) or Role.VIEWER,
        context=NOWHERE,
    )


@operation
def a_job(house: House, *, by: str = "anna", task: Task | None = None) -> Job:
    """A job that detects."""
    row = lock_task((task or _plain_task(house)).pk)
    role = role_in(user=house.people[by], project=house.project)
    return create_job_within(task=row, actor=house.people[by], role=role, pipeline="cut-out", context=NOWHERE)


def _plain_task(house: House) -> Task:
    return a_task.__wrapped__(house)  # type: ignore[attr-defined]


def fresh(job: Job) -> Job:
    """The row as it is now."""
    return Job.objects.get(pk=job.pk)


def queued(job: Job, node_type: NodeType, **more: Any) -> NodeRun:
    """The job's one queued run of that type."""
    return NodeRun.objects.get(job=job, node_type=node_type, status=RunStatus.QUEUED, **more)


def report(run: NodeRun, report: dict[str, Any] | None = None, **more: Any) -> Receipt:
    """Take the run as a worker does, and report."""
    taken = take_run(run_id=run.pk, worker="test:1")
    assert taken is not None, f"{run} is not to be had"
    return receive_report(run_id=run.pk, attempt=taken.attempt, report=report, **more)


def detected(job: Job, *boxes: dict[str, Any]) -> dict[str, Any]:
    """Detection has found `boxes`; the job that now waits."""
    report(queued(job, NodeType.DETECT_SUBJECTS), {"boxes": list(boxes), "warnings": []})
    return job_body(job.pk)


def waiting(house: House, *boxes: dict[str, Any], by: str = "anna") -> tuple[Job, dict[str, Any]]:
    """A job that waits for a person in round 1, and its body."""
    job = a_job(house, by=by)
    body = detected(job, *(boxes or (CUP, TABLE)))
    return fresh(job), body


def answer_to(body: dict[str, Any], keep: list[dict[str, Any]], **more: Any) -> Answer:
    """An answer to the body's active pause that keeps `keep`, naming what it deletes."""
    pause = body["active_pause"]
    kept = {box.get("box_id") for box in keep}
    values = {
        "intervention_id": str(uuid4()),
        "pause_token": pause["pause_token"],
        "base_version": pause["base_version"],
        "subjects": keep,
        "deleted_box_ids": [b["box_id"] for b in body["box_list"]["boxes"] if b["box_id"] not in kept],
    }
    return Answer(**(values | more))


def key_of(user: User, role: Role, answer: Answer, job_id: UUID | str) -> RequestKey:
    """The request key of an answer, as the API makes it."""
    content = answer.content() | {"intervention_id": answer.intervention_id}
    return RequestKey(
        key=answer.intervention_id,
        scope=f"job:{job_id}",
        actor_id=user.pk,
        role=role,
        operation="intervene",
        payload_hash=sha256_hex(canonical_json(content)),
    )


def send(house: House, job: Job, answer: Answer, *, by: str = "anna") -> Reply:
    """Intervene as `by`."""
    user = house.people[by]
    role = role_in(user=user, project=house.project) or Role.VIEWER
    return intervene(
        actor=user, job_id=job.pk, answer=answer, request=key_of(user, role, answer, job.pk), context=NOWHERE
    )


def no_key(user: User, role: Role, operation: str) -> RequestKey:
    """A request without an id."""
    return RequestKey(
        key=None, scope="request", actor_id=user.pk, role=role, operation=operation, payload_hash=""
    )


def a_file(run: NodeRun, name: str) -> StoredFile:
    """A file that a run claims to have written."""
    return StoredFile(key=f"artifacts/{run.task_id}/{run.pk}/1/{name}", size_bytes=3, sha256="0" * 64)


def processed(job: Job, *, verdicts: dict[str, str] | None = None) -> None:
    """Run the whole processing with fake reports: `verdicts` by box id, "pass" where none is given.

    "error" fails the segmentation; "refine" asks for one refinement and then passes.
    """
    top = queued(job, NodeType.PROCESS_APPROVED_BOX_LIST)
    segmented = [box["box_id"] for box in top.input["box_list"] if box["target_policy"] == "segment"]
    report(top, {"subjects": segmented})
    for box_id in segmented:
        verdict = (verdicts or {}).get(box_id, "pass")
        segment = queued(job, NodeType.SEGMENT_SUBJECT, box_id=box_id)
        if verdict == "error":
            report(segment, error={"code": "EMPTY_MASK", "message": "Nothing there.", "retryable": False})
            continue
        files = [a_file(segment, "mask.png"), a_file(segment, "cutout.png")]
        made = {"mask": files[0].key, "cutout": files[1].key, "predicted_iou": 0.9}
        report(segment, made, artifacts=files)
        report(queued(job, NodeType.QUALITY_GATE_SUBJECT, box_id=box_id), _gate(verdict))
        if verdict == "refine":
            refine = queued(job, NodeType.REFINE_SUBJECT, box_id=box_id)
            files = [a_file(refine, "mask.png"), a_file(refine, "cutout.png")]
            report(refine, {"mask": files[0].key, "cutout": files[1].key}, artifacts=files)
            report(queued(job, NodeType.QUALITY_GATE_SUBJECT, box_id=box_id), _gate("pass"))


def _gate(verdict: str) -> dict[str, Any]:
    reasons = [] if verdict == "pass" else [{"code": "TEST", "message": "As told."}]
    return {"verdict": verdict, "figures": {}, "reasons": reasons, "thresholds_version": "test"}


def finalized() -> int:
    """Do the relay's steps."""
    return run_steps()
