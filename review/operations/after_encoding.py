"""The picture's encoding is ready, for every box and any worker."""

from typing import Any

from review.models import Job, NodeRun
from tasks.models import Task


def after_encoding(task: Task, job: Job, run: NodeRun, report: dict[str, Any]) -> None:
    """Keep its storage key; a segmentation that is taken from now on gets it."""
    Job.objects.filter(pk=job.pk).update(encoding=report["encoding"])
    job.encoding = report["encoding"]
