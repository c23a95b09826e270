"""PUT /tasks/{id}/mark."""

from uuid import uuid4

import pytest

from review.models import ReviewMarkChange
from tests.support.editing import CUP_ITEM, a_desk

pytestmark = pytest.mark.django_db
PATH = "tasks/{task}/mark"


def mark(name, version, **more):
    return {"request_id": str(uuid4()), "mark": name, "expected_version": version, **more}


def test_a_mark_has_its_own_version_and_each_change_is_kept():
    desk = a_desk()
    desk.claim("anna")
    answer = desk.call("anna", "put", PATH, mark("difficult", 0, reason="Blurred.", note="Left cup."))
    assert (answer.status, answer.body["version"], answer.body["mark"]) == (200, 1, "difficult")
    assert desk.editor("anna")["mark"]["note"] == "Left cup."
    assert desk.editor("anna")["task"]["mark"] == "difficult"
    assert desk.audited()[-1] == "mark"
    assert desk.told() == ("mark", "anna")
    same = desk.call("anna", "put", PATH, mark("difficult", 1, reason="Blurred.", note="Left cup."))
    assert same.body["version"] == 1
    assert desk.events().count("task.status") == 3  # made, claimed, and one mark
    assert desk.call("anna", "put", PATH, mark("normal", 1)).body["version"] == 2
    changes = ReviewMarkChange.objects.filter(task=desk.task).order_by("version")
    assert [change.mark for change in changes] == ["difficult", "normal"]


def test_marks_use_up_no_confirmation_but_restoring_asks_for_a_new_one():
    desk = a_desk()
    desk.claim("anna")
    desk.save("anna", [CUP_ITEM])
    desk.confirm("anna")
    for version, name in enumerate(("difficult", "normal", "later", "invalid")):
        desk.call("anna", "put", PATH, mark(name, version))
        assert desk.editor("anna")["is_confirmed"] is True
    desk.call("anna", "put", PATH, mark("normal", 4))
    editor = desk.editor("anna")
    assert (editor["has_confirmed_snapshot"], editor["is_confirmed"]) == (False, False)
    assert desk.submit("anna").code == "NOT_CONFIRMED"
    assert desk.confirm("anna").body["annotation"]["revision"] == 2
    assert desk.editor("anna")["is_confirmed"] is True


def test_who_may_mark_and_when():
    desk = a_desk()
    body = mark("difficult", 0)
    desk.refused("anna", "put", PATH, body, status=409, code="ILLEGAL_TRANSITION")
    desk.claim("anna")
    desk.refuses_others("put", PATH, body)
    desk.refused("rita", "put", PATH, body, status=409, code="LOCK_HELD")
    desk.refused("anna", "put", PATH, body | {"lock_token": 1}, status=409, code="LOCK_LOST")
    answer = desk.refused("anna", "put", PATH, mark("normal", 3), status=409, code="VERSION_CONFLICT")
    assert answer.body["snapshot"]["mark"]["version"] == 0
    for sent, field in ((mark("odd", 0), "mark"), ({"mark": "later"}, "expected_version")):
        answer = desk.refused("anna", "put", PATH, sent, status=400, code="VALIDATION_FAILED")
        assert answer.fields == [field]


def test_a_repeated_request_has_its_first_reply():
    desk = a_desk()
    desk.claim("anna")
    body = mark("later", 0)
    first = desk.call("anna", "put", PATH, body)
    assert desk.call("anna", "put", PATH, body).raw == first.raw
    conflict = body | {"note": "x"}
    desk.refused("anna", "put", PATH, conflict, status=409, code="IDEMPOTENCY_CONFLICT")
