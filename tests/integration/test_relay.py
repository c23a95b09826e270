"""The relay publishes and marks, does the control plane's steps, finds the lost, buries the poisonous."""

from datetime import timedelta

import pytest

from review.domain.job_states import NodeType
from review.models import NodeRun
from review.operations import outbox_steps
from review.operations.relay_outbox import MOST_ATTEMPTS, publish_due, run_steps, send_again
from review.operations.sweep_runs import sweep_runs
from review.operations.take_run import take_run
from review.queries.invariants import violations
from tasks.models import OutboxMessage
from tasks.operations.outbox import enqueue
from tasks.operations.transactions import db_now
from tests.support.pipeline import a_house, a_job, answer_to, fresh, queued, send, waiting

pytestmark = pytest.mark.django_db


class Broker:
    """Remembers what it is given; `away` refuses."""

    def __init__(self):
        self.messages = []
        self.away = False

    def __call__(self, task, payload):
        if self.away:
            raise OSError("no broker")
        self.messages.append((task, payload))


def test_a_run_is_published_once_and_marked():
    job = a_job(a_house())
    run = queued(job, NodeType.DETECT_SUBJECTS)
    broker = Broker()
    assert publish_due(publish=broker) == 1
    assert broker.messages == [("review.run_node", {"run_id": str(run.pk)})]
    run.refresh_from_db()
    assert run.dispatched_at is not None
    assert publish_due(publish=broker) == 0


def test_a_broker_that_is_away_loses_nothing():
    a_job(a_house())
    broker = Broker()
    broker.away = True
    assert publish_due(publish=broker) == 0
    message = OutboxMessage.objects.get()
    assert message.sent_at is None
    assert "no broker" in message.last_error
    OutboxMessage.objects.update(available_at=db_now())
    broker.away = False
    assert publish_due(publish=broker) == 1


def test_a_message_that_is_not_due_waits():
    enqueue(kind="run_node", payload={"run_id": "x"}, available_at=db_now() + timedelta(hours=1))
    assert publish_due(publish=Broker()) == 0


def finalising():
    house = a_house()
    job, body = waiting(house)
    send(house, job, answer_to(body, [box | {"target_policy": "skip"} for box in body["box_list"]["boxes"]]))
    return job


def test_the_end_is_a_step_and_a_second_delivery_changes_nothing():
    job = finalising()
    assert run_steps() == 1
    assert fresh(job).status == "SUCCEEDED"
    enqueue(kind="finalize_results", payload={"job_id": str(job.pk)})
    assert run_steps() == 1
    assert fresh(job).status == "SUCCEEDED"
    assert violations() == []


def test_a_poisonous_step_waits_and_is_a_dead_letter_in_the_end(monkeypatch):
    job = finalising()
    calls = []

    def broken(payload):
        calls.append(payload)
        raise RuntimeError("poison")

    monkeypatch.setitem(outbox_steps.STEPS, "finalize_results", broken)
    enqueue(kind="unknown_kind", payload={})
    for _ in range(MOST_ATTEMPTS):
        run_steps()
        OutboxMessage.objects.update(available_at=db_now())
    message = OutboxMessage.objects.get(kind="finalize_results")
    assert message.dead_at is not None
    assert "poison" in message.dead_reason
    assert len(calls) == MOST_ATTEMPTS
    # The poison did not hold up the others.
    assert "nothing handles" in OutboxMessage.objects.get(kind="unknown_kind").dead_reason
    assert fresh(job).status == "FINALIZING_RESULTS"
    monkeypatch.undo()
    assert send_again(message_ids=[message.pk]) == 1
    run_steps()
    assert fresh(job).status == "SUCCEEDED"


def published(job):
    publish_due(publish=Broker())
    return NodeRun.objects.get(job=job, node_type=NodeType.DETECT_SUBJECTS)


def age(run, **more):
    NodeRun.objects.filter(pk=run.pk).update(dispatched_at=db_now() - timedelta(seconds=60), **more)


def test_a_run_that_a_broker_lost_is_sent_again():
    run = published(a_job(a_house()))
    assert sweep_runs(messages_waiting=0).sent_again == 0
    age(run)
    assert sweep_runs(messages_waiting=0).sent_again == 1
    broker = Broker()
    publish_due(publish=broker)
    assert broker.messages == [("review.run_node", {"run_id": str(run.pk)})]


def test_a_run_that_waits_behind_others_is_not_sent_twice():
    run = published(a_job(a_house()))
    age(run)
    assert sweep_runs(messages_waiting=5).sent_again == 0


def test_a_run_whose_message_waits_for_the_broker_gets_no_second_one():
    run = published(a_job(a_house()))
    age(run)
    OutboxMessage.objects.update(sent_at=None)
    assert sweep_runs(messages_waiting=0).sent_again == 0


def test_a_run_whose_worker_is_gone_is_sent_again():
    run = published(a_job(a_house()))
    assert take_run(run_id=run.pk, worker="test:1")
    age(run)
    assert sweep_runs(messages_waiting=0).sent_again == 0
    age(run, lease_until=db_now())
    assert sweep_runs(messages_waiting=0).sent_again == 1


def test_a_run_that_takes_its_workers_down_fails_visibly(settings):
    settings.RUN_MAX_ATTEMPTS = 1
    job = a_job(a_house())
    run = published(job)
    assert take_run(run_id=run.pk, worker="test:1")
    age(run, lease_until=db_now())
    assert sweep_runs(messages_waiting=0).interrupted == 1
    run.refresh_from_db()
    assert (run.status, run.error["code"]) == ("INTERRUPTED", "WORKER_LOST")
    assert (fresh(job).status, fresh(job).failure["code"]) == ("FAILED", "WORKER_LOST")
    assert violations() == []
