""" "Next" begins anew when somebody else got what it chose, instead of telling the person of a conflict."""

import pytest

from review.operations import next_review
from tasks.domain.statuses import Status
from tasks.models import AuditEntry, Batch
from tasks.operations import next_task
from tests.support.pipeline import a_house
from tests.support.workflow import a_batch, call, held_by, task_in

pytestmark = pytest.mark.django_db


def choose_first(monkeypatch, module, name, chosen, times):
    """The choice as it was before somebody else's commit, so many times; then what the database says."""
    real = getattr(module, name)
    left = [chosen] * times

    def choice(**query):
        return left.pop() if left else real(**query)

    monkeypatch.setattr(module, name, choice)


def ask(house, who, what):
    return call(house.people[who], "post", f"projects/{house.project.pk}/{what}", {"client_id": "page"})


@pytest.mark.parametrize("why", ["held", "on hold", "archived batch"])
def test_another_task_is_chosen(monkeypatch, why):
    house = a_house()
    batch = a_batch(house.project, house.anna)
    gone, free = task_in(batch), task_in(house.inbox)
    if why == "held":
        held_by(gone, house.abel)
    elif why == "on hold":
        Batch.objects.filter(pk=batch.pk).update(held_at=batch.created_at, hold_stops_work=True)
    else:
        Batch.objects.filter(pk=batch.pk).update(status="archived")
    choose_first(monkeypatch, next_task, "choose", (gone.pk, "sequence"), 1)
    answer = ask(house, "anna", "next")
    assert (answer.status, answer.body["task"]["id"]) == (200, str(free.pk))
    assert not AuditEntry.objects.filter(task_id=gone.pk, action="task.claim").exists()


@pytest.mark.parametrize("why", ["held", "decided"])
def test_another_review_is_chosen(monkeypatch, why):
    house = a_house()
    review = {"confirmed_by": house.anna, "submitted_by": house.anna}
    gone = task_in(house.inbox, Status.REVIEW if why == "held" else Status.COMPLETED, **review)
    free = task_in(house.inbox, Status.REVIEW, **review)
    if why == "held":
        held_by(gone, house.otto)
    choose_first(monkeypatch, next_review, "waiting_review", gone.pk, 1)
    answer = ask(house, "rita", "next-review")
    assert (answer.status, answer.body["task"]["id"]) == (200, str(free.pk))


def test_what_is_refused_every_time_is_the_answer_in_the_end(monkeypatch):
    house = a_house()
    gone = task_in(house.inbox)
    held_by(gone, house.abel)
    choose_first(monkeypatch, next_task, "choose", (gone.pk, "sequence"), 99)
    assert ask(house, "anna", "next").code == "LOCK_HELD"
