"""GET and PUT /tasks/{id}/editor."""

from uuid import uuid4

import pytest

from review.models import Draft
from tests.support.editing import CUP_ITEM, SPOON_ITEM, a_desk
from tests.support.pipeline import a_task

pytestmark = pytest.mark.django_db
PATH = "tasks/{task}/editor"


def draft(version, items):
    return {"request_id": str(uuid4()), "draft": {"expected_version": version, "items": items}}


def test_a_new_task_is_empty_and_looking_changes_nothing():
    desk = a_desk()
    before = desk.everything()
    editor = desk.editor("anna")
    assert editor["draft"]["version"] == 0
    assert editor["draft"]["items"] == []
    assert editor["candidates"] == {"set_id": None, "revision": 0, "items": [], "proposed": []}
    assert (editor["has_confirmed_snapshot"], editor["is_confirmed"]) == (False, False)
    assert editor["task"]["status"] == "pending"
    assert editor["config"]["labels"][0]["name"] == "cup"
    assert (editor["lock"], editor["job"], editor["prediction"], editor["annotation"]) == (None,) * 4
    assert editor["mark"]["version"] == 0
    assert desk.everything() == before


def test_who_sees_the_editor():
    desk = a_desk()
    for who in ("anna", "abel", "rita", "olga", "otto", "root", "vera"):
        assert desk.call(who, "get", PATH).status == 200
    assert desk.call("stranger", "get", PATH).code == "NOT_FOUND"
    assert desk.call(None, "get", PATH).code == "NOT_AUTHENTICATED"
    assert desk.call("anna", "get", "tasks/nonsense/editor").status == 404


def test_a_viewer_sees_confirmed_work_only():
    desk = a_desk()
    desk.detected(("b1", [0, 0, 9, 9]))
    desk.claim("anna")
    desk.save("anna", [CUP_ITEM])
    assert desk.editor("vera")["draft"]["items"] == []
    assert desk.editor("vera")["candidates"]["items"] == []
    desk.confirm("anna")
    desk.save("anna", [SPOON_ITEM])
    assert desk.editor("vera")["draft"]["items"] == [CUP_ITEM]
    assert desk.editor("rita")["draft"]["items"] == [SPOON_ITEM]


def test_the_editor_costs_few_statements(django_assert_max_num_queries):
    desk = a_desk().in_review()
    desk.detected(("b1", [0, 0, 9, 9]))
    with django_assert_max_num_queries(16):
        desk.editor("rita")


def test_a_save_raises_the_draft_and_tells():
    desk = a_desk()
    desk.claim("anna")
    unlabelled = {
        "id": "i2",
        "label": None,
        "geometry": {"type": "polygon", "points": [[0, 0], [9, 0], [9, 120]]},
    }
    answer = desk.save("anna", [CUP_ITEM, unlabelled], lock_token=desk.tokens["anna"])
    assert answer.status == 200
    assert (answer.body["draft_version"], answer.body["config_version"]) == (1, 1)
    assert answer.body["candidate_set_id"] is None
    assert answer.body["saved_at"].endswith("Z")
    assert desk.editor("anna")["draft"]["items"] == [CUP_ITEM, unlabelled]
    assert desk.events()[-1] == "draft.saved"
    assert "draft" not in " ".join(desk.audited())


def test_all_three_parts_land_together():
    desk = a_desk()
    old = desk.detected(("b1", [0, 0, 9, 9]), ("b2", [20, 20, 40, 40]))
    desk.claim("anna")
    source = {"candidate_set_id": str(old.pk), "candidate_id": "b1", "prediction_id": None}
    body = draft(0, [{**CUP_ITEM, "source": source}])
    body["config"] = {"expected_version": 1, "question": "Which?", "selection_mode": "single"}
    body["candidates"] = {
        "expected_set_id": str(old.pk),
        "items": [
            {"id": "b1", "label": "spoon", "center": [4.5, 4.5], "bbox": [0, 0, 9, 9], "score": 1},
            {"id": None, "label": None, "center": [100, 100], "bbox": None, "score": None},
        ],
    }
    answer = desk.call("anna", "put", PATH, body)
    assert answer.status == 200, answer.body
    assert (answer.body["config_version"], answer.body["draft_version"]) == (2, 1)
    editor = desk.editor("anna")
    assert editor["candidates"]["set_id"] == answer.body["candidate_set_id"] != str(old.pk)
    first, second = editor["candidates"]["items"]
    assert (first["label"], first["score"]) == ("spoon", 0.9)
    assert (second["score"], second["center"]) == (None, [100, 100])
    assert editor["config"]["question"] == "Which?"
    assert desk.audited()[-1] == "task.config"
    assert desk.told() == ("config", "anna")
    old.refresh_from_db()
    assert [item["box_id"] for item in old.items] == ["b1", "b2"]


def test_unchanged_parts_keep_their_versions():
    desk = a_desk()
    active = desk.detected(("b1", [0, 0, 9, 9]))
    desk.claim("anna")
    desk.save("anna", [CUP_ITEM])
    editor = desk.editor("anna")
    events = desk.events()
    body = draft(1, [CUP_ITEM])
    config = {
        name: editor["config"][name]
        for name in ("question", "selection_mode", "targets", "geometries", "labels")
    }
    body["config"] = {"expected_version": 1, **config}
    body["candidates"] = {"expected_set_id": str(active.pk), "items": editor["candidates"]["items"]}
    answer = desk.call("anna", "put", PATH, body)
    assert answer.status == 200, answer.body
    assert (answer.body["config_version"], answer.body["draft_version"]) == (1, 1)
    assert answer.body["candidate_set_id"] == str(active.pk)
    assert desk.events() == events


@pytest.mark.parametrize("stale", ["config", "candidates", "draft"])
def test_one_stale_part_saves_none(stale):
    desk = a_desk()
    active = desk.detected(("b1", [0, 0, 9, 9]))
    desk.claim("anna")
    body = draft(0, [CUP_ITEM])
    body["config"] = {"expected_version": 1, "question": "Which?"}
    body["candidates"] = {"expected_set_id": str(active.pk), "items": []}
    body[stale]["expected_set_id" if stale == "candidates" else "expected_version"] = (
        str(uuid4()) if stale == "candidates" else 7
    )
    answer = desk.refused("anna", "put", PATH, body, status=409, code="VERSION_CONFLICT")
    assert answer.body["failed_conditions"] == [stale]
    snapshot = answer.body["snapshot"]
    assert snapshot["draft"]["version"] == 0
    assert snapshot["candidates"]["set_id"] == str(active.pk)


@pytest.mark.parametrize("wrong", ["config", "candidates", "draft"])
def test_one_wrong_part_saves_none_and_names_the_field(wrong):
    desk = a_desk()
    active = desk.detected(("b1", [0, 0, 9, 9]))
    desk.claim("anna")
    body = draft(0, [CUP_ITEM])
    body["config"] = {"expected_version": 1, "question": "Which?"}
    body["candidates"] = {"expected_set_id": str(active.pk), "items": []}
    if wrong == "config":
        body["config"]["geometries"] = []
        field = "config.geometries"
    elif wrong == "candidates":
        body["candidates"]["items"] = [{"id": "x", "label": None, "bbox": [0, 0, 161, 9]}]
        field = "candidates.items.0.bbox"
    else:
        outside = {"type": "bbox", "bbox": [0, 0, 160.5, 9]}
        body["draft"]["items"] = [CUP_ITEM, {**SPOON_ITEM, "geometry": outside}]
        field = "draft.items.1.geometry"
    answer = desk.refused("anna", "put", PATH, body, status=422, code="VALIDATION_FAILED")
    assert answer.fields == [field]


@pytest.mark.parametrize(
    ("item", "field"),
    [
        ("x", "draft.items.0"),
        ({"geometry": SPOON_ITEM["geometry"]}, "draft.items.0.id"),
        ({**CUP_ITEM, "id": ""}, "draft.items.0.id"),
        ({**CUP_ITEM, "id": 5}, "draft.items.0.id"),
        ({**CUP_ITEM, "colour": "red"}, "draft.items.0.colour"),
        ({**CUP_ITEM, "label": 5}, "draft.items.0.label"),
        ({**CUP_ITEM, "order": "1"}, "draft.items.0.order"),
        ({**CUP_ITEM, "geometry": {"type": "circle"}}, "draft.items.0.geometry.type"),
        ({**CUP_ITEM, "geometry": {"type": "bbox", "bbox": [1, 2, 3]}}, "draft.items.0.geometry.bbox"),
        ({**CUP_ITEM, "geometry": {"type": "point", "x": "5", "y": 5}}, "draft.items.0.geometry.x"),
        ({**CUP_ITEM, "geometry": {"type": "point", "x": True, "y": 5}}, "draft.items.0.geometry.x"),
        ({**CUP_ITEM, "geometry": {"type": "point", "x": 5}}, "draft.items.0.geometry.y"),
        ({**CUP_ITEM, "source": {"candidate_set_id": "x"}}, "draft.items.0.source.candidate_set_id"),
        ({**CUP_ITEM, "label": "a\x00b"}, "draft"),
    ],
)
def test_a_wrong_shape_is_a_400_that_names_the_field(item, field):
    desk = a_desk()
    desk.claim("anna")
    answer = desk.refused("anna", "put", PATH, draft(0, [item]), status=400, code="VALIDATION_FAILED")
    assert answer.fields == [field]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"nonsense": 1}, "nonsense"),
        ({"request_id": "x"}, "request_id"),
        ({"draft": {"items": []}}, "draft.expected_version"),
        ({"draft": {"expected_version": "1", "items": []}}, "draft.expected_version"),
        ({"draft": {"expected_version": 0, "items": {}}}, "draft.items"),
        ({"config": {"expected_version": 1, "selection_mode": "some"}}, "config.selection_mode"),
        ({"candidates": {"items": []}}, "candidates.expected_set_id"),
    ],
)
def test_a_wrong_body_is_a_400_that_names_the_field(change, field):
    desk = a_desk()
    desk.claim("anna")
    answer = desk.refused("anna", "put", PATH, draft(0, []) | change, status=400, code="VALIDATION_FAILED")
    assert answer.fields == [field]


def test_numbers_that_are_none_are_refused():
    desk = a_desk()
    desk.claim("anna")
    for figure in (float("nan"), float("inf")):
        item = {**SPOON_ITEM, "geometry": {"type": "point", "x": figure, "y": 1}}
        desk.refused("anna", "put", PATH, draft(0, [item]), status=400, code="VALIDATION_FAILED")


def test_references_to_another_tasks_set_are_refused():
    desk, other = a_desk(), a_desk()
    foreign = other.detected(("b1", [0, 0, 9, 9]))
    desk.claim("anna")
    source = {"candidate_set_id": str(foreign.pk), "candidate_id": "b1", "prediction_id": None}
    body = draft(0, [{**CUP_ITEM, "source": source}])
    answer = desk.refused("anna", "put", PATH, body, status=422, code="VALIDATION_FAILED")
    assert answer.fields == ["draft.items.0.source.candidate_set_id"]


def test_who_may_save():
    desk = a_desk()
    desk.claim("anna")
    desk.refuses_others("put", PATH, draft(0, [CUP_ITEM]))


def test_a_batch_of_others_is_not_an_annotators_to_edit():
    desk = a_desk()
    desk.claim("anna")
    desk.house.inbox.assignments.all().delete()
    type(desk.house.inbox).objects.filter(pk=desk.house.inbox.pk).update(open=False)
    desk.refused("anna", "put", PATH, draft(0, [CUP_ITEM]), status=403, code="ROLE_FORBIDDEN")


def test_saving_needs_the_lock():
    desk = a_desk()
    desk.refused("anna", "put", PATH, draft(0, [CUP_ITEM]), status=409, code="ILLEGAL_TRANSITION")
    desk.claim("anna")
    answer = desk.refused("abel", "put", PATH, draft(0, [CUP_ITEM]), status=409, code="LOCK_HELD")
    assert answer.body["holder"]["id"] == str(desk.house.anna.pk)
    stale = draft(0, [CUP_ITEM]) | {"lock_token": desk.tokens["anna"] + 1}
    lost = desk.refused("anna", "put", PATH, stale, status=409, code="LOCK_LOST")
    # Who has it now, and from when on it may be taken back: as in LOCK_HELD.
    names = {"holder", "acquired_at", "heartbeat_at", "stale_at", "expire_at"}
    assert {name: lost.body[name] for name in names} == {name: answer.body[name] for name in names}


def test_in_review_only_the_reviewer_who_holds_it_corrects():
    desk = a_desk().in_review()
    body = draft(1, [SPOON_ITEM])
    desk.refused("anna", "put", PATH, body, status=409, code="ILLEGAL_TRANSITION")
    desk.refused("rita", "put", PATH, body, status=409, code="LOCK_LOST")
    desk.review_claim("rita")
    desk.refused("anna", "put", PATH, body, status=409, code="LOCK_HELD")
    assert desk.save("rita", [SPOON_ITEM]).status == 200


def test_the_same_request_has_the_same_reply_and_no_second_effect():
    desk = a_desk()
    desk.claim("anna")
    body = draft(0, [CUP_ITEM]) | {"lock_token": desk.tokens["anna"], "client_id": "one"}
    first = desk.call("anna", "put", PATH, body)
    desk.save("anna", [SPOON_ITEM])
    before = desk.everything()
    # After a reload: the lock's token and the page are others, the request is the same; its version is old.
    again = desk.call("anna", "put", PATH, body | {"lock_token": 1, "client_id": "two"})
    assert (again.status, again.raw) == (200, first.raw)
    assert desk.everything() == before


def test_a_known_id_with_other_content_or_from_another_person_is_a_conflict():
    desk = a_desk()
    desk.claim("anna")
    body = draft(0, [CUP_ITEM])
    desk.call("anna", "put", PATH, body)
    other = body | {"draft": {"expected_version": 1, "items": []}}
    answer = desk.refused("anna", "put", PATH, other, status=409, code="IDEMPOTENCY_CONFLICT")
    assert answer.body["snapshot"]["draft"]["version"] == 1
    desk.refused("abel", "put", PATH, body, status=409, code="IDEMPOTENCY_CONFLICT")


def test_a_refused_request_may_be_sent_again_once_it_fits():
    desk = a_desk()
    desk.claim("anna")
    body = draft(1, [CUP_ITEM])
    desk.refused("anna", "put", PATH, body, status=409, code="VERSION_CONFLICT")
    desk.save("anna", [SPOON_ITEM])
    assert desk.call("anna", "put", PATH, body).status == 200


def test_two_thousand_items_are_saved_and_one_more_is_not():
    desk = a_desk()
    desk.claim("anna")
    items = [{**SPOON_ITEM, "id": str(number)} for number in range(2001)]
    assert desk.save("anna", items[:2000]).status == 200
    answer = desk.refused("anna", "put", PATH, draft(1, items), status=422, code="VALIDATION_FAILED")
    assert answer.fields == ["draft.items"]
    assert len(Draft.objects.get(pk=desk.task.pk).items) == 2000


def test_a_completed_task_is_nobodys_to_edit():
    desk = a_desk().in_review()
    desk.review_claim("rita")
    assert desk.approve("rita").status == 200
    for who in ("anna", "rita", "olga", "root"):
        desk.refused(who, "put", PATH, draft(1, []), status=409, code="ILLEGAL_TRANSITION")


def test_a_task_of_another_project_stays_unseen():
    desk, other = a_desk(), a_desk()
    a_task(other.house)
    other.refused("anna", "put", f"tasks/{desk.task.pk}/editor", draft(0, []), status=404, code="NOT_FOUND")
