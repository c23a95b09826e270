"""A hold that releases the locks, and a claim that read the batch before it: nobody works on."""

import threading
from collections.abc import Callable

from django.db import connection, transaction

from locks.models import TaskLock
from tasks.domain.actor import RequestContext
from tasks.domain.matrix import Role
from tasks.models import AuditEntry, Batch
from tasks.operations.claim import claim_within
from tasks.operations.row_locks import lock_task
from tasks.operations.transactions import operation, wait_for_running_transactions
from tests.support.pipeline import a_house
from tests.support.workflow import a_batch, call, task_in


def test_a_claim_that_commits_after_the_hold_is_ended_too(committed_db: str) -> None:
    house = a_house()
    batch = a_batch(house.project, house.anna)
    Batch.objects.filter(pk=batch.pk).update(status="annotating")  # a self-move would wait for the hold
    task = task_in(batch)
    answers = []

    def hold() -> None:
        body = {"reason": "Wrong pictures.", "release_locks": True}
        answers.append(call(house.olga, "post", f"batches/{batch.pk}/hold", body))
        connection.close()

    thread = threading.Thread(target=hold)
    with transaction.atomic():
        claim_within(
            task=lock_task(task.pk),
            actor=house.anna,
            role=Role.ANNOTATOR,
            client_id="page",
            context=RequestContext(),
        )
        thread.start()
        while not Batch.objects.filter(pk=batch.pk, held_at__isnull=False).exists():
            thread.join(0.01)
        assert thread.is_alive(), "it waits for the claim"
    thread.join(20)
    assert answers[0].status == 200
    assert not TaskLock.objects.exists()
    assert AuditEntry.objects.filter(task_id=task.pk).latest("id").action == "lock.force_release"
    refused = call(house.anna, "put", f"tasks/{task.pk}/lock", {"client_id": "page"})
    assert refused.code == "BATCH_ON_HOLD"


def test_an_operation_that_has_only_read_so_far_is_waited_for_too(committed_db: str) -> None:
    begun, go_on = threading.Event(), threading.Event()

    @operation
    def a_claim_before_its_row_lock() -> None:
        begun.set()
        assert go_on.wait(10)

    def run(what: Callable[[], None]) -> None:
        what()
        connection.close()

    claim = threading.Thread(target=run, args=[a_claim_before_its_row_lock])
    hold = threading.Thread(target=run, args=[lambda: wait_for_running_transactions(seconds=10)])
    claim.start()
    assert begun.wait(10)
    hold.start()
    hold.join(0.3)
    assert hold.is_alive(), "it waits for the claim"
    go_on.set()
    hold.join(5)
    assert not hold.is_alive()
    claim.join(5)
