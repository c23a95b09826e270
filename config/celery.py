"""The Celery application: one queue of node runs, nothing kept in the broker that matters.

A message is a hint that a run is queued: the worker takes the run from PostgreSQL by a conditional
update, so a lost, doubled or late message does no harm.
"""

import os

from celery import Celery

from config import env

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.local")

BROKER_URL = env.text("BROKER_URL", "redis://127.0.0.1:6379/0")

app = Celery("countersign")
app.config_from_object(
    {
        "broker_url": BROKER_URL,
        "task_default_queue": "models",
        # RabbitMQ replicates quorum queues; Valkey knows one kind only. The relay declares the same.
        "task_default_queue_type": "quorum" if BROKER_URL.startswith("amqp") else "classic",
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "task_ignore_result": True,
        "worker_prefetch_multiplier": 1,
        "worker_proc_alive_timeout": 60,
        "worker_hijack_root_logger": False,
        "broker_connection_retry_on_startup": True,
        # A broker may be away for as long as it likes; the worker waits for it.
        "broker_connection_max_retries": None,
        "broker_transport_options": {"visibility_timeout": 3600},
        # Celery would close the database connection before and after each run. A new one costs PostgreSQL
        # more than a run's statements do; one that was lost is replaced by the worker (review/workers.py).
        "CELERY_DB_REUSE_MAX": 1000,
    }
)
app.autodiscover_tasks(["review"], related_name="workers")
