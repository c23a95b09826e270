"""For how long people have been waited for. For alerts and lists only: no clock ends a pause."""

from django.db.models import Min

from review.domain.job_states import WAITING, PauseStatus
from review.models import Pause
from tasks.queries.workload import SecondsSince


def oldest_pause_ages() -> dict[str, float]:
    """Seconds since the oldest waiting pause of each stage began; 0 where none waits.

    An archived task's pause waits for its restoration, not for a person.
    """
    waiting = Pause.objects.filter(
        status=PauseStatus.WAITING,
        job__task__archived_at=None,
        job__task__batch__archived_at=None,
        job__task__project__archived_at=None,
    ).values("stage")
    ages = {row["stage"]: float(row["age"]) for row in waiting.annotate(age=SecondsSince(Min("created_at")))}
    return {stage.value: max(0.0, ages.get(stage, 0.0)) for stage in sorted(WAITING)}
