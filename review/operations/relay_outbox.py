"""The relay's work on the outbox: each message is claimed with SKIP LOCKED, so relays share it.

A message stays row-locked until it is marked: a relay that is killed in between lets go of it at once, and
another one takes it. Published twice is the worst that can happen, and a run is taken only once.
"""

import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db.models import Q

from review.models import NodeRun
from review.operations.dispatch_run import RUN_NODE
from review.operations.outbox_steps import PUBLISHED, STEPS
from tasks.models import OutboxMessage
from tasks.operations.transactions import db_now, operation
from tasks.queries.database_clock import ClockTimestamp

logger = logging.getLogger(__name__)

BATCH = 100
MOST_ATTEMPTS = 20
#: Seconds until a message is tried again; the last one repeats.
BACK_OFF = (1, 2, 5, 10, 30)

#: Publishes (celery task, payload); returns once the broker has it; raises what it likes otherwise.
Publish = Callable[[str, dict[str, Any]], None]


def _due(kinds: Q) -> Any:
    return (
        OutboxMessage.objects.select_for_update(skip_locked=True)
        .filter(kinds, sent_at=None, dead_at=None, available_at__lte=ClockTimestamp())
        .order_by("available_at", "id")
    )


@operation
def publish_due(*, publish: Publish) -> int:
    """Publish a batch of due messages and mark them sent; how many there were.

    A broker that is away costs the message no attempt: it waits for as long as that takes.
    """
    messages = list(_due(Q(kind__in=PUBLISHED))[:BATCH])
    sent: list[OutboxMessage] = []
    failed: Exception | None = None
    for message in messages:
        try:
            publish(PUBLISHED[message.kind], message.payload)
        except Exception as error:
            failed = error
            break
        sent.append(message)
    now = db_now()
    OutboxMessage.objects.filter(pk__in=[message.pk for message in sent]).update(sent_at=now, last_error="")
    NodeRun.objects.filter(
        pk__in=[message.payload["run_id"] for message in sent if message.kind == RUN_NODE]
    ).update(dispatched_at=now)
    if failed is not None:
        waiting = [message.pk for message in messages[len(sent) :]]
        OutboxMessage.objects.filter(pk__in=waiting).update(
            available_at=now + timedelta(seconds=1), last_error=_said(failed)
        )
        logger.warning("the broker takes no messages (%s); %s wait", failed, len(waiting))
    return len(sent)


def run_steps() -> int:
    """Do every due step of the control plane; how many were done."""
    done = 0
    while True:
        message_id: int | None = None
        try:
            message_id = _next_step_id()
            if message_id is None or not _run_step(message_id=message_id):
                return done
            done += 1
        except Exception as error:
            if message_id is None:
                raise
            # One poisonous message must not hold up the others: it waits, and in the end is a dead letter.
            logger.exception("outbox message %s failed", message_id)
            _note_failure(message_id=message_id, error=_said(error))


def _next_step_id() -> int | None:
    due = OutboxMessage.objects.filter(
        ~Q(kind__in=PUBLISHED), sent_at=None, dead_at=None, available_at__lte=ClockTimestamp()
    )
    return due.order_by("available_at", "id").values_list("pk", flat=True).first()


@operation
def _run_step(*, message_id: int) -> bool:
    """The step and its mark in one transaction. False where another relay has it right now."""
    message = _due(Q(pk=message_id)).first()
    if message is None:
        return False
    step = STEPS.get(message.kind)
    if step is None:
        message.dead_at, message.dead_reason = db_now(), f"nothing handles messages of kind {message.kind!r}"
        message.save(update_fields=["dead_at", "dead_reason"])
        logger.error("outbox message %s: %s", message.pk, message.dead_reason)
        return True
    step(message.payload)
    OutboxMessage.objects.filter(pk=message.pk).update(sent_at=db_now(), last_error="")
    return True


@operation
def _note_failure(*, message_id: int, error: str) -> None:
    message = OutboxMessage.objects.select_for_update().get(pk=message_id)
    now = db_now()
    message.attempts += 1
    message.last_error = error
    message.available_at = now + timedelta(seconds=BACK_OFF[min(message.attempts, len(BACK_OFF)) - 1])
    if message.attempts >= MOST_ATTEMPTS:
        message.dead_at = now
        message.dead_reason = f"given up after {message.attempts} attempts: {error}"[:1000]
    message.save()


@operation
def send_again(*, message_ids: list[int]) -> int:
    """Give dead letters another life; how many there were."""
    return OutboxMessage.objects.filter(pk__in=message_ids, sent_at=None, dead_at__isnull=False).update(
        dead_at=None, dead_reason="", attempts=0, available_at=db_now()
    )


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:1000]
