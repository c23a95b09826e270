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


class Trigger(StrEnum):
    """What may take a job from one status to the next."""

    #: The control plane itself: a job is accepted, results are stored.
    CONTROL_PLANE = "control plane"
    #: A worker's report, or that none came.
    REPORT = "report"
    #: A person's answer to a pause.
    ANSWER = "answer"
    #: A person's cancel.
    CANCEL = "cancel"
    #: The project's policy, switched on: boxes above its threshold need no person.
    ROUTING = "routing policy"
    #: The project's policy, switched on: nobody answered in time, so the declared answer counts.
    TIMEOUT_DEFAULT = "timeout default policy"


_S, _T = JobStatus, Trigger
_CONTROL, _REPORT, _CANCEL = (frozenset({each}) for each in (_T.CONTROL_PLANE, _T.REPORT, _T.CANCEL))
_ANSWER = frozenset({_T.ANSWER})
_ANSWER_OR_DEFAULT = frozenset({_T.ANSWER, _T.TIMEOUT_DEFAULT})

#: From where to where, and by what. No scheduled job is among the triggers: a clock alone moves nothing (I5).
MOVES: dict[JobStatus, dict[JobStatus, frozenset[Trigger]]] = {
    _S.CREATED: {_S.DETECTING: _CONTROL, _S.FAILED: _REPORT, _S.CANCELLED: _CANCEL},
    _S.DETECTING: {
        _S.WAITING_USER_SELECTION: _REPORT,
        _S.PROCESSING_APPROVED_SUBJECTS: frozenset({_T.ROUTING}),
        _S.FAILED: _REPORT,
        _S.CANCELLED: _CANCEL,
    },
    _S.WAITING_USER_SELECTION: {
        _S.VALIDATING_MANUAL_BOXES: _ANSWER,
        _S.PROCESSING_APPROVED_SUBJECTS: _ANSWER_OR_DEFAULT,
        _S.FINALIZING_RESULTS: _ANSWER_OR_DEFAULT,
        _S.EMPTY_SELECTION: _ANSWER_OR_DEFAULT,
        _S.FAILED: _REPORT,
        _S.CANCELLED: _CANCEL,
    },
    _S.VALIDATING_MANUAL_BOXES: {
        _S.WAITING_BOX_BATCH_REVISION: _REPORT,
        _S.PROCESSING_APPROVED_SUBJECTS: _REPORT,
        _S.FINALIZING_RESULTS: _REPORT,
        _S.FAILED: _REPORT,
        _S.CANCELLED: _CANCEL,
    },
    _S.WAITING_BOX_BATCH_REVISION: {
        _S.VALIDATING_MANUAL_BOXES: _ANSWER,
        _S.PROCESSING_APPROVED_SUBJECTS: _ANSWER_OR_DEFAULT,
        _S.FINALIZING_RESULTS: _ANSWER_OR_DEFAULT,
        _S.EMPTY_SELECTION: _ANSWER_OR_DEFAULT,
        _S.FAILED: _REPORT,
        _S.CANCELLED: _CANCEL,
    },
    _S.PROCESSING_APPROVED_SUBJECTS: {
        _S.FINALIZING_RESULTS: _REPORT,
        _S.FAILED: _REPORT,
        _S.CANCELLED: _CANCEL,
    },
    _S.FINALIZING_RESULTS: {
        _S.SUCCEEDED: _CONTROL,
        _S.PARTIAL_SUCCEEDED: _CONTROL,
        _S.FAILED: _CONTROL,
        _S.CANCELLED: _CANCEL,
    },
    _S.SUCCEEDED: {},
    _S.PARTIAL_SUCCEEDED: {},
    _S.FAILED: {},
    _S.EMPTY_SELECTION: {},
    _S.CANCELLED: {},
}
#: The same without the triggers.
TRANSITIONS: dict[JobStatus, frozenset[JobStatus]] = {
    status: frozenset(targets) for status, targets in MOVES.items()
}

#: A terminal job never changes status again (I6).
TERMINAL = frozenset(status for status, targets in TRANSITIONS.items() if not targets)
#: The two statuses in which a person is asked.
WAITING = frozenset({_S.WAITING_USER_SELECTION, _S.WAITING_BOX_BATCH_REVISION})


class IllegalJobMove(Exception):
    """The table has no such move; nothing was written."""


def check_move(current: JobStatus, target: JobStatus, trigger: Trigger) -> bool:
    """Whether the job has to be written: False where it already is there (a replayed report is no error).

    Raises IllegalJobMove for anything outside the table, a move by the wrong trigger included; a cancelled
    job refuses every move, itself included only as "already there".
    """
    if current == target:
        return False
    triggers = MOVES[current].get(target)
    if triggers is None:
        raise IllegalJobMove(f"a job cannot go from {current} to {target}")
    if trigger not in triggers:
        raise IllegalJobMove(f"no {trigger} takes a job from {current} to {target}")
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
