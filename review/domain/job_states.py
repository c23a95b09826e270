"""The job's state machine, as one literal (page 04)."""

from enum import StrEnum


class JobStatus(StrEnum):
    """Where a job stands. These names go out over HTTP and the streams as they are."""

    #: Accepted; nothing dispatched yet.
    CREATED = "CREATED"
    #: The detection run is queued or running.
    DETECTING = "DETECTING"
    #: First round: a person checks the boxes. No clock ends this.
    WAITING_USER_SELECTION = "WAITING_USER_SELECTION"
    #: Boxes drawn by hand are being named and checked.
    VALIDATING_MANUAL_BOXES = "VALIDATING_MANUAL_BOXES"
    #: Second round: boxes that were not recognised are redrawn or removed.
    WAITING_BOX_BATCH_REVISION = "WAITING_BOX_BATCH_REVISION"
    #: Approved subjects go through segmentation, gate and refinement.
    PROCESSING_APPROVED_SUBJECTS = "PROCESSING_APPROVED_SUBJECTS"
    #: Results are complete; they and the end are about to be stored together.
    FINALIZING_RESULTS = "FINALIZING_RESULTS"
    #: Every subject succeeded.
    SUCCEEDED = "SUCCEEDED"
    #: Some subjects succeeded.
    PARTIAL_SUCCEEDED = "PARTIAL_SUCCEEDED"
    #: Nothing came of it; `failure` says why.
    FAILED = "FAILED"
    #: A person kept no box: their choice, no failure.
    EMPTY_SELECTION = "EMPTY_SELECTION"
    #: A person stopped it.
    CANCELLED = "CANCELLED"


_S = JobStatus

TRANSITIONS: dict[JobStatus, frozenset[JobStatus]] = {
    _S.CREATED: frozenset({_S.DETECTING, _S.FAILED, _S.CANCELLED}),
    _S.DETECTING: frozenset(
        {_S.WAITING_USER_SELECTION, _S.PROCESSING_APPROVED_SUBJECTS, _S.FAILED, _S.CANCELLED}
    ),
    _S.WAITING_USER_SELECTION: frozenset(
        {
            _S.VALIDATING_MANUAL_BOXES,
            _S.PROCESSING_APPROVED_SUBJECTS,
            _S.FINALIZING_RESULTS,
            _S.EMPTY_SELECTION,
            _S.FAILED,
            _S.CANCELLED,
        }
    ),
    _S.VALIDATING_MANUAL_BOXES: frozenset(
        {
            _S.WAITING_BOX_BATCH_REVISION,
            _S.PROCESSING_APPROVED_SUBJECTS,
            _S.FINALIZING_RESULTS,
            _S.FAILED,
            _S.CANCELLED,
        }
    ),
    _S.WAITING_BOX_BATCH_REVISION: frozenset(
        {
            _S.VALIDATING_MANUAL_BOXES,
            _S.PROCESSING_APPROVED_SUBJECTS,
            _S.FINALIZING_RESULTS,
            _S.EMPTY_SELECTION,
            _S.FAILED,
            _S.CANCELLED,
        }
    ),
    _S.PROCESSING_APPROVED_SUBJECTS: frozenset({_S.FINALIZING_RESULTS, _S.FAILED, _S.CANCELLED}),
    _S.FINALIZING_RESULTS: frozenset({_S.SUCCEEDED, _S.PARTIAL_SUCCEEDED, _S.FAILED, _S.CANCELLED}),
    _S.SUCCEEDED: frozenset(),
    _S.PARTIAL_SUCCEEDED: frozenset(),
    _S.FAILED: frozenset(),
    _S.EMPTY_SELECTION: frozenset(),
    _S.CANCELLED: frozenset(),
}

#: A terminal job never changes status again (I6).
TERMINAL = frozenset(status for status, targets in TRANSITIONS.items() if not targets)
#: The two statuses in which a person is asked.
WAITING = frozenset({_S.WAITING_USER_SELECTION, _S.WAITING_BOX_BATCH_REVISION})


class IllegalJobMove(Exception):
    """The table has no such move; nothing was written."""


def check_move(current: JobStatus, target: JobStatus) -> bool:
    """Whether the job has to be written: False where it already is there (a replayed report is no error).

    Raises IllegalJobMove for anything outside the table; a cancelled job refuses every move, itself included
    only as "already there".
    """
    if current == target:
        return False
    if target not in TRANSITIONS[current]:
        raise IllegalJobMove(f"a job cannot go from {current} to {target}")
    return True


class PauseStatus(StrEnum):
    """A pause's life; CONSUMED and CANCELLED are for good."""

    WAITING = "WAITING"
    CONSUMED = "CONSUMED"
    CANCELLED = "CANCELLED"


class RunStatus(StrEnum):
    """A node run's life."""

    QUEUED = "QUEUED"
    RUNNING = "RUNNING"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"
    #: Its worker is gone and it will not be tried again.
    INTERRUPTED = "INTERRUPTED"
    #: Its report came too late to count; kept with why.
    IGNORED = "IGNORED"


#: Runs that still may report.
ACTIVE_RUNS = frozenset({RunStatus.QUEUED, RunStatus.RUNNING})


class NodeType(StrEnum):
    """What a worker can run. WAIT_USER_SELECTION is not among them: waiting is the control plane's."""

    DETECT_SUBJECTS = "DETECT_SUBJECTS"
    VALIDATE_MANUAL_BOX_LIST = "VALIDATE_MANUAL_BOX_LIST"
    PROCESS_APPROVED_BOX_LIST = "PROCESS_APPROVED_BOX_LIST"
    SEGMENT_SUBJECT = "SEGMENT_SUBJECT"
    QUALITY_GATE_SUBJECT = "QUALITY_GATE_SUBJECT"
    REFINE_SUBJECT = "REFINE_SUBJECT"
    ENCODE_PICTURE = "ENCODE_PICTURE"
    JUDGE_CANDIDATES = "JUDGE_CANDIDATES"
    DETECT_REGION = "DETECT_REGION"
