"""One job from its start to its end, by a client that sends again what was not answered; and a look at what
is left of it."""

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django.db.models import Count

from review.domain.job_states import NodeType, RunStatus
from review.models import Intervention, Job, NodeRun
from review.queries.invariants import violations
from tasks.models import IdempotentRequest, OutboxMessage, Task
from tests.support import jobs
from tests.support.fleet import Fleet
from tests.support.patient_client import PatientClient
from tests.support.pipeline import png

PICTURE = png()


@dataclass
class Done:
    """What the client knows of it."""

    name: str
    job_id: str
    answer: dict[str, Any]
    reply: bytes


def start(client: PatientClient, name: str | None = None) -> str:
    """Start a job with a picture of that name; its id."""
    name = name or str(uuid4())
    answer = client.post(
        "/api/v1/jobs",
        data={"project": jobs.project_id(client), "request_id": name},
        files={"image": (f"{name}.png", PICTURE, "image/png")},
    )
    assert answer.status_code == 202, answer.text
    return str(answer.json()["job_id"])


def finish(client: PatientClient, job_id: str, *, seconds: float = 60) -> tuple[dict[str, Any], bytes]:
    """Answer it and wait for its end; the answer, and the reply to it.

    One box of the person's own beside the model's, so that every node type is met.
    """
    now = jobs.wait_for_status(client, job_id, "WAITING_USER_SELECTION", seconds=seconds)
    body = jobs.answer_body(now, [*now["box_list"]["boxes"], {"bbox": [70, 10, 120, 60]}])
    answer = client.post(f"/api/v1/jobs/{job_id}/interventions", json=body)
    assert answer.status_code == 200, answer.text
    jobs.wait_for_status(client, job_id, "SUCCEEDED", seconds=seconds)
    return body, answer.content


def through(client: PatientClient) -> Done:
    """A whole job."""
    name = str(uuid4())
    job_id = start(client, name)
    return Done(name, job_id, *finish(client, job_id))


def check(fleet: Fleet, client: PatientClient, done: Done) -> None:
    """One effect of everything, and nothing left over."""
    assert Task.objects.filter(name=f"{done.name}.png").count() == 1
    assert Intervention.objects.filter(job=done.job_id).count() == 1
    stored = IdempotentRequest.objects.get(scope=f"job:{done.job_id}", key=done.answer["intervention_id"])
    again = client.post(f"/api/v1/jobs/{done.job_id}/interventions", json=done.answer)
    assert bytes(stored.reply) == done.reply == again.content
    come_to_rest(fleet)
    # The encoding, in the background, may be overtaken by the end.
    runs = NodeRun.objects.filter(job=done.job_id, is_background=False)
    found = runs.filter(status=RunStatus.SUCCEEDED).values_list("node_type", "box_id").annotate(Count("pk"))
    assert {(kind, box): number for kind, box, number in found} == once(done.job_id)
    assert runs.exclude(status=RunStatus.SUCCEEDED).count() == 0
    assert OutboxMessage.objects.filter(kind="finalize_results", payload__job_id=done.job_id).count() == 1


def once(job_id: str) -> dict[tuple[str, str], int]:
    """Each node of the job, one time."""
    top = (
        NodeType.DETECT_SUBJECTS,
        NodeType.VALIDATE_MANUAL_BOX_LIST,
        NodeType.PROCESS_APPROVED_BOX_LIST,
    )
    approved = [box["box_id"] for box in Job.objects.get(pk=job_id).approved_box_list.items]
    of_subjects = (NodeType.SEGMENT_SUBJECT, NodeType.QUALITY_GATE_SUBJECT)
    return {
        **{(kind.value, ""): 1 for kind in top},
        **{(kind.value, box_id): 1 for kind in of_subjects for box_id in approved},
    }


def come_to_rest(fleet: Fleet) -> None:
    """Wait until nothing is under way and everything that must hold does."""
    fleet.wait_for(lambda: violations(is_quiet=True) == [], "something is left over")
