"""The review queue's order: what needs a person most comes first, each place with its reason (page 05)."""

from enum import IntEnum

from django.db.models import Case, F, Func, IntegerField, OuterRef, Q, QuerySet, Subquery, Value, When

from review.domain.job_states import JobStatus
from review.models import Annotation, Prediction
from tasks.domain.statuses import Mark
from tasks.models import Task

#: A model's lowest score below this counts as uncertain; it orders and explains, it decides nothing.
UNCERTAIN_BELOW = 0.5


class Need(IntEnum):
    """Why a task stands where it stands; lower goes first."""

    #: A person marked it.
    DIFFICULT = 0
    #: The job failed.
    FAILED_RECOGNITION = 1
    #: Some subjects failed, or the suggestion contradicts itself.
    INCOMPLETE = 2
    #: Another number of items than the question asks for.
    COUNT = 3
    #: The model was unsure.
    UNCERTAIN = 4
    #: The suggestion was made for other candidates or another question.
    STALE = 5
    #: None of these: by age.
    AGE = 6

    @property
    def reason(self) -> str:
        """Its name in bodies and templates."""
        return self.name.lower()


class _Length(Func):
    """The number of entries of a JSON list."""

    function = "jsonb_array_length"
    output_field = IntegerField()


def by_need(tasks: QuerySet[Task]) -> QuerySet[Task]:
    """`tasks` with `need` (a Need), in the queue's order; of one need, who waits longest."""
    newest = Prediction.objects.filter(task=OuterRef("pk")).order_by("-pk")
    confirmed = Annotation.objects.filter(task=OuterRef("pk")).order_by("-revision")
    counted = tasks.annotate(
        item_count=Subquery(confirmed.annotate(n=_Length("items")).values("n")[:1]),
        target_count=_Length("targets"),
        suggestion_applicable=Subquery(newest.values("applicable")[:1]),
        suggestion_warnings=Subquery(newest.annotate(n=_Length("warnings")).values("n")[:1]),
        suggestion_set=Subquery(newest.values("candidate_set_id")[:1]),
        suggestion_config=Subquery(newest.values("config_version")[:1]),
    )
    count_differs = (
        (Q(selection_mode=Task.SelectionMode.SINGLE) & ~Q(item_count=1))
        | (Q(selection_mode=Task.SelectionMode.ALL) & Q(item_count=0))
        | (Q(selection_mode=Task.SelectionMode.ORDERED) & ~Q(item_count=F("target_count")))
    )
    is_stale = Q(suggestion_set__isnull=False) & (
        ~Q(suggestion_set=F("active_candidate_set_id")) | ~Q(suggestion_config=F("config_version"))
    )
    need = Case(
        When(mark=Mark.DIFFICULT, then=Value(Need.DIFFICULT.value)),
        When(job_status=JobStatus.FAILED, then=Value(Need.FAILED_RECOGNITION.value)),
        When(
            Q(job_status=JobStatus.PARTIAL_SUCCEEDED) | Q(suggestion_applicable=False),
            then=Value(Need.INCOMPLETE.value),
        ),
        When(count_differs, then=Value(Need.COUNT.value)),
        When(
            Q(suggestion_warnings__gt=0) | Q(model_confidence__lt=UNCERTAIN_BELOW),
            then=Value(Need.UNCERTAIN.value),
        ),
        When(is_stale, then=Value(Need.STALE.value)),
        default=Value(Need.AGE.value),
        output_field=IntegerField(),
    )
    return counted.annotate(need=need).order_by("need", "submitted_at", "pk")


def need_of(task: Task) -> Need:
    """The need of a task that comes from `by_need`."""
    return Need(getattr(task, "need"))  # noqa: B009 - an annotation, unknown to the type checker
