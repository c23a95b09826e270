"""Why a model's result is not applied (I8): each names the conditions that do not hold."""

from tasks.domain.errors import Problem


class StalePrediction(Problem):
    """The prediction speaks of another set, question or draft. Fields: failed_conditions, snapshot."""

    code, status, title = "STALE_PREDICTION", 409, "The suggestion is out of date"


class StaleRegion(Problem):
    """The preview was made on another set, question or draft. Fields: failed_conditions, snapshot."""

    code, status, title = "STALE_REGION", 409, "The preview is out of date"


class AlreadyApplied(Problem):
    """The preview was applied by another request. Fields: failed_conditions, snapshot."""

    code, status, title = "ALREADY_APPLIED", 409, "This preview was applied before"
