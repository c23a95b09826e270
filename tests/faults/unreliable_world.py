"""A broker that loses and doubles, workers that die, a relay that crashes: each of them as what it does to
the database and to the messages under way. The operations and their commits are the real ones.
"""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db.models import Count

from review.domain.job_states import ACTIVE_RUNS, TERMINAL, NodeType, RunStatus
from review.models import Job, NodeRun, Pause
from review.operations.receive_report import receive_report
from review.operations.relay_outbox import publish_due, run_steps
from review.operations.sweep_runs import sweep_runs
from review.operations.take_run import take_run
from review.queries.job_body import job_body
from tasks.models import OutboxMessage
from tasks.operations.transactions import db_now
from tests.support.pipeline import CUP, TABLE, House, a_job, answer_to, send

MOST_JOBS = 3
#: What may happen; each of it has to.
ACTIONS = {
    "create", "intervene", "web crash", "replay", "reused id", "stale token", "cancel", "relay",
    "relay crash", "sweep", "lost messages", "duplicate message", "take", "report", "duplicate report",
    "late report", "worker kill", "lost lease",
}  # fmt: skip


class Crash(BaseException):
    """The process is gone: no `except Exception` sees it."""


def crash() -> None:
    """What a failpoint does here instead of kill -9."""
    raise Crash


@dataclass
class Attempt:
    """A run in a worker's hands."""

    run_id: UUID
    number: int


@dataclass
class World:
    """Everything outside the database. `failpoints` is the folder that arms them."""

    failpoints: Path
    house: House
    jobs: list[Job] = field(default_factory=list)
    #: Run ids on their way to a worker.
    broker: list[str] = field(default_factory=list)
    #: What workers have taken and not yet reported.
    hands: list[Attempt] = field(default_factory=list)
    #: What dead or replaced workers had taken; they may speak up late.
    ghosts: list[Attempt] = field(default_factory=list)
    #: Every report that was delivered.
    said: list[tuple[Attempt, dict[str, Any]]] = field(default_factory=list)

    def crashes_at(self, moment: str, call: Any) -> Any:
        """Make the call in a process that dies at that moment; None where it died, its result where it never
        came to the moment."""
        armed = self.failpoints / moment
        armed.write_text("crash")
        try:
            return call()
        except Crash:
            return None
        finally:
            armed.unlink(missing_ok=True)

    def publish(self, _: str, payload: dict[str, Any]) -> None:
        """The broker has it."""
        self.broker.append(payload["run_id"])

    def relay(self) -> None:
        """A turn of a relay without trouble."""
        run_steps()
        publish_due(publish=self.publish)

    def take(self, place: int) -> None:
        """A worker gets the message at that place of the queue, whichever was first."""
        run_id = UUID(self.broker.pop(place % len(self.broker)))
        taken = take_run(run_id=run_id, worker="test:1")
        if taken is not None:
            self.hands.append(Attempt(run_id, taken.attempt))

    def deliver(self, attempt: Attempt, said: dict[str, Any]) -> None:
        """A report arrives."""
        receive_report(run_id=attempt.run_id, attempt=attempt.number, **said)
        self.said.append((attempt, said))

    def lose_leases(self) -> None:
        """Everybody who works is not heard of for too long."""
        NodeRun.objects.filter(status=RunStatus.RUNNING).update(lease_until=db_now())
        self.ghosts += self.hands
        self.hands.clear()

    def let_time_pass(self) -> None:
        """What waits for its moment is due, and what was sent was sent long ago."""
        now = db_now()
        NodeRun.objects.filter(status=RunStatus.QUEUED).update(available_at=now)
        OutboxMessage.objects.filter(sent_at=None).update(available_at=now)
        NodeRun.objects.filter(dispatched_at__isnull=False).update(dispatched_at="2020-01-01T00:00:00Z")

    # Each step first sees to it that there is something to do it to, or most of a run would be idle.

    def create_one(self) -> None:
        self.jobs.append(a_job(self.house))

    def asking(self) -> list[Job]:
        waits = set(Pause.objects.filter(status="WAITING").values_list("job_id", flat=True))
        return [job for job in self.jobs if job.pk in waits]

    def live(self) -> int:
        return Job.objects.exclude(status__in=TERMINAL).count()

    def need_message(self) -> bool:
        """A message is on its way to a worker."""
        for attempt in range(4):
            if not self.broker:
                self.relay()
            if self.broker:
                return True
            if attempt == 0 and self.live() < MOST_JOBS:
                self.create_one()
            elif attempt < 2 and self.asking():
                job, answer = self.an_answer(attempt, "all")
                send(self.house, job, answer)
            else:
                # What is left is lost for now: its lease runs out, and the sweep finds it.
                self.lose_leases()
                self.let_time_pass()
                sweep_runs(messages_waiting=0)
        return False

    def need_work(self) -> bool:
        """A worker has a run in its hands."""
        while not self.hands and self.need_message():
            self.take(0)
        return bool(self.hands)

    def need_question(self) -> list[Job]:
        """The jobs that ask somebody."""
        for _ in range(10):
            if asking := self.asking():
                return asking
            if not self.need_work():
                break
            attempt = self.hands.pop()
            self.deliver(attempt, words(attempt, "ok"))
        return []

    def an_answer(self, pick: int, kept: str) -> tuple[Job, Any]:
        asking = self.asking()
        job = asking[pick % len(asking)]
        body = job_body(job.pk)
        return job, answer_to(body, kept_boxes(kept, body["box_list"]["boxes"]))

    def come_to_rest(self) -> None:
        """No more trouble: the relay turns, workers work, until nothing is left to do."""
        self.lose_leases()
        for _ in range(50):
            self.let_time_pass()
            sweep_runs(messages_waiting=0)
            self.relay()
            while self.broker:
                self.take(0)
            for attempt in self.hands:
                self.deliver(attempt, words(attempt, "ok"))
            self.hands.clear()
            if not NodeRun.objects.filter(status__in=ACTIVE_RUNS).exists():
                break
        self.relay()


def a_report(run: NodeRun) -> dict[str, Any]:
    """A report that keeps the contract of the run's node type."""
    match run.node_type:
        case NodeType.DETECT_SUBJECTS:
            return {"boxes": [CUP, TABLE], "warnings": []}
        case NodeType.VALIDATE_MANUAL_BOX_LIST:
            asked = run.input["items_to_validate"]
            return {
                "items": [
                    {"box_id": box["box_id"], "valid": bool(n % 2), "label": "cup"}
                    for n, box in enumerate(asked)
                ]
            }
        case NodeType.PROCESS_APPROVED_BOX_LIST:
            kept = [box for box in run.input["box_list"] if box["target_policy"] != "skip"]
            return {"subjects": [box["box_id"] for box in kept]}
        case NodeType.QUALITY_GATE_SUBJECT:
            return {"verdict": "refine" if run.step == 0 else "pass"}
        case NodeType.ENCODE_PICTURE:
            return {"encoding": "e"}
    return {"mask": "m", "cutout": "c"}


def words(attempt: Attempt, how: str) -> dict[str, Any]:
    """What a worker says of it: all is well, or one of three troubles."""
    return {
        "ok": {"report": a_report(NodeRun.objects.get(pk=attempt.run_id))},
        "retry": {"error": {"code": "X", "message": "x", "retryable": True}},
        "fail": {"error": {"code": "X", "message": "x", "retryable": False}},
        "broken": {"report": {"nonsense": 1}},
    }[how]


def kept_boxes(keep: str, boxes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What a person sends of the boxes shown."""
    return {
        "all": boxes,
        "one": boxes[:1],
        "drawn": [*boxes, {"bbox": [1, 1, 30, 30]}, {"bbox": [50, 50, 90, 90]}],
        "skip": [box | {"target_policy": "skip"} for box in boxes],
        "none": [],
    }[keep]


def effects() -> list[tuple[Any, ...]]:
    """Of each node at most one run may have succeeded: the places where more than one has.

    A job validates once in each round, on what it was asked then.
    """
    places = ("job_id", "parent_id", "node_type", "box_id", "step", "input__box_list")
    done = NodeRun.objects.filter(status=RunStatus.SUCCEEDED)
    counted = Counter((*row[:-1], str(row[-1])) for row in done.values_list(*places))
    return [place for place, number in counted.items() if number > 1]


def ends() -> list[tuple[Any, ...]]:
    """Of each job that has ended: its id, and what must not change any more."""
    ended = Job.objects.filter(status__in=TERMINAL).annotate(number=Count("results"))
    return list(ended.values_list("pk", "status", "version", "last_event_seq", "number"))
