"""Pauses that wait for a person, as their home page shows them."""

from django.db.models import Q

from review.domain.job_states import PauseStatus
from review.models import Decision, Pause
from tasks.domain.matrix import Role
from tasks.domain.policies import AskedGroup
from tasks.domain.statuses import Status
from tasks.models import Task, User

SHOWN = 8
FEWEST_DECISIONS = 5


def waiting_panels(user: User) -> list[Pause]:
    """Waiting pauses that ask the person, oldest first: those of tasks that are theirs or nobody's, and those
    that were put to their group, whoever's task it is. A viewer answers none."""
    tasks = (
        Task.objects.visible_to(user)
        .filter(status__in=[Status.PENDING, Status.IN_PROGRESS])
        .exclude(project__memberships__in=user.memberships.filter(role=Role.VIEWER))
    )
    first_asked = Q(group=AskedGroup.ANNOTATORS) & (Q(job__task__assignee=user) | Q(job__task__assignee=None))
    asked = first_asked | _put_to(AskedGroup.REVIEWERS, user) | _put_to(AskedGroup.ADMINS, user)
    pauses = Pause.objects.filter(asked, status=PauseStatus.WAITING, job__task__in=tasks)
    return list(
        pauses.select_related("job", "job__task", "job__task__project", "job__task__asset").order_by(
            "created_at", "pk"
        )[:SHOWN]
    )


#: Whom a pause asks that was put to this group.
IN_GROUP = {
    AskedGroup.REVIEWERS: (Role.REVIEWER, Role.PROJECT_ADMIN),
    AskedGroup.ADMINS: (Role.PROJECT_ADMIN,),
}


def _put_to(group: AskedGroup, user: User) -> Q:
    if user.is_superuser:
        return Q(group=group)
    roles = user.memberships.filter(role__in=IN_GROUP[group])
    return Q(group=group, job__task__project__in=roles.values("project"))


def approved_share(user: User, *, last: int = 200) -> int | None:
    """Per cent of the person's newest decided annotations that were approved at their first review.

    None where too little was decided to say anything.
    """
    decisions = (
        Decision.objects.filter(annotation__confirmed_by=user)
        .order_by("-at")
        .values_list("task_id", "verdict")[:last]
    )
    # Newest first, so the last one seen of a task is its first.
    first = dict(decisions)
    if len(first) < FEWEST_DECISIONS:
        return None
    approved = sum(1 for verdict in first.values() if verdict == Decision.Verdict.APPROVE)
    return round(100 * approved / len(first))
