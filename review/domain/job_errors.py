"""What can go wrong with jobs and pauses, as the API says it."""

from tasks.domain.errors import Problem


class JobCancelled(Problem):
    """The job was cancelled; nothing can be submitted to it. Field: snapshot."""

    code, status, title = "JOB_CANCELLED", 409, "The job was cancelled"


class PauseNotActive(Problem):
    """Nobody is asked anything at the moment. Field: snapshot."""

    code, status, title = "PAUSE_NOT_ACTIVE", 409, "This pause was already answered"


class PauseTokenMismatch(Problem):
    """The answer is to another pause than the one that waits. Field: snapshot."""

    code, status, title = "PAUSE_TOKEN_MISMATCH", 409, "This is not the pause that waits"


class SubjectsIncomplete(Problem):
    """`deleted_box_ids` is not what is missing from the list. Fields: missing, unexpected."""

    code, status, title = "SUBJECTS_INCOMPLETE", 400, "The list of boxes is not complete"


class RunActive(Problem):
    """A model run of this task is still alive. Field: run."""

    code, status, title = "RUN_ACTIVE", 409, "A model run is still active"
