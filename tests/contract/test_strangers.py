"""I12 over every route of the API, taken from the URL map: a route that is added later is covered at once."""

import uuid
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework.test import APIClient

from tests.support.one_of_each import one_of_each
from tests.support.unchanged import unchanged

METHODS = ("get", "post", "put", "patch", "delete")
#: The document describes the API and holds nothing of anybody.
OPEN = {"schema", "docs"}
#: What everybody who is signed in may ask for; the answer holds nothing of others.
EVERYBODY = {
    ("get", "projects"),
    ("post", "projects"),
    ("get", "tasks"),
    ("get", "tokens"),
    ("post", "tokens"),
    ("get", "me"),
    ("patch", "me"),
}
#: Where the shape is judged before anything is looked up, a well-formed request is sent.
BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("post", "jobs"): {"task": "{task_id}"},
    ("post", "jobs/<str:job_id>/interventions"): {
        "intervention_id": str(uuid.uuid4()),
        "pause_token": "p",
        "base_version": 1,
        "subjects": [],
        "deleted_box_ids": [],
    },
}


def routes() -> list[tuple[str, set[str], set[str]]]:
    """(path below /api/v1/, its parameters, the methods that its view has)."""
    found = []

    def walk(patterns: list[Any], prefix: str) -> None:
        for pattern in patterns:
            path = prefix + str(pattern.pattern)
            if isinstance(pattern, URLResolver):
                walk(pattern.url_patterns, path)
            elif isinstance(pattern, URLPattern) and path.startswith("api/v1/"):
                view = getattr(pattern.callback, "view_class", None) or getattr(pattern.callback, "cls", None)
                methods = {method for method in METHODS if hasattr(view, method)}
                found.append((path.removeprefix("api/v1/"), set(pattern.pattern.converters), methods))

    walk(get_resolver().url_patterns, "")
    return found


ROUTES = [
    (method, path, parameters)
    for path, parameters, methods in routes()
    for method in sorted(methods)
    if path not in OPEN
]


def address(path: str, ids: dict[str, str]) -> str:
    """The path with the ids of things that exist."""
    for converter in ("str", "int", "uuid", "slug"):
        for name, value in ids.items():
            path = path.replace(f"<{converter}:{name}>", value)
    assert "<" not in path, f"this test does not know an id for {path}"
    return f"/api/v1/{path}"


@pytest.fixture
def ids(db: None) -> dict[str, Any]:
    """One thing of each kind in a project, and a stranger to it."""
    return one_of_each()


def test_the_url_map_is_what_this_test_thinks() -> None:
    paths = {path for _, path, _ in ROUTES}
    assert {"projects", "tasks/<str:task_id>/claim", "tasks/<str:task_id>/lock", "jobs/<str:job_id>"} <= paths
    assert len(ROUTES) > 50


@pytest.mark.parametrize(("method", "path"), [(method, path) for method, path, _ in ROUTES])
def test_a_stranger_finds_nothing(ids: dict[str, Any], method: str, path: str) -> None:
    client = APIClient()
    where = address(path, {name: value for name, value in ids.items() if isinstance(value, str)})
    with unchanged(f"anonymous {method} {path}"):
        answer = getattr(client, method)(where)
    assert answer.status_code == 401, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    client.force_authenticate(ids["stranger"])
    if (method, path) in EVERYBODY:
        if method == "get":
            answer = client.get(where)
            assert answer.status_code == 200
            assert ids["project_id"] not in answer.content.decode()
            assert ids["task_id"] not in answer.content.decode()
        return
    body = {
        name: ids["task_id"] if value == "{task_id}" else value
        for name, value in BODIES.get((method, path), {}).items()
    }
    with unchanged(f"stranger {method} {path}"):
        answer = getattr(client, method)(where, body or None, format="json")
    assert answer.status_code == 404, answer.content
    assert answer.json()["code"] == "NOT_FOUND"
