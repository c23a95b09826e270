"""Django admin for jobs: looking, cancelling, sending dead letters again, and nothing else."""

import pytest

from review.models import Job
from tasks.models import OutboxMessage
from tasks.operations.outbox import enqueue
from tasks.operations.transactions import db_now
from tests.api.test_start_job import client
from tests.support.pipeline import a_house, answer_to, fresh, send, waiting

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "model", ["review/job", "review/noderun", "review/pause", "review/intervention", "tasks/outboxmessage"]
)
def test_lists_open_and_nothing_can_be_added_or_changed(model):
    house = a_house()
    job, body = waiting(house)
    send(house, job, answer_to(body, []))
    root = client(house.root)
    page = root.get(f"/admin/{model}/")
    assert page.status_code == 200
    assert body["active_pause"]["pause_token"] not in page.content.decode()
    assert root.get(f"/admin/{model}/add/").status_code == 403
    assert client(house.anna).get(f"/admin/{model}/").status_code == 302


def test_a_pause_s_token_is_not_shown():
    house = a_house()
    job, body = waiting(house)
    pause = job.pauses.get()
    page = client(house.root).get(f"/admin/review/pause/{pause.pk}/change/")
    assert page.status_code == 200
    assert body["active_pause"]["pause_token"] not in page.content.decode()


def test_selected_jobs_are_cancelled_through_the_operation():
    house = a_house()
    job, _ = waiting(house)
    data = {"action": "cancel_selected", "_selected_action": [str(job.pk)]}
    assert client(house.root).post("/admin/review/job/", data).status_code == 302
    assert fresh(job).status == "CANCELLED"
    assert Job.objects.get(pk=job.pk).cancel_requested


def test_dead_letters_are_sent_again():
    house = a_house()
    enqueue(kind="finalize_results", payload={})
    OutboxMessage.objects.update(dead_at=db_now(), dead_reason="poison", attempts=20)
    data = {"action": "send_selected_again", "_selected_action": [str(OutboxMessage.objects.get().pk)]}
    assert client(house.root).post("/admin/tasks/outboxmessage/", data).status_code == 302
    message = OutboxMessage.objects.get()
    assert (message.dead_at, message.attempts) == (None, 0)
