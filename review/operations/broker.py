"""The relay's side of the broker: publish with confirms, and see how many messages wait."""

from typing import Any

from celery import Celery

QUEUE = "models"
#: Seconds that one attempt to reach the broker may take; the outbox tries again.
PATIENCE_SECONDS = 3


class Broker:
    """A Celery producer of our own: the relay needs no task code and no worker settings."""

    def __init__(self, url: str) -> None:
        self._app: Any = Celery("countersign-relay", broker=url, set_as_current=False)
        self._app.conf.update(
            task_default_queue=QUEUE,
            # As config/celery.py declares it for the workers.
            task_default_queue_type="quorum" if url.startswith("amqp") else "classic",
            task_ignore_result=True,
            broker_connection_timeout=PATIENCE_SECONDS,
            # RabbitMQ confirms each message; Valkey cannot, and there the second sweep finds what it lost.
            broker_transport_options={
                "confirm_publish": True,
                "socket_timeout": PATIENCE_SECONDS,
                "socket_connect_timeout": PATIENCE_SECONDS,
                "max_retries": 1,
            },
        )

    def publish(self, task: str, payload: dict[str, Any]) -> None:
        """Give one message to the broker. Raises kombu's OperationalError where it is away."""
        self._app.send_task(
            task,
            kwargs=payload,
            queue=QUEUE,
            ignore_result=True,
            retry=True,
            retry_policy={"max_retries": 1, "interval_start": 0, "interval_max": 0.2},
        )

    def waiting(self) -> int:
        """Messages in the queue that no worker has taken. Raises as `publish` does."""
        with self._app.connection_for_write() as connection:
            connection.ensure_connection(max_retries=1, interval_start=0, timeout=PATIENCE_SECONDS)
            with connection.channel() as channel:
                return int(self._app.amqp.queues[QUEUE](channel).queue_declare().message_count)

    def close(self) -> None:
        """Close the producer's connections."""
        self._app.close()
