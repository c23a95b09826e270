"""A project with one thing of each kind, for tests that walk over every route."""

from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from review.domain.job_states import NodeType, RunStatus
from review.models import (
    Annotation,
    Artifact,
    CandidateSet,
    Decision,
    Job,
    NodeRun,
    Pin,
    Prediction,
    RegionResult,
)
from tasks.domain.statuses import Status
from tasks.models import ApiToken
from tasks.operations.store_asset import store_asset
from tests.support.pipeline import a_house, png
from tests.support.workflow import a_batch, task_in


def one_of_each() -> dict[str, Any]:
    """Ids by the names that the URL map gives them, and two people: the owner and a stranger.

    All of them are of things that exist: what is not there is 404 for everybody, and would prove nothing.
    """
    house = a_house()
    asset = store_asset(project=house.project, name="cup.png", data=png())
    task = task_in(house.inbox, Status.IN_PROGRESS, asset=asset, confirmed_by=house.anna, assignee=house.anna)
    batch = a_batch(house.project, house.anna)
    now = asset.created_at
    job = Job.objects.create(task=task, created_by=house.anna, created_at=now, updated_at=now)
    run = NodeRun.objects.create(
        task=task,
        node_type=NodeType.DETECT_SUBJECTS,
        status=RunStatus.SUCCEEDED,
        available_at=now,
        created_at=now,
        finished_at=now,
    )
    found = CandidateSet.objects.create(
        task=task, run=run, revision=1, source=CandidateSet.Source.MODEL, items=[], created_at=now
    )
    prediction = Prediction.objects.create(task=task, candidate_set=found, config_version=1, created_at=now)
    region = RegionResult.objects.create(task=task, config_version=1, region=[0, 0, 9, 9], created_at=now)
    key = default_storage.save(f"artifacts/{run.pk}.png", ContentFile(png()))
    artifact = Artifact.objects.create(
        task=task, run=run, key=key, size_bytes=1, sha256="0" * 64, created_at=now
    )
    decision = Decision.objects.create(
        task=task,
        annotation=Annotation.objects.get(task=task),
        round_version=0,
        verdict=Decision.Verdict.REJECT,
        by=house.rita,
        at=now,
    )
    pin = Pin.objects.create(task=task, decision=decision, x=1, y=1, text="Here.")
    token = ApiToken.objects.create(user=house.project.owner, name="script", digest="0" * 64)
    return {
        "stranger": house.stranger,
        "owner": house.project.owner,
        "project_id": str(house.project.pk),
        "batch_id": str(batch.pk),
        "task_id": str(task.pk),
        "user_id": str(house.anna.pk),
        "asset_id": str(asset.pk),
        "job_id": str(job.pk),
        "run_id": str(run.pk),
        "prediction_id": str(prediction.pk),
        "region_id": str(region.pk),
        "artifact_id": str(artifact.pk),
        "pin_id": str(pin.pk),
        "token_id": str(token.pk),
        "revision": "1",
        "kind": "routing",
    }
