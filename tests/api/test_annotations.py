"""GET /tasks/{id}/annotations, /annotations/{revision} and /projects/{id}/annotations.jsonl."""

import json
from uuid import uuid4

import pytest

from review.models import CandidateSet, NodeRun
from tasks.models import Task
from tasks.operations.transactions import db_now
from tests.support.editing import CUP_ITEM, SPOON_ITEM, Desk, a_desk
from tests.support.pipeline import a_task

pytestmark = pytest.mark.django_db


def lines(desk, who="olga", query=""):
    answer = desk.call(who, "get", f"projects/{desk.house.project.pk}/annotations.jsonl{query}")
    assert answer.status == 200
    return [json.loads(line) for line in answer.raw.splitlines()]


def test_revisions_newest_first_in_pages_with_the_decisions_on_them():
    desk = a_desk().in_review()
    desk.review_claim("rita")
    desk.reject("rita")
    desk.claim("anna")
    desk.save("anna", [SPOON_ITEM])
    desk.confirm("anna")
    page = desk.call("vera", "get", "tasks/{task}/annotations?limit=1").body
    assert [one["revision"] for one in page["items"]] == [2]
    rest = desk.call("vera", "get", f"tasks/{{task}}/annotations?limit=1&cursor={page['next_cursor']}").body
    assert ([one["revision"] for one in rest["items"]], rest["next_cursor"]) == ([1], None)
    assert rest["items"][0]["decisions"][0]["decision"] == "reject"
    one = desk.call("anna", "get", "tasks/{task}/annotations/1").body
    assert (one["items"], one["confirmed_by"]["id"]) == ([CUP_ITEM], str(desk.house.anna.pk))


def test_who_sees_revisions():
    desk = a_desk().in_review()
    for path in ("tasks/{task}/annotations", "tasks/{task}/annotations/1"):
        assert desk.call("stranger", "get", path).code == "NOT_FOUND"
        assert desk.call(None, "get", path).code == "NOT_AUTHENTICATED"
        assert desk.call("vera", "get", path).status == 200
    for missing in (
        "tasks/{task}/annotations/2",
        "tasks/{task}/annotations/99999999999",
        f"tasks/{uuid4()}/annotations",
    ):
        assert desk.call("anna", "get", missing).code == "NOT_FOUND"


def test_a_row_says_what_was_confirmed_by_whom_and_where_it_comes_from():
    desk = a_desk()
    run = NodeRun.objects.create(
        task=desk.task,
        node_type="DETECT_SUBJECTS",
        available_at=db_now(),
        created_at=db_now(),
        provider="local",
        model="finder",
        adapter_version="3",
    )
    proposed = {"box_id": "b1", "label": "cup", "bbox": [10, 10, 60, 60], "center": [35, 35]}
    first = CandidateSet.objects.create(
        task=desk.task, revision=1, source="model", run=run, items=[proposed], created_at=db_now()
    )
    Task.objects.filter(pk=desk.task.pk).update(active_candidate_set_id=first.pk)
    source = {"candidate_set_id": str(first.pk), "candidate_id": "b1", "prediction_id": None}
    moved = {"type": "bbox", "bbox": [10, 10, 61, 60]}
    items = [
        {**CUP_ITEM, "source": source},
        {**CUP_ITEM, "id": "i9", "geometry": moved, "source": source},
        SPOON_ITEM,
    ]
    desk.claim("anna")
    desk.save("anna", items)
    desk.confirm("anna")
    desk.save("anna", [])
    (row,) = lines(desk)
    assert {name: row[name] for name in ("schema", "width", "height", "coordinate_space", "source")} == {
        "schema": "countersign/v1",
        "width": 160,
        "height": 120,
        "coordinate_space": "original_image_pixels",
        "source": "human_confirmed",
    }
    assert (row["annotation_revision"], row["config_version"], row["decision"]) == (1, 1, None)
    assert row["confirmed_by"]["id"] == str(desk.house.anna.pk)
    assert (row["original_name"], row["demo_fixture"]) == ("cup.png", False)
    kept, edited, by_hand = row["items"]
    assert (kept["source"]["model"], kept["source"]["adapter_version"]) == ("finder", "3")
    assert (kept["source"]["edited"], edited["source"]["edited"]) == (False, True)
    assert (by_hand["source"], by_hand["geometry"]) == (None, SPOON_ITEM["geometry"])


def test_what_is_left_out():
    desk = a_desk().in_review()
    assert len(lines(desk)) == 1
    assert lines(desk, query="?scope=approved") == []
    desk.review_claim("rita")
    desk.reject("rita")
    assert lines(desk) == []
    desk.claim("anna")
    desk.save("anna", [SPOON_ITEM])
    assert lines(desk) == []
    desk.confirm("anna")
    assert [row["annotation_revision"] for row in lines(desk)] == [2]
    body = {"mark": "invalid", "expected_version": 0}
    desk.call("anna", "put", "tasks/{task}/mark", body)
    assert lines(desk) == []
    desk.call("anna", "put", "tasks/{task}/mark", {"mark": "normal", "expected_version": 1})
    assert lines(desk) == []
    desk.confirm("anna")
    desk.submit("anna")
    desk.review_claim("rita")
    desk.approve("rita", 3)
    (row,) = lines(desk, query="?scope=approved")
    assert row["decision"]["decision"] == "approve"
    assert row["decision"]["by"]["id"] == str(desk.house.rita.pk)


def test_a_changed_question_takes_its_old_answers_out():
    desk = a_desk()
    desk.claim("anna")
    desk.save("anna", [CUP_ITEM])
    desk.confirm("anna")
    desk.save("anna", [CUP_ITEM], config={"expected_version": 1, "question": "Which?"})
    assert lines(desk) == []


def test_many_tasks_are_read_in_pieces(monkeypatch):
    desk = a_desk().in_review()
    for _ in range(2):
        Desk(desk.house, a_task(desk.house)).in_review()
    monkeypatch.setattr("review.queries.annotation_rows.PIECE", 1)
    assert len({row["task_id"] for row in lines(desk)}) == 3


def test_project_admins_only():
    desk = a_desk().in_review()
    path = f"projects/{desk.house.project.pk}/annotations.jsonl"
    for who in ("olga", "otto", "root"):
        assert desk.call(who, "get", path).status == 200
    for who in ("rita", "anna", "vera"):
        assert desk.call(who, "get", path).code == "ROLE_FORBIDDEN"
    assert desk.call("stranger", "get", path).code == "NOT_FOUND"
    assert desk.call(None, "get", path).code == "NOT_AUTHENTICATED"
    assert desk.call("olga", "get", f"{path}?scope=all").fields == ["scope"]
