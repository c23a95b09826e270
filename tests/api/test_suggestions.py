"""POST /predictions/{id}/apply, GET /regions/{id}, POST /regions/{id}/apply."""

from uuid import uuid4

import pytest

from review.models import Prediction, RegionResult
from tasks.operations.transactions import db_now
from tests.support.editing import CUP_ITEM, SPOON_ITEM, a_desk

pytestmark = pytest.mark.django_db


def suggested(*chosen, **more):
    """A claimed desk whose judge chose `chosen` among b1 and b2, and the address to apply it at."""
    desk = a_desk()
    active = desk.detected(("b1", [0, 0, 10, 10]), ("b2", [20, 20, 40, 40]))
    prediction = Prediction.objects.create(
        task=desk.task,
        candidate_set=active,
        selected_ids=list(chosen or ("b2", "b1")),
        created_at=db_now(),
        **{"config_version": 1, **more},
    )
    desk.claim("anna")
    return desk, prediction, f"predictions/{prediction.pk}/apply"


def version(number=0):
    return {"request_id": str(uuid4()), "expected_draft_version": number}


def test_a_suggestion_becomes_the_draft_unconfirmed_and_with_its_source():
    desk, prediction, path = suggested()
    answer = desk.call("anna", "post", path, version())
    assert answer.status == 200
    first, second = answer.body["draft"]["items"]
    assert first == {
        "id": "b2",
        "label": "cup",
        "geometry": {"type": "bbox", "bbox": [20, 20, 40, 40]},
        "source": {
            "candidate_set_id": str(prediction.candidate_set_id),
            "candidate_id": "b2",
            "prediction_id": str(prediction.pk),
        },
    }
    assert second["id"] == "b1"
    assert (answer.body["draft"]["version"], answer.body["is_confirmed"]) == (1, False)
    assert desk.audited()[-1] == "prediction.apply"
    assert desk.save("anna", answer.body["draft"]["items"]).body["draft_version"] == 1


@pytest.mark.parametrize("condition", ["candidate_set", "config_version", "draft_version", "applicable"])
def test_each_condition_that_fails_is_named(condition):
    desk, _, path = suggested(applicable=condition != "applicable")
    if condition == "candidate_set":
        desk.detected(("b1", [0, 0, 10, 10]))
    if condition == "config_version":
        desk.save("anna", [], config={"expected_version": 1, "question": "Which?"})
    if condition == "draft_version":
        desk.save("anna", [CUP_ITEM])
    answer = desk.refused("anna", "post", path, version(), status=409, code="STALE_PREDICTION")
    assert answer.body["failed_conditions"] == [condition]
    assert "draft" in answer.body["snapshot"]


def test_who_may_apply_a_suggestion():
    desk, _, path = suggested()
    desk.refuses_others("post", path, version())
    desk.refused("abel", "post", path, version(), status=409, code="LOCK_HELD")
    desk.refused("anna", "post", path, version() | {"lock_token": 1}, status=409, code="LOCK_LOST")
    desk.refused("anna", "post", path, {}, status=400, code="VALIDATION_FAILED")
    desk.refused("anna", "post", f"predictions/{uuid4()}/apply", version(), status=404, code="NOT_FOUND")
    sent = version()
    first = desk.call("anna", "post", path, sent)
    assert desk.call("anna", "post", path, sent).raw == first.raw
    desk.call("anna", "delete", "tasks/{task}/lock?client_id=page of anna")
    desk.refused("anna", "post", path, version(1), status=409, code="LOCK_LOST")


def previewed():
    """A claimed desk with two candidates, one point and one box in the draft, and a region's preview."""
    desk = a_desk()
    active = desk.detected(("in", [60, 50, 70, 60]), ("across", [10, 10, 60, 60]))
    desk.claim("anna")
    desk.save("anna", [CUP_ITEM, {**SPOON_ITEM, "order": 7}])
    items = [
        {"id": f"r-1-{number}", "label": "cup", "bbox": bbox, "center": center, "score": 0.8}
        for number, (bbox, center) in enumerate(
            [([61, 51, 71, 61], [66, 56]), ([80, 70, 90, 80], [85, 75])], start=1
        )
    ]
    region = RegionResult.objects.create(
        task=desk.task,
        base_set=active,
        config_version=1,
        region=[50, 40, 100, 90],
        items=items,
        created_at=db_now(),
    )
    return desk, region, f"regions/{region.pk}/apply"


def choice(**more):
    return {"request_id": str(uuid4()), "add": [], "replace": {}, **more}


def test_a_preview_is_shown_and_changes_nothing():
    desk, region, _ = previewed()
    before = desk.everything()
    shown = desk.call("anna", "get", f"regions/{region.pk}").body
    assert [item["id"] for item in shown["items"]] == ["r-1-1", "r-1-2"]
    assert (shown["failed_conditions"], shown["applied_at"]) == ([], None)
    assert desk.everything() == before
    for who in ("stranger", "vera"):
        assert desk.call(who, "get", f"regions/{region.pk}").code == "NOT_FOUND"
    assert desk.call("anna", "get", f"regions/{uuid4()}").code == "NOT_FOUND"


def test_adding_replacing_and_moving_one_point_land_together_and_once():
    desk, region, path = previewed()
    body = choice(
        add=["r-1-2"],
        replace={"in": "r-1-1"},
        move_item={"item_id": "i2", "candidate_id": "r-1-2"},
        expected_draft_version=1,
    )
    answer = desk.call("anna", "post", path, body)
    assert answer.status == 200, answer.body
    assert [item["id"] for item in answer.body["candidates"]["items"]] == ["r-1-1", "across", "r-1-2"]
    untouched, moved = answer.body["draft"]["items"]
    assert untouched == CUP_ITEM
    assert (moved["label"], moved["order"], moved["geometry"]) == (
        "spoon",
        7,
        {"type": "point", "x": 85, "y": 75},
    )
    assert moved["source"]["candidate_set_id"] == answer.body["candidates"]["set_id"]
    assert desk.audited()[-1] == "region.apply"
    region.refresh_from_db()
    assert region.applied_by_request == body["request_id"]
    assert desk.call("anna", "post", path, body).raw == answer.raw
    again = desk.refused("anna", "post", path, choice(add=["r-1-2"]), status=409, code="ALREADY_APPLIED")
    assert again.body["failed_conditions"] == ["applied_once"]


def test_a_point_moved_to_a_box_at_the_edge_lands_in_the_last_pixel():
    desk, region, path = previewed()
    # 160 × 120: the centre of this box is past the address of the last pixel, which the point takes.
    region.items = [
        {"id": "r-1-1", "label": "cup", "bbox": [159.5, 119, 160, 120], "center": [159.75, 119.5], "score": 1}
    ]
    region.save()
    body = choice(move_item={"item_id": "i2", "candidate_id": "r-1-1"}, expected_draft_version=1)
    answer = desk.call("anna", "post", path, body)
    assert answer.status == 200, answer.body
    items = answer.body["draft"]["items"]
    assert items[1]["geometry"] == {"type": "point", "x": 159, "y": 119}
    # It can be saved and confirmed as it is.
    assert desk.save("anna", items).status == 200
    assert desk.confirm("anna").status == 201


@pytest.mark.parametrize(
    ("more", "status", "field"),
    [
        ({}, 422, "add"),
        ({"add": ["r-9"]}, 422, "add.0"),
        ({"replace": {"across": "r-1-1"}}, 422, "replace.across"),
        ({"move_item": {"item_id": "i2", "candidate_id": "r-1-1"}}, 422, "expected_draft_version"),
        (
            {"move_item": {"item_id": "i1", "candidate_id": "r-1-1"}, "expected_draft_version": 1},
            422,
            "move_item.item_id",
        ),
        (
            {
                "add": ["r-1-1"],
                "move_item": {"item_id": "i2", "candidate_id": "x"},
                "expected_draft_version": 1,
            },
            422,
            "move_item.candidate_id",
        ),
        ({"add": "r-1-1"}, 400, "add"),
        ({"move_item": {"item_id": "i2"}}, 400, "move_item.candidate_id"),
        ({"everything": True}, 400, "everything"),
    ],
)
def test_what_cannot_be_applied_changes_nothing(more, status, field):
    desk, _, path = previewed()
    answer = desk.refused("anna", "post", path, choice(**more), status=status, code="VALIDATION_FAILED")
    assert answer.fields == [field]


@pytest.mark.parametrize("condition", ["candidate_set", "config_version", "draft_version"])
def test_a_stale_preview_is_history(condition):
    desk, _, path = previewed()
    if condition == "candidate_set":
        desk.detected(("b1", [0, 0, 10, 10]))
    if condition == "config_version":
        desk.save("anna", [CUP_ITEM], config={"expected_version": 1, "question": "Which?"})
    body = choice(add=["r-1-2"])
    if condition == "draft_version":
        body["expected_draft_version"] = 5
    answer = desk.refused("anna", "post", path, body, status=409, code="STALE_REGION")
    assert answer.body["failed_conditions"] == [condition]


def test_who_may_apply_a_preview():
    desk, _, path = previewed()
    desk.refuses_others("post", path, choice(add=["r-1-2"]))
    desk.refused("abel", "post", path, choice(add=["r-1-2"]), status=409, code="LOCK_HELD")
    desk.refused("anna", "post", f"regions/{uuid4()}/apply", choice(), status=404, code="NOT_FOUND")
    sent = choice(add=["r-1-2"], lock_token=1)
    desk.refused("anna", "post", path, sent, status=409, code="LOCK_LOST")
