"""Who works on a task after somebody answered its pause."""

import pytest

from locks.models import TaskLock
from tasks.domain.matrix import Role
from tasks.models import AuditEntry, Event, Task
from tasks.operations.claim import claim_within
from tasks.operations.row_locks import lock_task
from tasks.operations.transactions import operation
from tests.support.pipeline import NOWHERE, a_house, answer_to, send, waiting

pytestmark = pytest.mark.django_db


@operation
def left_unfinished(house, job, *, by):
    """In progress, `by`'s, and nobody live in it."""
    task = lock_task(job.task_id)
    claim_within(task=task, actor=house.people[by], role=Role.ANNOTATOR, client_id="page", context=NOWHERE)
    TaskLock.objects.filter(task=task).delete()


def actions(task):
    rows = AuditEntry.objects.filter(task_id=task.pk).order_by("number")
    return list(rows.values_list("action", flat=True))


def test_an_answer_on_somebody_elses_unfinished_task_takes_it_over():
    house = a_house()
    job, body = waiting(house)
    left_unfinished(house, job, by="anna")
    send(house, job, answer_to(body, []), by="abel")
    task = Task.objects.get(pk=job.task_id)
    assert (task.status, task.assignee) == ("in_progress", house.abel)
    assert actions(task).index("task.takeover") < actions(task).index("job.intervention")
    told = Event.objects.filter(task=task, type="task.status").order_by("-seq").first().payload
    assert (told["action"], told["actor"]["username"]) == ("takeover", house.abel.username)


def test_an_answer_on_ones_own_task_changes_nothing_of_that():
    house = a_house()
    job, body = waiting(house)
    left_unfinished(house, job, by="anna")
    send(house, job, answer_to(body, []), by="anna")
    task = Task.objects.get(pk=job.task_id)
    assert task.assignee == house.anna
    assert "task.takeover" not in actions(task)
