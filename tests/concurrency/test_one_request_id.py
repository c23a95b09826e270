"""One request id sent twice at the same moment, where no row lock makes the second one wait (I4)."""

import functools
import json
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from tasks.domain.statuses import Status
from tasks.models import Asset, IdempotentRequest, Project, Task, User
from tests.support.pipeline import House, a_house, png
from tests.support.racing import at_once
from tests.support.workflow import call, task_in


def upload(house: House, user: User, fields: dict[str, Any]) -> tuple[int, bytes]:
    """POST /projects/{id}/tasks."""
    client = APIClient()
    client.force_authenticate(user)
    image = SimpleUploadedFile("cup.png", png())
    response = client.post(f"/api/v1/projects/{house.project.pk}/tasks", {"image": image, **fields})
    return response.status_code, response.content


def test_a_project_is_made_once(committed_db: str) -> None:
    house = a_house()
    for number in range(3):
        body = {"name": f"Kitchen {number}", "request_id": str(uuid4())}
        answers = at_once([functools.partial(call, house.anna, "post", "projects", body) for _ in range(4)])
        assert [answer.status for answer in answers] == [201] * 4
        assert len({answer.raw for answer in answers}) == 1
        assert Project.objects.filter(name=body["name"]).count() == 1


def test_a_picture_becomes_one_task_and_leaves_one_file(committed_db: str) -> None:
    house = a_house()
    for number in range(2):
        fields = {"name": f"cup {number}", "request_id": str(uuid4())}
        answers = at_once([functools.partial(upload, house, house.olga, fields) for _ in range(3)])
        assert [status for status, _ in answers] == [201] * 3
        assert len({body for _, body in answers}) == 1
        task = Task.objects.get(name=fields["name"])
        assert str(task.pk) == json.loads(answers[0][1])["id"]
    assert Asset.objects.count() == 2
    kept = [path for path in Path(default_storage.path("assets")).rglob("*") if path.is_file()]
    assert len(kept) == 4  # each picture and its original


def test_one_id_for_two_things_is_a_conflict_for_the_second(committed_db: str) -> None:
    house = a_house()
    for _ in range(3):
        tasks = [task_in(house.inbox), task_in(house.inbox)]
        body = {"client_id": "page", "request_id": str(uuid4())}
        answers = at_once(
            [
                functools.partial(call, user, "post", f"tasks/{task.pk}/claim", body)
                for user, task in zip((house.anna, house.abel), tasks, strict=True)
            ]
        )
        assert sorted((answer.status, answer.code) for answer in answers if answer.status != 200) == [
            (409, "IDEMPOTENCY_CONFLICT")
        ]
        statuses = Task.objects.filter(pk__in=[task.pk for task in tasks]).values_list("status", flat=True)
        assert sorted(statuses) == [Status.IN_PROGRESS, Status.PENDING]
        assert IdempotentRequest.objects.filter(key=body["request_id"]).count() == 1
