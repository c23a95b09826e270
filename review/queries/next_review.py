"""Which review comes next for a person."""

from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from locks.models import TaskLock
from review.models import Annotation, Decision, ReviewerAssignment
from review.queries.review_queue import by_need
from tasks.domain.matrix import TRANSITIONS, Action
from tasks.domain.statuses import BatchStatus, Mark, Status
from tasks.domain.times import iso
from tasks.models import Membership, Project, Task, User
from tasks.queries.database_clock import ClockTimestamp
from tasks.queries.next_task import AHEAD
from tasks.queries.user_body import user_body

MOST_HELD = 10
WINDOW = 200


def claimed_review(*, user: User, project: Project) -> UUID | None:
    """The review that the person has claimed and may go on with, row-locked.

    Not one that they cannot decide on any more (decided, tied, corrected by themselves): it would come back
    for ever. Waits for the row: a save of the page that was just left may still be committing, and skipping
    it would hand out another review.
    """
    reviews = _open_reviews(project).exclude(_held_by_others(user))
    if project.required_approvals > 1:
        mine = ReviewerAssignment.objects.filter(task=OuterRef("pk"), reviewer=user)
        reviews = _undecided(reviews.filter(Exists(mine)), user=user, project=project)
    else:
        reviews = reviews.filter(reviewer=user)
    if not (user.is_superuser or user.pk == project.owner_id):  # these two may decide with a reason
        reviews = _with_four_eyes(reviews, user=user, project=project)
    return _first(reviews.order_by("submitted_at", "pk"), waits=True)


def waiting_review(*, user: User, project: Project) -> UUID | None:
    """The next review for the person, row-locked: difficult ones first, then the queue's order."""
    reviews = _for(user=user, project=project)
    return _first(_difficult(reviews)) or _first(_by_need(reviews))


def likely_reviews(*, user: User, project: Project, besides: UUID) -> list[UUID]:
    """The pictures (asset ids) of the reviews that would most likely be given next, without claiming any."""
    reviews = _for(user=user, project=project).exclude(pk=besides)
    first = _difficult(reviews).values_list("asset_id", flat=True)[:AHEAD]
    return list(first) or list(_by_need(reviews).values_list("asset_id", flat=True)[:AHEAD])


def _for(*, user: User, project: Project) -> QuerySet[Task]:
    """Not what they may not decide on, what others review, or what has its reviewers already."""
    reviews = _open_reviews(project).exclude(_held_by_others(user))
    reviews = _with_four_eyes(reviews, user=user, project=project)
    if project.required_approvals == 1:
        return reviews
    crowded = (
        ReviewerAssignment.objects.filter(task=OuterRef("pk"))
        .filter(_still_reviews(project))
        .exclude(reviewer=user)
        .order_by()
        .values("task")
        .annotate(n=Count("pk"))
        .filter(n__gte=project.required_approvals)
    )
    full = Q(Exists(crowded))
    if user.pk == project.owner_id:
        # Whoever looks at a tie besides does not keep the owner from it.
        full &= ~_tied(project)
    return _undecided(reviews, user=user, project=project).exclude(full)


def _still_reviews(project: Project) -> Q:
    """Whose claim counts: a reviewer who left, or has another role now, does not come back to it."""
    members = Membership.objects.filter(
        project=project, user=OuterRef("reviewer"), role__in=TRANSITIONS[Action.REVIEW_CLAIM].roles
    )
    return Q(reviewer=project.owner_id) | Q(reviewer__is_superuser=True) | Q(Exists(members))


def _with_four_eyes(reviews: QuerySet[Task], *, user: User, project: Project) -> QuerySet[Task]:
    """Without those whose newest revision the person confirmed, where that counts."""
    if not project.four_eyes:
        return reviews
    newest = Annotation.objects.filter(task=OuterRef("pk")).order_by("-revision").values("confirmed_by")[:1]
    return reviews.annotate(newest_by=newest).filter(Q(newest_by=None) | ~Q(newest_by=user.pk))


def _undecided(reviews: QuerySet[Task], *, user: User, project: Project) -> QuerySet[Task]:
    """Where several decide: without those that wait for others' word only, the owner's in a tie."""
    reviews = reviews.exclude(Exists(_decisions().filter(by=user)))
    return reviews if user.pk == project.owner_id else reviews.exclude(_tied(project))


def _decisions() -> QuerySet[Decision]:
    """Those that count for the outer task now: of this round, on the newest revision."""
    newer = Annotation.objects.filter(task=OuterRef("task"), revision__gt=OuterRef("annotation__revision"))
    return Decision.objects.filter(~Exists(newer), task=OuterRef("pk"), round_version=OuterRef("version"))


def _tied(project: Project) -> Q:
    """All have decided, half and half (`quorum.tally` says the same of one task)."""
    if project.review_rule != Project.ReviewRule.MAJORITY or project.required_approvals % 2:
        return Q(pk__in=[])
    ties = (
        _decisions()
        .order_by()
        .values("task")
        .annotate(n=Count("pk"), approvals=Count("pk", filter=Q(verdict=Decision.Verdict.APPROVE)))
        .filter(n=project.required_approvals, approvals=project.required_approvals // 2)
    )
    return Q(Exists(ties))


def _difficult(reviews: QuerySet[Task]) -> QuerySet[Task]:
    return reviews.filter(mark=Mark.DIFFICULT).order_by("submitted_at", "pk")


def _by_need(reviews: QuerySet[Task]) -> QuerySet[Task]:
    # The reasons are looked up for those that wait longest only: the queue may be long.
    oldest = reviews.order_by("submitted_at", "pk").values("pk")[:WINDOW]
    # The status once more: who waits for a row's lock sees the row anew, but not the list.
    in_review = Task.objects.filter(status=Status.REVIEW, archived_at=None)
    return by_need(in_review.filter(pk__in=oldest))


def review_reasons(*, user: User, project: Project) -> dict[str, object]:
    """Why there is no review to give; the same names as for the next task.

    `reserved`: what waits for somebody else, since the person confirmed it or has decided already.
    """
    reviews = _open_reviews(project)
    held = (
        TaskLock.objects.filter(task__in=reviews, expire_at__gt=ClockTimestamp())
        .exclude(user=user)
        .select_related("user")
        .order_by("heartbeat_at")[:MOST_HELD]
    )
    waiting = reviews.count()
    on_hold = Task.objects.filter(
        project=project, status=Status.REVIEW, archived_at=None, batch__held_at__isnull=False
    ).count()
    held_bodies = [
        {"task_id": str(lock.task_id), "holder": user_body(lock.user), "stale_at": iso(lock.stale_at)}
        for lock in held
    ]
    return {
        "done": waiting == 0 and on_hold == 0,
        "on_hold": on_hold,
        "not_assigned": 0,
        "reserved": max(0, waiting - len(held_bodies)),
        "held": held_bodies,
    }


def _open_reviews(project: Project) -> QuerySet[Task]:
    return Task.objects.filter(
        project=project, status=Status.REVIEW, archived_at=None, batch__archived_at=None
    ).exclude(
        Q(batch__status=BatchStatus.DRAFT) | Q(batch__held_at__isnull=False, batch__hold_stops_work=True)
    )


def _held_by_others(user: User) -> Q:
    others = TaskLock.objects.filter(task=OuterRef("pk"), expire_at__gt=ClockTimestamp()).exclude(user=user)
    return Q(Exists(others))


def _first(reviews: QuerySet[Task], *, waits: bool = False) -> UUID | None:
    """Its row locked; one that somebody else is claiming right now is passed by, or waited for."""
    return (
        reviews.select_for_update(skip_locked=not waits, no_key=True, of=("self",))
        .values_list("pk", flat=True)
        .first()
    )
