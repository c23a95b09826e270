"""Tasks over HTTP: upload, lists, one, history, pictures."""

import io
import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image
from rest_framework.test import APIClient

from tasks.domain.statuses import Status
from tasks.models import Asset, AuditEntry, Event, Task, User
from tasks.operations.store_asset import file_name
from tests.support.pipeline import House, a_house, png
from tests.support.unchanged import unchanged
from tests.support.workflow import a_batch, an_asset, call, task_in

pytestmark = pytest.mark.django_db


def upload(house: House, user: User, data: bytes | None = None, name: str = "cup.png", **fields: Any) -> Any:
    """POST /projects/{id}/tasks."""
    client = APIClient()
    client.force_authenticate(user)
    image = SimpleUploadedFile(name, png() if data is None else data)
    return client.post(f"/api/v1/projects/{house.project.pk}/tasks", {"image": image, **fields})


def files() -> set[str]:
    """What lies in the storage under assets/."""
    root = Path(default_storage.path("assets"))
    return (
        {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
        if root.exists()
        else set()
    )


def test_an_upload_becomes_a_pending_task() -> None:
    house = a_house()
    fields = {
        "question": "Which cups?",
        "selection_mode": "ordered",
        "targets": json.dumps(["left cup", "right cup"]),
        "request_id": str(uuid4()),
    }
    answer = upload(house, house.olga, name="Küche/cup.png", **fields)
    assert answer.status_code == 201, answer.content
    body = answer.json()
    assert body["status"] == "pending"
    assert body["name"] == "cup.png"
    assert (body["asset"]["width"], body["asset"]["height"]) == (160, 120)
    config = body["config"]
    assert (config["question"], config["selection_mode"]) == ("Which cups?", "ordered")
    assert config["targets"] == ["left cup", "right cup"]
    assert [label["name"] for label in config["labels"]] == ["cup", "spoon"]
    assert body["batch"]["name"] == "Inbox"
    assert (body["assignee"], body["lock"], body["job"], body["last_decision"]) == (None, None, None, None)
    entry = AuditEntry.objects.get(task_id=body["id"])
    assert (entry.action, entry.before["status"], entry.after["status"]) == (
        "task.uploaded",
        "uploading",
        "pending",
    )
    assert Event.objects.get(task=body["id"]).type == "task.status"
    stored = files()
    # The same request, sent again with the same file, has one effect.
    with unchanged():
        again = upload(house, house.olga, name="Küche/cup.png", **fields)
    assert again.content == answer.content
    assert files() == stored
    assert call(house.olga, "get", f"tasks/{body['id']}").body == body


@pytest.mark.parametrize(
    ("data", "fields", "status", "field"),
    [
        (b"not a picture", {}, 422, "image"),
        (b"", {}, 422, "image"),
        (None, {"selection_mode": "best"}, 400, "selection_mode"),
        (None, {"selection_mode": "ordered"}, 422, "targets"),
        (None, {"targets": "left cup"}, 400, "targets"),
        (None, {"targets": '["a", 5]'}, 400, "targets"),
        (None, {"targets": '["a\\u0000"]'}, 400, "targets"),
        (None, {"targets": '["a", " "]'}, 422, "targets.1"),
        (None, {"targets": json.dumps(["x" * 101])}, 422, "targets.0"),
        (None, {"targets": json.dumps(["x"] * 65)}, 422, "targets"),
        (None, {"question": "x" * 2001}, 422, "question"),
        (None, {"colour": "red"}, 400, "colour"),
        (None, {"batch": "1"}, 400, "batch"),
        (None, {"question": "a\0b"}, 400, "question"),
    ],
)
def test_a_bad_upload_leaves_nothing(
    data: bytes | None, fields: dict[str, str], status: int, field: str
) -> None:
    house = a_house()
    with unchanged():
        answer = upload(house, house.olga, data, **fields)
    assert answer.status_code == status, answer.content
    assert field in [error["field"] for error in answer.json()["errors"]]
    assert files() == set()


def test_a_part_sent_twice_is_refused_instead_of_one_being_dropped() -> None:
    house = a_house()
    two = [SimpleUploadedFile(f"{name}.png", png()) for name in ("first", "second")]
    with unchanged():
        pictures = upload(house, house.olga, image=two)
        questions = upload(house, house.olga, question=["Which cup?", "Which spoon?"])
    for answer, field in ((pictures, "image"), (questions, "question")):
        assert answer.status_code == 400
        assert [(error["field"], error["code"]) for error in answer.json()["errors"]] == [(field, "repeated")]
    assert files() == set()
    answer = call(house.olga, "get", "tasks?status=pending&status=review")
    assert (answer.status, answer.body["errors"][0]["field"]) == (400, "status")


def test_a_picture_that_comes_as_text_is_told_to_come_as_a_file() -> None:
    house = a_house()
    with unchanged():
        answer = upload(house, house.olga, image="\0PNG")
    (error,) = answer.json()["errors"]
    assert (answer.status_code, error["field"], error["code"]) == (400, "image", "invalid")
    assert "not a file" in error["message"]


@pytest.mark.parametrize(
    ("sent", "stored"), [("  .png", ".png"), (" ", "picture"), ("a/ b.png ", "b.png"), ("..\\c.png", "c.png")]
)
def test_a_task_always_has_a_name(sent: str, stored: str) -> None:
    assert file_name(sent) == stored


def test_an_upload_is_for_admins_and_into_batches_of_the_project() -> None:
    house, other = a_house(), a_house()
    foreign = a_batch(other.project)
    with unchanged():
        assert upload(house, house.anna).status_code == 403
        assert upload(house, house.rita).status_code == 403
        assert upload(house, house.stranger).status_code == 404
        assert upload(house, house.olga, batch=str(foreign.pk)).status_code == 404
    assert files() == set()


def test_lists_show_what_the_caller_may_see_and_filter_it() -> None:
    house = a_house()
    draft = a_batch(house.project, status="draft")
    hers = a_batch(house.project, house.anna)
    theirs = a_batch(house.project, house.abel)
    tasks = {
        "draft": task_in(draft),
        "hers": task_in(hers, mark="difficult"),
        "theirs": task_in(theirs, Status.REVIEW, submitted_by=house.abel),
        "inbox": task_in(house.inbox, Status.IN_PROGRESS, assignee=house.anna),
    }
    names = {str(task.pk): name for name, task in tasks.items()}

    def seen(person: str, query: str = "") -> set[str]:
        answer = call(getattr(house, person), "get", f"tasks?project={house.project.pk}{query}")
        assert answer.status == 200, answer.body
        return {names[task["id"]] for task in answer.body["items"]}

    assert seen("olga") == seen("root") == {"draft", "hers", "theirs", "inbox"}
    assert seen("rita") == seen("vera") == {"hers", "theirs", "inbox"}
    assert seen("anna") == {"hers", "inbox"}
    assert seen("stranger") == set()
    assert seen("olga", "&status=review") == {"theirs"}
    assert seen("olga", f"&batch={hers.pk}") == {"hers"}
    assert seen("olga", "&mark=difficult") == {"hers"}
    assert seen("anna", "&mine=true") == {"inbox"}
    assert seen("olga", f"&q={tasks['hers'].name}") >= {"hers"}
    for bad in ("status=done", "project=1", "sort=name", "q=%00"):
        assert call(house.olga, "get", f"tasks?{bad}").status == 400
    for name, task in tasks.items():
        wanted = 200 if name in {"hers", "inbox"} else 404
        assert call(house.anna, "get", f"tasks/{task.pk}").status == wanted


def test_a_long_list_costs_what_a_short_one_costs(django_assert_num_queries: Any) -> None:
    house = a_house()
    for _ in range(3):
        task_in(house.inbox)
    with django_assert_num_queries(1) as short:
        call(house.anna, "get", "tasks")
    for _ in range(40):
        task_in(house.inbox, Status.IN_PROGRESS, assignee=house.abel)
    with django_assert_num_queries(len(short)):
        assert len(call(house.anna, "get", "tasks").body["items"]) == 43


def test_a_history_is_in_order_and_for_those_who_may_see_it() -> None:
    house = a_house()
    task = task_in(house.inbox)
    assert call(house.anna, "post", f"tasks/{task.pk}/claim", {"client_id": "a"}).status == 200
    assert call(house.anna, "post", f"tasks/{task.pk}/withdraw", {}).status == 200
    path = f"tasks/{task.pk}/history"
    items = call(house.rita, "get", path).body["items"]
    assert [(item["kind"], item["action"]) for item in items] == [
        ("lock", "lock.acquire"),
        ("task", "task.claim"),
        ("task", "task.withdraw"),
        ("lock", "lock.release"),
    ]
    assert items[1]["actor"]["id"] == str(house.anna.pk)
    assert (items[1]["before"]["status"], items[1]["after"]["status"]) == ("pending", "in_progress")
    assert [item["at"] for item in items] == sorted(item["at"] for item in items)
    assert items[0]["at"].endswith("Z")
    assert call(house.abel, "get", path).code == "ROLE_FORBIDDEN"
    assert call(house.vera, "get", path).status == 200


def test_the_audit_is_filtered_and_for_reviewers_and_admins() -> None:
    house = a_house()
    task, other = task_in(house.inbox), task_in(house.inbox)
    for one, user in ((task, house.anna), (other, house.abel)):
        assert call(user, "post", f"tasks/{one.pk}/claim", {"client_id": "a"}).status == 200
    path = f"projects/{house.project.pk}/audit"
    items = call(house.rita, "get", path).body["items"]
    assert [item["at"] for item in items] == sorted((item["at"] for item in items), reverse=True)

    def found(query: str) -> list[str]:
        return [item["action"] for item in call(house.otto, "get", f"{path}?{query}").body["items"]]

    assert found(f"actor={house.anna.username}&action=task.claim") == ["task.claim"]
    assert found(f"task={other.pk}") == ["task.claim", "lock.acquire"]
    assert found("action=lock.") == ["lock.acquire"] * 2
    assert found("since=2999-01-01T00:00:00Z") == []
    assert found("until=2000-01-01T00:00:00Z") == []
    for person in ("anna", "vera"):
        assert call(getattr(house, person), "get", path).code == "ROLE_FORBIDDEN"


def test_the_audit_is_in_the_order_of_its_moments_on_every_page() -> None:
    """A claim's first move of the batch is written before the claim, and happened after it."""
    house = a_house()
    for user in (house.anna, house.abel):
        task = task_in(house.inbox)
        assert call(user, "post", f"tasks/{task.pk}/claim", {"client_id": "a"}).status == 200
        assert call(user, "post", f"tasks/{task.pk}/withdraw", {}).status == 200
    path = f"projects/{house.project.pk}/audit"
    whole = call(house.olga, "get", path).body["items"]
    moments = [(item["at"], item["id"]) for item in whole]
    assert moments == sorted(moments, reverse=True)
    assert [item["id"] for item in whole] != sorted((item["id"] for item in whole), reverse=True)
    paged, cursor = [], ""
    while cursor is not None:
        page = call(house.olga, "get", f"{path}?limit=2&cursor={cursor}").body
        paged += page["items"]
        cursor = page["next_cursor"]
    assert paged == whole


def test_a_picture_is_for_those_who_see_a_task_with_it() -> None:
    house = a_house()
    body = upload(house, house.olga).json()
    path = body["asset"]["image_url"].removeprefix("/api/v1/")
    full = call(house.anna, "get", path)
    assert (full.status, full.headers["Content-Type"]) == (200, "image/png")
    assert Image.open(io.BytesIO(full.raw)).size == (160, 120)
    assert full.headers["X-Content-Type-Options"] == "nosniff"
    assert "private" in full.headers["Cache-Control"]
    assert "immutable" in full.headers["Cache-Control"]
    etag = full.headers["ETag"]
    again = call(house.anna, "get", path, HTTP_IF_NONE_MATCH=etag)
    assert (again.status, again.raw) == (304, b"")
    for _ in range(2):
        small = call(house.anna, "get", f"{path}?w=160")
        assert small.headers["Content-Type"] == "image/webp"
        assert Image.open(io.BytesIO(small.raw)).width == 160
    assert len([name for name in files() if "w160" in name]) == 1
    assert small.headers["ETag"] != etag
    assert call(house.anna, "get", f"{path}?w=161").status == 400
    assert call(house.stranger, "get", path).status == 404
    assert call(None, "get", path).status == 401


def test_a_picture_of_a_batch_that_is_not_given_to_one_is_not_there() -> None:
    house = a_house()
    hidden = task_in(a_batch(house.project, house.abel))
    assert call(house.anna, "get", f"assets/{hidden.asset_id}/image").status == 404
    orphan = an_asset(house.project)
    assert call(house.olga, "get", f"assets/{orphan.pk}/image").status == 404
    assert Asset.objects.count() == 2
    assert Task.objects.count() == 1


@pytest.mark.parametrize(
    "accept", ["image/png", "application/x-ndjson", "application/problem+json", "text/html"]
)
def test_what_a_call_gives_does_not_hang_on_what_is_accepted(accept: str) -> None:
    house = a_house()
    picture = upload(house, house.olga).json()["asset"]["image_url"].removeprefix("/api/v1/")
    for path, status, kind in (
        (picture, 200, "image/png"),
        (f"projects/{house.project.pk}/annotations.jsonl", 200, "application/x-ndjson"),
        (f"projects/{house.project.pk}", 200, "application/json"),
        (f"tasks/{house.project.pk}", 404, "application/problem+json"),
    ):
        client = APIClient(HTTP_ACCEPT=accept)
        client.force_authenticate(house.olga)
        answer = client.get(f"/api/v1/{path}")
        assert (answer.status_code, answer["Content-Type"].split(";")[0]) == (status, kind), path
