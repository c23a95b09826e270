"""A project with one thing of each kind, for tests that walk over every route."""

import uuid
from typing import Any

from review.models import Job
from tasks.domain.statuses import Status
from tasks.operations.store_asset import store_asset
from tests.support.pipeline import a_house, png
from tests.support.workflow import a_batch, task_in


def one_of_each() -> dict[str, Any]:
    """Ids by the names that the URL map gives them, and two people: the owner and a stranger."""
    house = a_house()
    asset = store_asset(project=house.project, name="cup.png", data=png())
    task = task_in(house.inbox, Status.IN_PROGRESS, asset=asset, confirmed_by=house.anna, assignee=house.anna)
    batch = a_batch(house.project, house.anna)
    now = asset.created_at
    job = Job.objects.create(task=task, created_by=house.anna, created_at=now, updated_at=now)
    missing = str(uuid.uuid4())
    return {
        "stranger": house.stranger,
        "owner": house.project.owner,
        "project_id": str(house.project.pk),
        "batch_id": str(batch.pk),
        "task_id": str(task.pk),
        "user_id": str(house.anna.pk),
        "asset_id": str(asset.pk),
        "job_id": str(job.pk),
        "revision": "1",
        **dict.fromkeys(
            ["token_id", "pin_id", "run_id", "prediction_id", "region_id", "artifact_id", "webhook_id"],
            missing,
        ),
        **dict.fromkeys(["import_id", "export_id", "bulk_run_id", "delivery_id"], missing),
        "node": "DETECT_SUBJECTS",
        "kind": "routing",
    }
