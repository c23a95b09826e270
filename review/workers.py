"""The worker: takes a run, has the executor do it, reports. It decides nothing (page 04)."""

import hashlib
import io
import logging
import os
import socket
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

import numpy as np
from celery import shared_task, signals
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import InterfaceError, OperationalError, connection
from PIL import Image

from review.executor.contract import NodeExecutionError
from review.executor.registry import run_node as execute
from review.operations.dead_workers import expire_leases_of_the_dead, worker_name
from review.operations.receive_report import Receipt, StoredFile, receive_report
from review.operations.report_progress import report_progress
from review.operations.take_run import TakenRun, is_wanted, renew_lease, take_run
from review.providers.contract import Picture
from tasks.domain.errors import Busy

logger = logging.getLogger("countersign.worker")
T = TypeVar("T")

DATABASE_AWAY = (OperationalError, InterfaceError)
#: A cancelled run is noticed within this.
LONGEST_BEAT_SECONDS = 5.0
#: A database that is away is waited for this long: a message given up at once would cost nothing, and the
#: worker would empty the broker's whole queue in the second that a restart takes.
PATIENCE_SECONDS = 60.0
PROGRESS_SECONDS = 1.0


def this_worker() -> str:
    """The name on this process's leases."""
    return worker_name(socket.gethostname(), os.getpid())


class Lease(threading.Thread):
    """Renews a run's lease while the model works; `is_lost` is set once the result would not count."""

    def __init__(self, taken: TakenRun) -> None:
        super().__init__(name=f"lease-{taken.run_id}", daemon=True)
        self._taken = taken
        self._done = threading.Event()
        self.is_lost = threading.Event()
        self._seconds = min(LONGEST_BEAT_SECONDS, max(settings.RUN_LEASE_SECONDS / 4, 0.2))

    def __enter__(self) -> "Lease":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self.join(timeout=5)

    def run(self) -> None:
        """Beat until the run is done or lost. A database that is away is no loss: the fence decides later."""
        while not self._done.wait(self._seconds):
            try:
                if not renew_lease(run_id=self._taken.run_id, attempt=self._taken.attempt):
                    self.is_lost.set()
                    return
            except DATABASE_AWAY as error:
                logger.warning("lease of %s not renewed: %s", self._taken.run_id, error)
            finally:
                # A thread's connection is its own; none is held while nothing is asked.
                connection.close()


class WorkerContext:
    """What a handler may reach: the picture, files of the task, a word about its progress."""

    def __init__(self, taken: TakenRun, lease: Lease) -> None:
        self._taken = taken
        self._lease = lease
        self._said_at = 0.0
        self.files: list[StoredFile] = []

    def picture(self) -> Picture:
        """The normalised picture: RGB uint8, (height, width, 3)."""
        with default_storage.open(self._taken.image) as file, Image.open(io.BytesIO(file.read())) as image:
            return np.asarray(image.convert("RGB"), dtype=np.uint8)

    def read_artifact(self, key: str) -> bytes:
        """The bytes of an earlier node's file."""
        with default_storage.open(key) as file:
            content: bytes = file.read()
        return content

    def write_artifact(self, name: str, data: bytes) -> str:
        """Store bytes under this attempt of the run; another attempt writes its own."""
        folder = f"artifacts/{self._taken.task_id}/{self._taken.run_id}/{self._taken.attempt}"
        key = default_storage.save(f"{folder}/{name}", ContentFile(data))
        self.files.append(StoredFile(key=key, size_bytes=len(data), sha256=hashlib.sha256(data).hexdigest()))
        return key

    def progress(self, phase: str, done: int, total: int) -> None:
        """Pass it on, at most once a second; nobody's work stops because it could not be said."""
        now = time.monotonic()
        if now - self._said_at < PROGRESS_SECONDS:
            return
        self._said_at = now
        try:
            kept = report_progress(
                run_id=self._taken.run_id, attempt=self._taken.attempt, phase=phase, done=done, total=total
            )
        except (*DATABASE_AWAY, Busy) as error:
            logger.warning("progress of %s not said: %s", self._taken.run_id, error)
            return
        if not kept:
            self._lease.is_lost.set()

    def cancelled(self) -> bool:
        """Whether the result is no longer wanted."""
        return self._lease.is_lost.is_set()

    def remove_files(self) -> None:
        """A result that does not count leaves no files."""
        for file in self.files:
            default_storage.delete(file.key)
        self.files.clear()


@shared_task(name="review.run_node", acks_late=True, ignore_result=True)
def run_node(run_id: str) -> None:
    """One message: take the run, do it outside any transaction, report. One too many finds nothing."""
    taken = _patiently(partial(take_run, run_id=UUID(run_id), worker=this_worker()))
    if taken is not None:
        _work(taken)


def _work(taken: TakenRun) -> None:
    report: dict[str, Any] | None = None
    error: dict[str, Any] | None = None
    with Lease(taken) as lease:
        context = WorkerContext(taken, lease)
        if not _patiently(partial(is_wanted, run_id=taken.run_id, attempt=taken.attempt)):
            return
        try:
            report = execute(node_type=taken.node_type, input=taken.input, context=context)
        except NodeExecutionError as problem:
            error = {"code": problem.code, "message": problem.message, "retryable": problem.retryable}
        receipt = _patiently(
            partial(
                receive_report,
                run_id=taken.run_id,
                attempt=taken.attempt,
                report=report,
                error=error,
                artifacts=context.files,
                worker=this_worker(),
            )
        )
    if receipt not in {Receipt.ACCEPTED, Receipt.DUPLICATE}:
        context.remove_files()


def _patiently(call: Callable[[], T]) -> T:
    """Its result, once the database answers. Each call bears being made twice: whether the first one was
    committed nobody may know."""
    until = time.monotonic() + PATIENCE_SECONDS
    delay = 0.2
    while True:
        try:
            return call()
        except (*DATABASE_AWAY, Busy) as problem:
            if time.monotonic() > until:
                raise
            logger.warning("the database does not answer, trying again: %s", problem)
            connection.close()
            time.sleep(delay)
            delay = min(delay * 2, 3.0)


@signals.worker_process_init.connect
def warm_models(**_: Any) -> None:
    """After the fork: load the models once, so that the first person does not wait for them.

    onnxruntime and its relatives do not survive a fork, hence not earlier.
    """
    try:
        expired = expire_leases_of_the_dead(host=socket.gethostname())
        if expired:
            logger.warning("%s runs of workers that are gone can be taken again", expired)
    except DATABASE_AWAY as error:
        logger.warning("no database yet: %s", error)
    finally:
        connection.close()
    if not settings.WARM_MODELS:
        return
    # Imported here and not above: the parent process must not load any model library.
    from review.providers.local.warming import warm

    try:
        warm()
    except Exception as error:
        logger.warning("models not warmed up (each run will say what is missing): %s", error)
