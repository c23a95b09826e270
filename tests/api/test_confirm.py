"""POST /tasks/{id}/confirm."""

from uuid import uuid4

import pytest

from review.models import Annotation
from tests.support.editing import CUP_ITEM, SPOON_ITEM, a_desk

pytestmark = pytest.mark.django_db
PATH = "tasks/{task}/confirm"


def body(draft=1, config=1):
    return {"request_id": str(uuid4()), "expected_draft_version": draft, "expected_config_version": config}


def test_confirming_makes_a_revision_and_tells():
    desk = a_desk()
    active = desk.detected(("b1", [0, 0, 9, 9]))
    desk.claim("anna")
    desk.save("anna", [CUP_ITEM])
    answer = desk.confirm("anna", lock_token=desk.tokens["anna"])
    assert answer.status == 201
    annotation = answer.body["annotation"]
    assert (annotation["revision"], annotation["draft_version"], annotation["config_version"]) == (1, 1, 1)
    assert annotation["items"] == [CUP_ITEM]
    assert annotation["candidate_set_id"] == str(active.pk)
    assert annotation["confirmed_by"]["id"] == str(desk.house.anna.pk)
    editor = desk.editor("anna")
    assert (editor["has_confirmed_snapshot"], editor["is_confirmed"]) == (True, True)
    assert editor["task"]["annotation_revision"] == 1
    assert desk.events()[-1] == "annotation.confirmed"
    assert desk.audited()[-1] == "annotation.confirm"


def test_the_two_facts_part_when_the_draft_goes_on_and_when_the_question_changes():
    desk = a_desk()
    desk.claim("anna")
    desk.save("anna", [CUP_ITEM])
    desk.confirm("anna")
    desk.save("anna", [CUP_ITEM, SPOON_ITEM])
    editor = desk.editor("anna")
    assert (editor["has_confirmed_snapshot"], editor["is_confirmed"]) == (True, False)
    assert editor["annotation"]["items"] == [CUP_ITEM]
    assert desk.confirm("anna").body["annotation"]["revision"] == 2
    desk.save("anna", [CUP_ITEM, SPOON_ITEM], config={"expected_version": 1, "question": "Which?"})
    editor = desk.editor("anna")
    assert (editor["has_confirmed_snapshot"], editor["is_confirmed"]) == (False, False)
    assert desk.confirm("anna").body["annotation"]["revision"] == 3


def test_the_same_draft_and_question_again_is_the_same_revision():
    desk = a_desk()
    desk.claim("anna")
    desk.save("anna", [CUP_ITEM])
    first = desk.confirm("anna")
    before = desk.events(), desk.audited()
    again = desk.confirm("anna")
    assert (again.status, again.body) == (200, first.body)
    assert (desk.events(), desk.audited()) == before
    assert Annotation.objects.filter(task=desk.task).count() == 1


def test_an_empty_draft_is_an_answer_where_any_number_is():
    desk = a_desk()
    desk.claim("anna")
    answer = desk.confirm("anna")
    assert (answer.status, answer.body["annotation"]["draft_version"]) == (201, 0)


def test_items_without_a_label_are_named():
    desk = a_desk()
    desk.claim("anna")
    desk.save(
        "anna", [CUP_ITEM, {**SPOON_ITEM, "label": None}, {**SPOON_ITEM, "id": "i3", "label": "teapot"}]
    )
    answer = desk.refused("anna", "post", PATH, body(), status=422, code="VALIDATION_FAILED")
    assert answer.fields == ["items.1.label", "items.2.label"]


def test_the_count_has_to_fit_the_question():
    desk = a_desk()
    desk.claim("anna")
    desk.save("anna", [CUP_ITEM, SPOON_ITEM], config={"expected_version": 1, "selection_mode": "single"})
    answer = desk.refused("anna", "post", PATH, body(config=2), status=422, code="VALIDATION_FAILED")
    assert answer.fields == ["items"]


@pytest.mark.parametrize(("draft", "config"), [(0, 1), (2, 1), (1, 2)])
def test_another_draft_or_question_than_the_one_looked_at(draft, config):
    desk = a_desk()
    desk.claim("anna")
    desk.save("anna", [CUP_ITEM])
    answer = desk.refused("anna", "post", PATH, body(draft, config), status=409, code="VERSION_CONFLICT")
    assert answer.body["snapshot"]["draft"]["version"] == 1


def test_a_repeated_request_has_its_first_reply():
    desk = a_desk()
    desk.claim("anna")
    desk.save("anna", [CUP_ITEM])
    sent = body()
    first = desk.call("anna", "post", PATH, sent)
    desk.save("anna", [SPOON_ITEM])
    again = desk.call("anna", "post", PATH, sent)
    assert (again.status, again.raw) == (201, first.raw)
    assert Annotation.objects.filter(task=desk.task).count() == 1
    changed = sent | {"expected_draft_version": 2}
    desk.refused("anna", "post", PATH, changed, status=409, code="IDEMPOTENCY_CONFLICT")


def test_who_may_confirm_and_when():
    desk = a_desk()
    desk.refused("anna", "post", PATH, body(0), status=409, code="ILLEGAL_TRANSITION")
    desk.claim("anna")
    desk.refuses_others("post", PATH, body(0))
    desk.refused("rita", "post", PATH, body(0), status=409, code="LOCK_HELD")
    token = desk.tokens["anna"] + 1
    desk.refused("anna", "post", PATH, body(0) | {"lock_token": token}, status=409, code="LOCK_LOST")
    for name in ("expected_draft_version", "expected_config_version"):
        sent = {field: value for field, value in body(0).items() if field != name}
        answer = desk.refused("anna", "post", PATH, sent, status=400, code="VALIDATION_FAILED")
        assert answer.fields == [name]


def test_a_reviewers_correction_is_a_revision_of_their_own():
    desk = a_desk().in_review()
    desk.review_claim("rita")
    assert desk.confirm("rita").status == 200
    desk.save("rita", [SPOON_ITEM])
    answer = desk.confirm("rita")
    assert (answer.status, answer.body["annotation"]["revision"]) == (201, 2)
    assert answer.body["annotation"]["confirmed_by"]["id"] == str(desk.house.rita.pk)
    desk.task.refresh_from_db()
    assert (desk.task.status, desk.task.annotation_revision) == ("review", 2)
