"""Candidates corrected by hand through PUT /tasks/{id}/editor."""

from uuid import uuid4

import pytest

from review.models import CandidateSet
from tests.support.editing import a_desk

pytestmark = pytest.mark.django_db


def stored(desk):
    desk.task.refresh_from_db()
    return {
        item["box_id"]: item for item in CandidateSet.objects.get(pk=desk.task.active_candidate_set_id).items
    }


def corrected(desk, items):
    desk.task.refresh_from_db()
    part = {"expected_set_id": str(desk.task.active_candidate_set_id), "items": items}
    body = {"request_id": str(uuid4()), "candidates": part}
    answer = desk.call("anna", "put", "tasks/{task}/editor", body)
    assert answer.status == 200, answer.body
    return answer.body["candidate_set_id"]


def test_a_candidate_that_comes_back_is_what_the_model_found():
    desk = a_desk()
    desk.detected(("b1", [0, 0, 10, 10]), ("b2", [20, 20, 40, 40]))
    desk.claim("anna")
    first, second = desk.editor("anna")["candidates"]["items"]
    corrected(desk, [first])
    assert list(stored(desk)) == ["b1"]
    # Undo: the page sends it as it had it.
    corrected(desk, [first, second])
    back = stored(desk)["b2"]
    assert (back["score"], back["source"], back["edited"]) == (0.9, "model", False)
    # Changed on its way back, it is an edited one; a client's own score counts for nothing.
    corrected(desk, [first])
    corrected(desk, [first, {**second, "label": "spoon", "score": 0.1}])
    changed = stored(desk)["b2"]
    assert (changed["score"], changed["edited"], changed["label"]) == (0.9, True, "spoon")


def test_an_id_that_no_set_of_the_task_has_is_a_persons_candidate():
    desk = a_desk()
    other = a_desk()
    other.detected(("theirs", [0, 0, 10, 10]))
    desk.detected(("b1", [0, 0, 10, 10]))
    desk.claim("anna")
    (first,) = desk.editor("anna")["candidates"]["items"]
    set_id = corrected(desk, [first, {"id": "theirs", "label": "cup", "bbox": [0, 0, 10, 10], "score": 0.9}])
    drawn = stored(desk)["theirs"]
    assert (drawn["score"], drawn["source"]) == (None, "manual")
    assert set_id == str(desk.task.active_candidate_set_id)


def test_the_same_candidates_again_are_the_same_set():
    desk = a_desk()
    active = desk.detected(("b1", [0, 0, 10, 10]))
    desk.claim("anna")
    assert corrected(desk, desk.editor("anna")["candidates"]["items"]) == str(active.pk)
