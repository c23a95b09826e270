"""What the editor tells besides the draft: what a model proposed, and why finished work is open again."""

from typing import Any
from uuid import uuid4

import pytest

from review.models import CandidateSet
from tests.support.editing import a_desk

pytestmark = pytest.mark.django_db


def proposed(desk: Any, who: str = "anna") -> set[tuple[str, str]]:
    return {(entry["set_id"], entry["id"]) for entry in desk.editor(who)["candidates"]["proposed"]}


def adopted(candidate_set: CandidateSet, name: str, **more: Any) -> dict[str, Any]:
    source = {"candidate_set_id": str(candidate_set.pk), "candidate_id": name, "prediction_id": None}
    geometry = {"type": "bbox", "bbox": [0, 0, 9, 9]}
    return {"id": f"item-{name}", "label": None, "geometry": geometry, "source": source, **more}


def test_what_the_model_proposed_is_told_also_of_the_sets_that_the_draft_came_from():
    desk = a_desk()
    first = desk.detected(("b1", [0, 0, 9, 9]), ("b2", [0, 0, 20, 20]))
    desk.claim("anna")
    desk.save("anna", [adopted(first, "b1", label="cup")])
    second = desk.detected(("c1", [5, 5, 9, 9]))
    # What nobody works with any more is left out.
    assert proposed(desk) == {(str(first.pk), "b1"), (str(second.pk), "c1")}
    told = desk.editor("anna")["candidates"]["proposed"]
    assert next(entry for entry in told if entry["id"] == "b1")["bbox"] == [0, 0, 9, 9]
    assert desk.editor("vera")["candidates"]["proposed"] == []


def test_a_viewer_is_told_what_the_model_proposed_of_what_was_confirmed():
    desk = a_desk()
    found = desk.detected(("b1", [0, 0, 9, 9]), ("b2", [0, 0, 20, 20]))
    desk.claim("anna")
    desk.save("anna", [adopted(found, "b1", label="cup")])
    desk.confirm("anna")
    # Without it the page would call a confirmed find "changed by hand".
    assert proposed(desk, "vera") == {(str(found.pk), "b1")}
    assert desk.editor("vera")["candidates"]["items"] == []


def test_a_candidate_that_a_person_moved_is_no_proposal_any_more():
    desk = a_desk()
    shown = desk.detected(("b1", [0, 0, 9, 9]), ("b2", [0, 0, 20, 20]))
    desk.claim("anna")
    moved = [{"id": "b1", "label": None, "bbox": [1, 0, 9, 9]}, {"id": "b2", "bbox": [0, 0, 20, 20]}]
    labels = {candidate["id"]: candidate["label"] for candidate in desk.editor("anna")["candidates"]["items"]}
    candidates = [{**each, "label": labels[each["id"]]} for each in moved]
    answer = desk.call(
        "anna",
        "put",
        "tasks/{task}/editor",
        {
            "request_id": str(uuid4()),
            "candidates": {"expected_set_id": str(shown.pk), "items": candidates},
        },
    )
    assert answer.status == 200, answer.body
    assert proposed(desk) == {(answer.body["candidate_set_id"], "b2")}


def test_the_reason_of_a_reopened_task_is_told_until_it_is_handed_in_again():
    desk = a_desk().in_review()
    assert desk.editor("anna")["reopened"] is None
    desk.review_claim("rita")
    desk.approve("rita")
    reopened = desk.call("olga", "post", "tasks/{task}/reopen", {"reason": "The spoon is missing."})
    assert reopened.status == 200, reopened.body
    for who in ("anna", "abel", "rita", "vera"):
        told = desk.editor(who)["reopened"]
        assert told["reason"] == "The spoon is missing."
        assert told["by"]["id"] == str(desk.house.people["olga"].pk)
        assert told["at"].endswith("Z")
    desk.claim("anna")
    assert desk.editor("anna")["reopened"]["reason"] == "The spoon is missing."
    desk.submit("anna")
    assert desk.editor("rita")["reopened"] is None
    # Sent back now: that is the reason that counts.
    desk.review_claim("rita")
    assert desk.reject("rita").status == 200
    assert desk.editor("anna")["reopened"] is None
