"""Every event's payload, declared once; unknown fields are refused (page 06, Streams)."""

from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict


class EventData(BaseModel):
    """What an event carries besides {seq, type, task_id, job_id, at}."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    type: ClassVar[str]


class TaskStatusEvent(EventData):
    """The task moved."""

    type: ClassVar[str] = "task.status"
    status: str
    version: int
    action: str
    #: {id, username, name}, or None for the system.
    actor: dict[str, Any] | None


class LockChanged(EventData):
    """The task's holder changed."""

    type: ClassVar[str] = "lock.changed"
    lock: dict[str, Any] | None
    previous: dict[str, Any] | None


class JobStatusEvent(EventData):
    """The job moved."""

    type: ClassVar[str] = "job.status"
    status: str
    version: int
    previous: str | None
    failure: dict[str, Any] | None
    #: Number of results.
    results: int


class PauseCreated(EventData):
    """A person is asked."""

    type: ClassVar[str] = "pause.created"
    pause: dict[str, Any]
    by: dict[str, Any] | None


class PauseConsumed(EventData):
    """A person answered."""

    type: ClassVar[str] = "pause.consumed"
    pause: dict[str, Any]
    by: dict[str, Any] | None


class BoxesChanged(EventData):
    """The task has a new candidate set."""

    type: ClassVar[str] = "boxes.changed"
    candidate_set_id: str
    revision: int
    count: int


class RunProgress(EventData):
    """A run goes on; at most one a second."""

    type: ClassVar[str] = "run.progress"
    run_id: str
    node_type: str
    phase: str
    done: int
    total: int


class RunFinished(EventData):
    """A run ended."""

    type: ClassVar[str] = "run.finished"
    run_id: str
    node_type: str
    status: str
    error: dict[str, Any] | None


class SubjectFinished(EventData):
    """One subject of a job is done."""

    type: ClassVar[str] = "subject.finished"
    box_id: str
    outcome: str
    cutout_url: str | None


class DraftSaved(EventData):
    """The draft has a new version."""

    type: ClassVar[str] = "draft.saved"
    draft_version: int
    by: dict[str, Any] | None


class AnnotationConfirmed(EventData):
    """A person confirmed."""

    type: ClassVar[str] = "annotation.confirmed"
    revision: int
    by: dict[str, Any] | None


class DecisionMade(EventData):
    """A reviewer decided; `outcome` is what it made of the task, None while a quorum is open."""

    type: ClassVar[str] = "decision.made"
    decision: str
    by: dict[str, Any] | None
    outcome: str | None


class PolicyApplied(EventData):
    """A version of a project's policy acted where no person had; `pause` None: nobody was asked."""

    type: ClassVar[str] = "policy.applied"
    policy: str
    version: int
    #: An intervention's outcome, or ASKED_OTHERS.
    outcome: str
    reason: str
    pause: dict[str, Any] | None


class EmptySelectionSubmitted(EventData):
    """A person kept no box, or the declared default did (`by` None)."""

    type: ClassVar[str] = "EMPTY_SELECTION_SUBMITTED"
    by: dict[str, Any] | None


EVENT_TYPES: tuple[type[EventData], ...] = (
    TaskStatusEvent,
    LockChanged,
    JobStatusEvent,
    PauseCreated,
    PauseConsumed,
    BoxesChanged,
    RunProgress,
    RunFinished,
    SubjectFinished,
    DraftSaved,
    AnnotationConfirmed,
    DecisionMade,
    PolicyApplied,
    EmptySelectionSubmitted,
)
