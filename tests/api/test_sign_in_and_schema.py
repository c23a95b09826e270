"""Who is asking: sessions with CSRF, tokens; and the document that describes it all."""

import json
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from tasks.models import ApiToken, Project
from tests.support.pipeline import a_house
from tests.support.unchanged import unchanged
from tests.support.workflow import call, task_in

pytestmark = pytest.mark.django_db


def test_a_token_is_shown_once_and_signs_in_until_it_is_revoked() -> None:
    house = a_house()
    answer = call(house.anna, "post", "tokens", {"name": "my script"})
    assert answer.status == 201
    text = answer.body["token"]
    assert len(text) >= 40
    stored = ApiToken.objects.get()
    assert text not in json.dumps([str(value) for value in vars(stored).values()])
    (listed,) = call(house.anna, "get", "tokens").body["items"]
    assert "token" not in listed
    assert call(house.abel, "get", "tokens").body["items"] == []
    client = APIClient()
    header = {"HTTP_AUTHORIZATION": f"Token {text}"}
    assert client.get("/api/v1/projects", **header).status_code == 200
    assert client.get("/api/v1/projects", HTTP_AUTHORIZATION=f"Token {text}x").status_code == 401
    # A token needs no CSRF token.
    strict = APIClient(enforce_csrf_checks=True)
    made = strict.post("/api/v1/projects", {"name": "Kitchen"}, format="json", **header)
    assert made.status_code == 201
    with unchanged():
        assert call(house.abel, "delete", f"tokens/{listed['id']}").status == 404
    assert call(house.anna, "delete", f"tokens/{listed['id']}").status == 204
    refused = client.get("/api/v1/projects", **header)
    assert (refused.status_code, refused.json()["code"]) == (401, "NOT_AUTHENTICATED")
    assert refused["WWW-Authenticate"] == "Token"


@pytest.mark.parametrize("path", ["/login/", "/admin/login/"])
@pytest.mark.parametrize("name", ["x" * 256, "图" * 5_000, "", " "])
def test_a_name_of_any_length_is_a_wrong_name_and_counts(settings: Any, path: str, name: str) -> None:
    settings.AXES_ENABLED = True
    client = Client(headers={"user-agent": "a" * 5_000})
    statuses = [client.post(path, {"username": name, "password": "no"}).status_code for _ in range(11)]
    assert statuses[0] == 200
    # An empty name is told so and never tried.
    assert statuses[-1] == (429 if name.strip() else 200)


@pytest.mark.parametrize("address", ["not an address", "<script>", "", "1.2.3.4.5", "fe80::1%eth0"])
def test_an_address_that_is_none_is_throttled_as_well(settings: Any, address: str) -> None:
    settings.AXES_ENABLED = True
    client = Client(REMOTE_ADDR=address)
    body = {"username": "guessed", "password": "no"}
    statuses = [client.post("/login/", body).status_code for _ in range(11)]
    assert (statuses[0], statuses[-1]) == (200, 429)
    # Another place is not locked out with it.
    assert Client().post("/login/", body).status_code == 200


def test_a_sessions_writes_need_the_csrf_token() -> None:
    house = a_house()
    client = Client(enforce_csrf_checks=True)
    client.force_login(house.anna)
    assert client.get("/api/v1/projects").status_code == 200
    before = Project.objects.count()
    with unchanged():
        answer = client.post("/api/v1/projects", {"name": "x"}, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (403, "CSRF_FAILED")
    assert Project.objects.count() == before


def test_a_form_that_is_out_of_date_says_so_in_the_persons_language() -> None:
    client = Client(enforce_csrf_checks=True)
    for language, words in (("en", "This page is out of date"), ("zh-hans", "此页面已过期")):
        with unchanged():
            answer = client.post("/login/", {"username": "x"}, headers={"accept-language": language})
        html = answer.content.decode()
        assert answer.status_code == 403
        assert words in html
        assert "<style" not in html
        assert "DEBUG" not in html


def test_a_host_that_is_not_ours(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["testserver"]
    elsewhere = Client(headers={"host": "evil.example"})
    answer = elsewhere.get("/api/v1/projects")
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert (answer.json()["code"], answer.json()["errors"][0]["field"]) == ("VALIDATION_FAILED", "request")
    page = elsewhere.get("/login/")
    assert (page.status_code, page["Content-Type"]) == (400, "text/plain; charset=utf-8")


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"{", "application/json"),
        (b"[]", "application/json"),
        (b'"x"', "application/json"),
        (b'{"client_id": NaN}', "application/json"),
        (b'{"client_id": ""}', "application/json"),
        (b'{"client_id": null}', "application/json"),
        (b'{"client_id": "a\\u0000"}', "application/json"),
        (b'{"client_id": "a\\ud800"}', "application/json"),
        (b'{"client_id": "' + b"a" * 101 + b'"}', "application/json"),
        (b"\xff\xfe", "application/json"),
    ],
)
def test_a_broken_body_is_a_400_with_a_code(body: bytes, content_type: str) -> None:
    house = a_house()
    task = task_in(house.inbox)
    client = APIClient()
    client.force_authenticate(house.anna)
    with unchanged():
        answer = client.generic("POST", f"/api/v1/tasks/{task.pk}/claim", body, content_type)
    assert answer.status_code == 400, answer.content
    assert answer.json()["code"] == "VALIDATION_FAILED"
    assert answer["Content-Type"] == "application/problem+json"


def test_ids_that_are_none_are_not_found() -> None:
    house = a_house()
    for path in (
        "projects/1",
        "tasks/x",
        "batches/00000000-0000-0000-0000-00000000000g",
        "tasks/%00",
        "nothing",
    ):
        answer = call(house.olga, "get", path)
        assert (answer.status, answer.code) == (404, "NOT_FOUND"), path


def test_the_document_names_every_call_of_the_workflow() -> None:
    document = APIClient().get("/api/v1/schema?format=json").json()
    paths: dict[str, Any] = document["paths"]
    claim = paths["/api/v1/tasks/{task_id}/claim"]["post"]
    assert claim["requestBody"]["content"]["application/json"]["schema"]["$ref"].endswith("/ClientAct")
    assert claim["responses"]["200"]["content"]["application/json"]["schema"]["$ref"].endswith(
        "/TaskLockReply"
    )
    assert "application/problem+json" in claim["responses"]["409"]["content"]
    form = paths["/api/v1/projects/{project_id}/tasks"]["post"]["requestBody"]["content"]
    assert list(form) == ["multipart/form-data"]
    assert {one["name"] for one in paths["/api/v1/tasks"]["get"]["parameters"]} == {
        "project",
        "status",
        "batch",
        "mark",
        "mine",
        "q",
        "cursor",
        "limit",
    }
    ids = [method["operationId"] for methods in paths.values() for method in methods.values()]
    assert len(ids) == len(set(ids))
    assert set(document["components"]["securitySchemes"]) == {"token", "session"}
