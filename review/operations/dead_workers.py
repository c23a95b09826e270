"""Leases of workers that are gone for sure need not be waited for."""

import psutil

from review.domain.job_states import RunStatus
from review.models import NodeRun
from tasks.operations.transactions import db_now, operation


def worker_name(host: str, pid: int) -> str:
    """How a worker process signs its leases."""
    return f"{host}:{pid}"


@operation
def expire_leases_of_the_dead(*, host: str) -> int:
    """End the leases of this host's processes that do not exist any more; how many.

    Only a shortcut: without it the leases run out by themselves. Where another process has got the same
    number meanwhile, it is left to that; the fence makes a mistake harmless.
    """
    runs = NodeRun.objects.filter(status=RunStatus.RUNNING, lease_worker__startswith=f"{host}:")
    dead = [
        pk
        for pk, worker in runs.values_list("pk", "lease_worker")
        if not _exists(worker.removeprefix(f"{host}:"))
    ]
    return NodeRun.objects.filter(pk__in=dead, status=RunStatus.RUNNING).update(lease_until=db_now())


def _exists(pid: str) -> bool:
    try:
        # One that has ended, and was not yet collected by its parent, works no more.
        return bool(psutil.Process(int(pid)).status() != psutil.STATUS_ZOMBIE)
    except (ValueError, psutil.NoSuchProcess):
        return False
    except psutil.Error:
        return True
