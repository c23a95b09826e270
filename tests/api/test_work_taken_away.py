"""Whoever may no longer work on a task lets go of it, so that others can go on (page 03)."""

import pytest

from locks.models import TaskLock
from tasks.domain.statuses import Status
from tasks.models import AuditEntry, Task
from tests.support.editing import a_desk
from tests.support.pipeline import a_house
from tests.support.workflow import a_batch, call, held_by, task_in

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("end", ["removed", "another role"])
def test_a_review_that_a_former_reviewer_had_claimed_may_be_recalled(end: str) -> None:
    desk = a_desk().in_review()
    desk.review_claim("rita")
    member = f"projects/{desk.house.project.pk}/members/{desk.house.rita.pk}"
    if end == "removed":
        assert desk.call("olga", "delete", member).status == 204
    else:
        assert desk.call("olga", "patch", member, {"role": "annotator"}).status == 200
    answer = desk.call("anna", "post", "tasks/{task}/recall", {"client_id": "page"})
    assert (answer.status, answer.body["task"]["status"]) == (200, "in_progress")


@pytest.mark.parametrize("by_id", [False, True])
def test_a_batch_that_is_given_to_others_is_let_go_of(by_id: bool) -> None:
    house = a_house()
    batch = a_batch(house.project, house.anna, house.abel)
    working = task_in(batch, Status.IN_PROGRESS, assignee=house.anna)
    sent_back = task_in(batch, assignee=house.anna, is_reserved=True)
    abels = task_in(batch, Status.IN_PROGRESS, assignee=house.abel)
    reviewed = task_in(batch, Status.REVIEW)
    elsewhere = task_in(house.inbox, Status.IN_PROGRESS, assignee=house.anna)
    for task, person in [(working, "anna"), (abels, "abel"), (reviewed, "rita"), (elsewhere, "anna")]:
        held_by(task, house.people[person])
    kept = str(house.abel.pk) if by_id else house.abel.username
    assert call(house.olga, "patch", f"batches/{batch.pk}", {"assignees": [kept]}).status == 200
    left = TaskLock.objects.filter(task__project=house.project).values_list("task_id", flat=True)
    assert set(left) == {abels.pk, reviewed.pk, elsewhere.pk}
    assert Task.objects.get(pk=sent_back.pk).is_reserved is False
    entry = AuditEntry.objects.get(task_id=working.pk)
    assert (entry.action, entry.actor_id, entry.reason) == (
        "lock.force_release",
        house.olga.pk,
        "the batch was given to others",
    )
    beat = call(house.anna, "post", f"tasks/{working.pk}/lock/heartbeat", {"client_id": "page"})
    assert beat.code == "LOCK_LOST"
    # Whom it is still given to can go on with it.
    assert call(house.abel, "post", f"tasks/{working.pk}/claim", {"client_id": "b"}).status == 200


def test_an_open_batch_is_everybodys_until_it_is_closed() -> None:
    house = a_house()
    batch = a_batch(house.project, house.abel, open=True)
    task = task_in(batch, Status.IN_PROGRESS, assignee=house.anna)
    held_by(task, house.anna)
    path = f"batches/{batch.pk}"
    assert call(house.olga, "patch", path, {"assignees": []}).status == 200
    assert call(house.olga, "patch", path, {"priority": 3}).status == 200
    assert TaskLock.objects.filter(task=task, user=house.anna).exists()
    assert call(house.olga, "patch", path, {"open": False}).status == 200
    assert not TaskLock.objects.filter(task=task).exists()


def test_a_reviewer_who_becomes_an_annotator_lets_go_of_reviews() -> None:
    house = a_house()
    review = task_in(house.inbox, Status.REVIEW, confirmed_by=house.anna, submitted_by=house.anna)
    mine = task_in(house.inbox, Status.IN_PROGRESS, assignee=house.rita)
    not_given = task_in(a_batch(house.project), Status.IN_PROGRESS, assignee=house.rita)
    for task in (review, mine, not_given):
        held_by(task, house.rita)
    path = f"projects/{house.project.pk}/members/{house.rita.pk}"
    assert call(house.olga, "patch", path, {"role": "annotator"}).status == 200
    assert [lock.task_id for lock in TaskLock.objects.filter(user=house.rita)] == [mine.pk]
