"""A job's approved boxes become the draft where nobody touched it; else they wait."""

import pytest

from review.models import Draft
from review.operations.drafts import apply_boxes_if_untouched
from tests.support.editing import SPOON_ITEM, a_desk
from tests.support.pipeline import CUP, TABLE, a_job, answer_to, detected, finalized, fresh, processed, send

pytestmark = pytest.mark.django_db


def test_approved_boxes_become_an_untouched_draft_unconfirmed_and_with_their_sources():
    desk = a_desk()
    job = a_job(desk.house, task=desk.task)
    body = detected(job, CUP | {"label": "coffee cup"}, TABLE)
    send(desk.house, job, answer_to(body, body["box_list"]["boxes"]))
    processed(job)
    finalized()
    job = fresh(job)
    assert job.status == "SUCCEEDED"
    editor = desk.editor("anna")
    assert editor["draft"]["version"] == 1
    assert [item["label"] for item in editor["draft"]["items"]] == ["cup", "table"]
    source = editor["draft"]["items"][0]["source"]
    assert source["candidate_set_id"] == str(job.approved_box_list_id)
    assert editor["is_confirmed"] is False
    # What the job left is a draft that a person can save again as it is.
    desk.claim("anna")
    saved = desk.save("anna", editor["draft"]["items"])
    assert (saved.status, saved.body["draft_version"]) == (200, 1)


def test_a_draft_that_was_edited_meanwhile_stays_as_it_is():
    desk = a_desk()
    job = a_job(desk.house, task=desk.task)
    desk.claim("anna")
    desk.save("anna", [SPOON_ITEM])
    box = {"box_id": "box_1", "label": "cup", "bbox": [0, 0, 10, 10]}
    assert apply_boxes_if_untouched(task=desk.task, job=job, boxes=[box]) is False
    assert Draft.objects.get(pk=desk.task.pk).items == [SPOON_ITEM]


def test_boxes_of_which_the_task_takes_no_shape_leave_the_draft_alone():
    desk = a_desk(geometries=["polygon"])
    job = a_job(desk.house, task=desk.task)
    box = {"box_id": "box_1", "label": "cup", "bbox": [0, 0, 10, 10]}
    assert apply_boxes_if_untouched(task=desk.task, job=job, boxes=[box]) is False
    assert not Draft.objects.filter(pk=desk.task.pk).exists()
