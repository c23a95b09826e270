"""The end of a wait: a pause is consumed once, by a person's answer or by a policy's (I3)."""

from review.domain.job_errors import PauseNotActive
from review.domain.job_states import PauseStatus
from review.models import Pause
from tasks.models import User
from tasks.operations.transactions import db_now


def consume_pause(
    pause: Pause, *, actor: User | None, intervention_id: str = "", policy_version: str = ""
) -> None:
    """WAITING → CONSUMED by a compare-and-set; never back. Either an intervention's id or a policy's version.

    Raises PauseNotActive where somebody was quicker.
    """
    now = db_now()
    changes = {
        "status": PauseStatus.CONSUMED,
        "consumed_by": actor,
        "consumed_at": now,
        "consumed_intervention": intervention_id,
        # What a policy did to it before stays written.
        "policy_version": policy_version or pause.policy_version,
    }
    if Pause.objects.filter(pk=pause.pk, status=PauseStatus.WAITING).update(**changes) != 1:
        raise PauseNotActive("This pause was answered a moment ago. The snapshot says where the job is.")
    for name, value in changes.items():
        setattr(pause, name, value)
