"""POST and GET /tasks/{id}/runs, GET /runs/{id}, POST /runs/{id}/cancel."""

from uuid import uuid4

import pytest

from review.models import CandidateSet, NodeRun, Prediction, RegionResult
from review.operations.receive_report import receive_report
from review.operations.take_run import take_run
from tasks.models import OutboxMessage
from tests.support.editing import CUP_ITEM, a_desk
from tests.support.pipeline import CUP, TABLE, a_job, report

pytestmark = pytest.mark.django_db
PATH = "tasks/{task}/runs"


def start(desk, who="anna", kind="DETECT_SUBJECTS", **more):
    answer = desk.call(who, "post", PATH, {"request_id": str(uuid4()), "kind": kind, **more})
    assert answer.status == 202, answer.body
    return NodeRun.objects.get(pk=answer.body["run_id"])


def test_detecting_again_makes_a_new_set_and_leaves_the_draft_alone():
    desk = a_desk()
    desk.claim("anna")
    desk.save("anna", [CUP_ITEM])
    run = start(desk)
    assert OutboxMessage.objects.filter(payload={"run_id": str(run.pk)}).exists()
    assert run.input["image"] == {"width": 160, "height": 120}
    assert desk.audited()[-1] == "run.start"
    report(run, {"boxes": [CUP, TABLE | {"label": "coffee cup"}], "warnings": []})
    editor = desk.editor("anna")
    assert [item["label"] for item in editor["candidates"]["items"]] == ["cup", "cup"]
    assert editor["draft"]["items"] == [CUP_ITEM]
    shown = desk.call("anna", "get", f"runs/{run.pk}").body
    assert (shown["status"], shown["result"]) == (
        "SUCCEEDED",
        {"candidate_set_id": editor["candidates"]["set_id"]},
    )
    assert desk.events()[-1] == "boxes.changed"


def test_a_set_that_was_edited_meanwhile_is_not_pushed_aside():
    desk = a_desk()
    desk.claim("anna")
    run = start(desk)
    active = desk.detected(("b1", [0, 0, 9, 9]))
    report(run, {"boxes": [CUP], "warnings": []})
    assert desk.editor("anna")["candidates"]["set_id"] == str(active.pk)
    assert CandidateSet.objects.filter(task=desk.task).count() == 2
    seen = desk.call("anna", "get", f"runs/{run.pk}").body
    assert (seen["status"], [one["code"] for one in seen["warnings"]]) == ("SUCCEEDED", ["OVERTAKEN"])


def test_a_region_gives_a_preview_whose_ids_carry_the_run():
    desk = a_desk()
    desk.claim("anna")
    run = start(desk, kind="DETECT_REGION", region=[10.4, 10, 60, 60.2], reference=[0, 0, 160, 120])
    assert run.input["region"] == [10, 10, 60, 61]
    assert run.input["run"] == str(run.pk)
    item = {
        "id": f"r-{run.pk}-1",
        "label": "coffee cup",
        "bbox": [20.0, 20.0, 30.0, 30.0],
        "center": [25.0, 25.0],
    }
    before = desk.editor("anna")
    report(run, {"region": [10, 10, 60, 61], "items": [{**item, "score": 0.5}], "warnings": []})
    region = RegionResult.objects.get(run=run)
    assert (region.items[0]["label"], region.reference) == ("cup", [0, 0, 160, 120])
    after = desk.editor("anna")
    assert (after["candidates"], after["draft"]) == (before["candidates"], before["draft"])
    assert desk.call("anna", "get", f"runs/{run.pk}").body["result"] == {"region_id": str(region.pk)}


def test_judging_keeps_the_versions_that_it_was_asked_about():
    desk = a_desk()
    active = desk.detected(("b1", [0, 0, 9, 9]))
    desk.claim("anna")
    run = start(desk, kind="JUDGE_CANDIDATES")
    assert run.input["base"] == {"candidate_set_id": str(active.pk), "config_version": 1}
    report(run, {"selected_ids": ["b1", "made up"], "warnings": []})
    prediction = Prediction.objects.get(run=run)
    assert (prediction.candidate_set_id, prediction.applicable) == (active.pk, False)


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({}, 400, "kind"),
        ({"kind": "SEGMENT_SUBJECT"}, 400, "kind"),
        ({"kind": "DETECT_REGION", "region": [1, 2, 3]}, 400, "region"),
        ({"kind": "DETECT_REGION", "region": [1, 2, "3", 4]}, 400, "region"),
        ({"kind": "DETECT_REGION"}, 422, "region"),
        ({"kind": "DETECT_REGION", "region": [0, 0, 7, 7]}, 422, "region"),
        ({"kind": "DETECT_REGION", "region": [0, 0, 161, 70]}, 422, "region"),
        ({"kind": "DETECT_REGION", "region": [0, 0, 50, 50], "reference": [0, 0, 0, 5]}, 422, "reference"),
        ({"kind": "JUDGE_CANDIDATES"}, 422, "kind"),
    ],
)
def test_what_cannot_be_run(body, status, field):
    desk = a_desk()
    answer = desk.refused("anna", "post", PATH, body, status=status, code="VALIDATION_FAILED")
    assert answer.fields == [field]


def test_one_run_at_a_time_and_none_beside_a_job():
    desk = a_desk()
    run = start(desk)
    body = {"kind": "DETECT_SUBJECTS"}
    answer = desk.refused("abel", "post", PATH, body, status=409, code="RUN_ACTIVE")
    assert answer.body["run"]["run_id"] == str(run.pk)
    busy = a_desk()
    job = a_job(busy.house, task=busy.task)
    busy.refused("anna", "post", PATH, body, status=409, code="RUN_ACTIVE")
    NodeRun.objects.filter(job=job).update(status="SUCCEEDED")
    busy.refused("anna", "post", PATH, body, status=409, code="JOB_ACTIVE")


def test_who_may_run_and_when():
    desk = a_desk()
    body = {"kind": "DETECT_SUBJECTS"}
    desk.refuses_others("post", PATH, body)
    desk.in_review()
    desk.refused("rita", "post", PATH, body, status=409, code="LOCK_LOST")
    desk.review_claim("rita")
    desk.refused("olga", "post", PATH, body, status=409, code="LOCK_HELD")
    start(desk, "rita")


def test_a_repeated_start_is_one_run():
    desk = a_desk()
    body = {"request_id": str(uuid4()), "kind": "DETECT_SUBJECTS"}
    first = desk.call("anna", "post", PATH, body)
    assert desk.call("anna", "post", PATH, body).raw == first.raw
    assert NodeRun.objects.filter(task=desk.task).count() == 1


def test_cancelling_drops_the_effect_and_is_the_same_twice():
    desk = a_desk()
    run = start(desk)
    path = f"runs/{run.pk}/cancel"
    desk.refused(None, "post", path, {}, status=401, code="NOT_AUTHENTICATED")
    desk.refused("stranger", "post", path, {}, status=404, code="NOT_FOUND")
    for who in ("abel", "rita", "vera"):
        desk.refused(who, "post", path, {}, status=403, code="ROLE_FORBIDDEN")
    desk.refused("anna", "post", path, {"x": 1}, status=400, code="VALIDATION_FAILED")
    assert desk.call("anna", "post", path, {}).body["status"] == "CANCELLED"
    assert (desk.audited()[-1], desk.events()[-1]) == ("run.cancel", "run.finished")
    before = desk.events()
    assert desk.call("olga", "post", path, {}).body["status"] == "CANCELLED"
    assert desk.events() == before
    assert not CandidateSet.objects.filter(task=desk.task).exists()
    start(desk)


def test_a_report_that_came_too_late_is_seen_with_why(client):
    desk = a_desk()
    run = start(desk)
    taken = take_run(run_id=run.pk, worker="test:1")
    desk.call("anna", "post", f"runs/{run.pk}/cancel", {})
    receive_report(run_id=run.pk, attempt=taken.attempt, report={"boxes": [], "warnings": []})
    (late,) = desk.call("anna", "get", f"runs/{run.pk}").body["ignored_reports"]
    assert (late["attempt"], late["why"]) == (1, "run is CANCELLED")
    assert desk.call("rita", "get", PATH).body["items"][0]["ignored_reports"] == [late]
    address = f"/tasks/{desk.task.pk}/history/"
    client.force_login(desk.house.rita)
    assert "DETECT_SUBJECTS: run is CANCELLED" in client.get(address).content.decode()
    desk.claim("anna")
    client.force_login(desk.house.anna)
    assert "run is CANCELLED" not in client.get(address).content.decode()


def test_a_jobs_run_is_cancelled_with_its_job():
    desk = a_desk()
    job = a_job(desk.house, task=desk.task)
    run = NodeRun.objects.get(job=job)
    desk.refused("anna", "post", f"runs/{run.pk}/cancel", {}, status=409, code="JOB_ACTIVE")


def test_who_sees_runs():
    desk = a_desk()
    run = start(desk)
    listed = desk.call("abel", "get", PATH).body
    assert [one["run_id"] for one in listed["items"]] == [str(run.pk)]
    for who, code in (("vera", "NOT_FOUND"), ("stranger", "NOT_FOUND"), (None, "NOT_AUTHENTICATED")):
        assert desk.call(who, "get", PATH).code == code
        assert desk.call(who, "get", f"runs/{run.pk}").code == code
    assert desk.call("anna", "get", f"runs/{uuid4()}").code == "NOT_FOUND"
