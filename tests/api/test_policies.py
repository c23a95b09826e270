"""Policies over HTTP: who may declare what, and that each change is a version with a name to it."""

from typing import Any
from uuid import uuid4

import pytest

from tasks.domain.policies import PolicyKind
from tasks.models import AuditEntry, ProjectPolicy
from tests.support.pipeline import House, a_house
from tests.support.policies import declared
from tests.support.unchanged import unchanged
from tests.support.workflow import Answer, call

pytestmark = pytest.mark.django_db

BODIES: dict[str, dict[str, Any]] = {
    "routing": {"threshold": 0.9, "calibration": "400 pictures, one wrong", "below": "ask"},
    "timeout_default": {
        "after_seconds": 3600,
        "answer": "keep_shown",
        "authorisation": "The customer, 3 May: catalogue pictures",
    },
    "timeout_to_queue": {"after_seconds": 600, "group": "reviewers"},
}
ADMINS = ("root", "olga", "otto")
OTHERS = ("rita", "anna", "vera")


def path(house: House, kind: str = "") -> str:
    return f"projects/{house.project.pk}/policies" + (f"/{kind}" if kind else "")


def put(house: House, kind: str, *, by: str = "olga", is_on: bool = True, **more: Any) -> Answer:
    return call(getattr(house, by), "put", path(house, kind), {"is_on": is_on, **BODIES[kind], **more})


def errors(answer: Answer) -> list[tuple[str, str]]:
    return [(error["field"], error["code"]) for error in answer.body["errors"]]


def test_nothing_is_on_from_the_start() -> None:
    house = a_house()
    items = call(house.anna, "get", path(house)).body["items"]
    assert [item["kind"] for item in items] == [kind.value for kind in PolicyKind]
    assert {(item["version"], item["is_on"], item["by"]) for item in items} == {(0, False, None)}
    for kind in BODIES:
        assert call(house.anna, "get", path(house, kind)).body == {"items": [], "next_cursor": None}


@pytest.mark.parametrize("kind", BODIES)
def test_a_declaration_is_a_version_with_who_when_and_why(kind: str) -> None:
    house = a_house()
    answer = put(house, kind, by="otto", authorisation="Olga, 1 May")
    assert answer.status == 200
    wanted = {"kind": kind, "version": 1, "is_on": True, **BODIES[kind], "authorisation": "Olga, 1 May"}
    assert answer.body | wanted == answer.body
    assert answer.body["by"]["username"] == house.otto.username
    assert answer.body["at"].endswith("Z")
    silent = set(answer.body) - {*wanted, "by", "at"}
    assert {answer.body[name] for name in silent} == {None}
    entry = AuditEntry.objects.get(action="policy.change")
    assert (entry.task_id, entry.actor_id, entry.role) == (None, house.otto.pk, "project_admin")
    assert (entry.reason, entry.before) == ("Olga, 1 May", None)
    assert (entry.after["policy"], entry.after["version"], entry.after["is_on"]) == (kind, 1, True)


@pytest.mark.parametrize("kind", BODIES)
def test_a_change_is_the_next_version_and_the_old_one_stays(kind: str) -> None:
    house = a_house()
    first = put(house, kind).body
    off = put(house, kind, by="root", is_on=False).body
    assert (off["version"], off["is_on"]) == (2, False)
    history = call(house.rita, "get", path(house, kind)).body["items"]
    assert [item["version"] for item in history] == [2, 1]
    assert history[1] == first
    (now,) = [item for item in call(house.rita, "get", path(house)).body["items"] if item["kind"] == kind]
    assert now == off
    entry = AuditEntry.objects.filter(action="policy.change").latest("id")
    assert (entry.before["version"], entry.before["is_on"]) == (1, True)


def test_the_same_terms_again_make_no_version() -> None:
    house = a_house()
    first = put(house, "routing")
    with unchanged("the same terms"):
        assert put(house, "routing", by="otto").body == first.body


def test_the_same_request_has_the_same_reply_and_another_one_is_a_conflict() -> None:
    house = a_house()
    request_id = str(uuid4())
    first = put(house, "routing", request_id=request_id)
    assert put(house, "routing", threshold=0.95).body["version"] == 2
    with unchanged("a repeated request"):
        assert put(house, "routing", request_id=request_id).raw == first.raw
        other = put(house, "routing", request_id=request_id, threshold=0.5)
        theirs = put(house, "routing", request_id=request_id, by="otto")
    assert {other.code, theirs.code} == {"IDEMPOTENCY_CONFLICT"}


def test_a_change_to_an_old_version_is_refused_with_the_present_one() -> None:
    house = a_house()
    assert put(house, "routing", expected_version=0).status == 200
    with unchanged("an old page"):
        answer = put(house, "routing", expected_version=0, threshold=0.5)
        never = put(house, "timeout_default", expected_version=3)
    assert (answer.status, answer.code) == (409, "VERSION_CONFLICT")
    assert answer.body["snapshot"]["version"] == 1
    assert (never.code, never.body["snapshot"]["version"]) == ("VERSION_CONFLICT", 0)


@pytest.mark.parametrize("kind", BODIES)
@pytest.mark.parametrize("person", [*ADMINS, *OTHERS, "stranger"])
def test_admins_declare_members_read_and_a_stranger_finds_nothing(kind: str, person: str) -> None:
    house = a_house()
    user = getattr(house, person)
    expected = {"stranger": (404, "NOT_FOUND")}.get(
        person, (200, None) if person in ADMINS else (403, "ROLE_FORBIDDEN")
    )
    if expected[0] != 200:
        with unchanged(person):
            answer = put(house, kind, by=person)
    else:
        answer = put(house, kind, by=person)
    assert (answer.status, answer.code) == expected
    if expected[0] == 403:
        assert answer.body["required_roles"] == ["super_admin", "project_admin"]
    reads = {call(user, "get", path(house, each)).status for each in ("", kind)}
    assert reads == ({404} if person == "stranger" else {200})


def test_nobody_is_signed_in() -> None:
    house = a_house()
    with unchanged():
        assert call(None, "put", path(house, "routing"), {"is_on": False}).status == 401


def test_there_is_no_such_policy() -> None:
    house = a_house()
    with unchanged():
        answers = [
            call(house.olga, "get", path(house, "sampling")),
            call(house.olga, "put", path(house, "sampling"), {"is_on": False}),
        ]
    assert [(answer.status, answer.code) for answer in answers] == [(404, "NOT_FOUND")] * 2


@pytest.mark.parametrize(
    ("kind", "change", "status", "error"),
    [
        ("routing", {"is_on": "yes"}, 400, ("is_on", "invalid")),
        ("routing", {"is_on": None}, 400, ("is_on", "null")),
        ("routing", {"threshold": "0.9"}, 400, ("threshold", "invalid")),
        ("routing", {"threshold": 0}, 400, ("threshold", "min_value")),
        ("routing", {"threshold": 1.2}, 400, ("threshold", "max_value")),
        ("routing", {"threshold": None}, 400, ("threshold", "required")),
        ("routing", {"calibration": "a\0b"}, 400, ("calibration", "null_characters_not_allowed")),
        ("routing", {"calibration": "  "}, 422, ("calibration", "blank")),
        ("routing", {"below": "drop"}, 400, ("below", "invalid_choice")),
        ("routing", {"answer": "keep_shown"}, 400, ("answer", "unknown_field")),
        ("routing", {"colour": "red"}, 400, ("colour", "unknown_field")),
        ("timeout_default", {"after_seconds": 59}, 400, ("after_seconds", "min_value")),
        ("timeout_default", {"after_seconds": 10**9}, 400, ("after_seconds", "max_value")),
        ("timeout_default", {"after_seconds": 61.5}, 400, ("after_seconds", "invalid")),
        ("timeout_default", {"answer": "whatever"}, 400, ("answer", "invalid_choice")),
        ("timeout_default", {"authorisation": None}, 400, ("authorisation", "required")),
        ("timeout_default", {"authorisation": " \n "}, 422, ("authorisation", "blank")),
        ("timeout_default", {"threshold": 0.5}, 400, ("threshold", "unknown_field")),
        ("timeout_default", {"expected_version": -1}, 400, ("expected_version", "min_value")),
        ("timeout_to_queue", {"group": "viewers"}, 400, ("group", "invalid_choice")),
        ("timeout_to_queue", {"group": None}, 400, ("group", "required")),
    ],
)
def test_bad_terms_name_the_field_and_change_nothing(
    kind: str, change: dict[str, Any], status: int, error: tuple[str, str]
) -> None:
    house = a_house()
    put(house, kind, is_on=False)
    with unchanged(str(change)):
        answer = put(house, kind, **change)
    assert (answer.status, answer.code) == (status, "VALIDATION_FAILED")
    assert error in errors(answer)


def test_switching_off_needs_no_terms() -> None:
    house = a_house()
    put(house, "timeout_default")
    answer = call(house.olga, "put", path(house, "timeout_default"), {"is_on": False})
    assert (answer.status, answer.body["version"], answer.body["is_on"]) == (200, 2, False)


def test_the_shape_comes_before_the_role_and_the_role_before_the_content() -> None:
    house = a_house()
    with unchanged():
        assert put(house, "routing", by="rita", threshold=2).status == 400
        assert put(house, "routing", by="rita", calibration=" ").status == 403


def test_lists_cost_the_same_however_many_versions(django_assert_num_queries: Any) -> None:
    house = a_house()
    for n in range(1, 6):
        declared(house, PolicyKind.ROUTING, threshold=n / 10)
    call(house.anna, "get", path(house))
    with django_assert_num_queries(2):
        call(house.anna, "get", path(house))
    with django_assert_num_queries(2):
        assert len(call(house.anna, "get", path(house, "routing")).body["items"]) == 5
    assert ProjectPolicy.objects.count() == 5
