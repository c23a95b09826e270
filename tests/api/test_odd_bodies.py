"""What no page sends: nested without end, figures past every limit, cursors made up. Never a 500."""

import base64
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from review.models import Annotation, Pause, RegionResult
from tasks.models import AuditEntry, Membership, Project, Task, User
from tasks.operations.transactions import db_now
from tests.support.editing import a_desk
from tests.support.pipeline import a_house, png, waiting
from tests.support.unchanged import unchanged
from tests.support.workflow import a_batch, call, task_in

pytestmark = pytest.mark.django_db

#: Past Python's limit of recursion, past what walks a body, and just past what is taken.
DEPTHS = (100_000, 400, 52)


def raw(user: User, method: str, path: str, text: str) -> Any:
    """`text` as it is, to /api/v1/`path`; a fault of ours is raised."""
    client = APIClient()
    client.force_authenticate(user)
    return getattr(client, method)(f"/api/v1/{path}", data=text, content_type="application/json")


def nested(depth: int) -> str:
    """A list in a list in a list …"""
    return "[" * depth + "]" * depth


@pytest.mark.parametrize("depth", DEPTHS)
def test_a_body_nested_without_end(depth: int) -> None:
    house = a_house()
    job, _ = waiting(house)
    deep = nested(depth)
    calls = [
        ("post", "projects", f'{{"name": "x", "labels": {deep}}}'),
        ("post", "projects", deep),
        ("post", "jobs", f'{{"task": {deep}}}'),
        ("put", f"tasks/{job.task_id}/editor", f'{{"config": {{"expected_version": 1, "labels": {deep}}}}}'),
        ("post", f"jobs/{job.pk}/interventions", f'{{"subjects": [{{"alternatives": {deep}}}]}}'),
    ]
    with unchanged():
        for method, path, text in calls:
            answer = raw(house.anna, method, path, text)
            assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_FAILED"), path
            assert "nested" in answer.json()["detail"]


@pytest.mark.parametrize("targets", [nested(100_000), '["\\ud800"]', '["a\\u0000b"]'], ids=range(3))
def test_targets_that_are_no_texts(targets: str) -> None:
    house = a_house()
    client = APIClient()
    client.force_authenticate(house.olga)
    with unchanged():
        answer = client.post(
            f"/api/v1/projects/{house.project.pk}/tasks",
            {"image": SimpleUploadedFile("cup.png", png()), "targets": targets},
        )
    assert answer.status_code == 400, answer.content
    assert answer.json()["errors"][0]["field"] == "targets"


def test_a_form_of_too_many_fields() -> None:
    house = a_house()
    client = APIClient()
    client.force_authenticate(house.anna)
    with unchanged():
        answer = client.post("/api/v1/jobs", {f"field{number}": "x" for number in range(1001)})
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")


def test_a_figure_that_json_cannot_hold_in_a_part_that_takes_anything() -> None:
    desk = a_desk()
    desk.claim("anna")
    text = '{"config": {"expected_version": 1, "labels": [1e999]}}'
    with unchanged():
        answer = raw(desk.house.anna, "put", f"tasks/{desk.task.pk}/editor", text)
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_FAILED")


@pytest.mark.parametrize("value", ["1e999", "5", "true", "[]", "null"])
def test_a_region_s_replacement_is_named_by_a_text(value: str) -> None:
    desk = a_desk()
    region = RegionResult.objects.create(
        task=desk.task, config_version=1, region=[0, 0, 50, 50], items=[], created_at=db_now()
    )
    desk.claim("anna")
    with unchanged():
        answer = raw(
            desk.house.anna, "post", f"regions/{region.pk}/apply", f'{{"replace": {{"b1": {value}}}}}'
        )
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_FAILED")


@pytest.mark.parametrize("value", ["Infinity", "1e999", "-1e999", "NaN", nested(100_000), "{}", '"x"'])
def test_a_made_up_cursor(value: str) -> None:
    house = a_house()
    job, _ = waiting(house)
    for path, model, columns in (
        (f"projects/{house.project.pk}/audit", AuditEntry, 2),
        (f"tasks/{job.task_id}/annotations", Annotation, 1),
        (f"projects/{house.project.pk}/members", Membership, 1),
        ("projects", Project, 2),
        ("tasks", Task, 1),
        (f"jobs/{job.pk}/pauses", Pause, 1),
    ):
        content = f'["{model._meta.db_table}"{f", {value}" * columns}]'
        cursor = base64.urlsafe_b64encode(content.encode()).decode().rstrip("=")
        answer = call(house.olga, "get", f"{path}?cursor={cursor}")
        assert (answer.status, answer.code) == (400, "VALIDATION_FAILED"), path
        assert answer.body["errors"][0]["field"] == "cursor"


def test_a_cursor_is_of_its_own_list() -> None:
    house = a_house()
    a_batch(house.project)
    for place in range(2):
        task_in(house.inbox, order=place)
    batches, tasks = f"projects/{house.project.pk}/batches", "tasks"
    cursors = {
        path: call(house.olga, "get", f"{path}?limit=1").body["next_cursor"] for path in (batches, tasks)
    }
    for path, other in ((batches, tasks), (tasks, batches)):
        assert call(house.olga, "get", f"{path}?cursor={cursors[path]}").status == 200
        refused = call(house.olga, "get", f"{path}?cursor={cursors[other]}")
        assert (refused.status, refused.body["errors"][0]["field"]) == (400, "cursor")


@pytest.mark.parametrize("spelling", ["{}", "{{{}}}", "urn:uuid:{}"])
def test_one_request_id_in_several_spellings_is_one_request(spelling: str) -> None:
    house = a_house()
    request_id = str(uuid4())
    path = f"projects/{house.project.pk}/batches"
    first = call(house.olga, "post", path, {"name": "Cups", "request_id": request_id})
    assert first.status == 201
    with unchanged():
        for same in (request_id.upper(), request_id.replace("-", "")):
            body = {"name": "Cups", "request_id": spelling.format(same)}
            again = call(house.olga, "post", path, body)
            assert (again.status, again.raw) == (201, first.raw)
        refused = call(
            house.olga, "post", path, {"name": "Spoons", "request_id": spelling.format(request_id)}
        )
        assert refused.code == "IDEMPOTENCY_CONFLICT"


def test_a_restore_sent_again_gets_the_first_reply() -> None:
    house = a_house()
    job, _ = waiting(house)
    for path in (f"tasks/{job.task_id}", f"projects/{house.project.pk}"):
        assert call(house.olga, "delete", path, {"reason": "Not wanted."}).status == 204
        body = {"request_id": str(uuid4())}
        first = call(house.olga, "post", f"{path}/restore", body)
        assert first.status == 200
        with unchanged():
            again = call(house.olga, "post", f"{path}/restore", body)
            other = call(house.olga, "post", f"{path}/restore", {})
        assert (again.status, again.raw) == (200, first.raw)
        assert (other.status, other.code) == (409, "ILLEGAL_TRANSITION")
        assert other.body["snapshot"]["id"] == first.body["id"]
