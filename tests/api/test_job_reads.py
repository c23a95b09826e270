"""GET /jobs/{id}, /results, /pauses, /artifacts/{id}; POST /jobs/{id}/cancel."""

import json
from uuid import uuid4

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from review.models import Artifact, Pause
from tests.api.test_start_job import client
from tests.support.pipeline import a_house, answer_to, finalized, fresh, processed, send, waiting

pytestmark = pytest.mark.django_db


def cancel(user, job, **body):
    return client(user).post(
        f"/api/v1/jobs/{job.pk}/cancel", json.dumps(body), content_type="application/json"
    )


def test_the_job_has_exactly_what_was_agreed():
    house = a_house()
    job, _ = waiting(house)
    body = client(house.anna).get(f"/api/v1/jobs/{job.pk}").json()
    assert set(body) - {"pipeline"} == {
        "job_id", "task_id", "status", "version", "cancel_requested", "current_node_instance_id", "image",
        "box_list", "approved_box_list", "active_pause", "pending_actions", "progress", "failure", "warnings",
        "last_event_id", "created_at", "updated_at",
    }  # fmt: skip
    assert set(body["active_pause"]) == {
        "pause_token", "status", "stage", "round", "base_version", "snapshot_id", "group", "created_at",
        "problems",
    }  # fmt: skip
    assert set(body["box_list"]["boxes"][0]) == {
        "box_id", "label", "bbox", "center", "score", "source", "edited", "target_policy",
    }  # fmt: skip
    assert body["created_at"].endswith("Z")


@pytest.mark.parametrize("path", ["", "/results", "/pauses"])
def test_who_reads_a_job(path):
    house = a_house()
    job, _ = waiting(house)
    address = f"/api/v1/jobs/{job.pk}{path}"
    assert client().get(address).status_code == 401
    # A viewer sees confirmed work only.
    for name in ("stranger", "vera"):
        assert client(house.people[name]).get(address).status_code == 404
    for name in ("anna", "abel", "rita", "otto", "root"):
        assert client(house.people[name]).get(address).status_code == 200
    for unknown in (uuid4(), "x"):
        assert client(house.anna).get(f"/api/v1/jobs/{unknown}{path}").status_code == 404


def test_few_statements(django_assert_max_num_queries):
    house = a_house()
    job, _ = waiting(house)
    user = client(house.anna)
    with django_assert_max_num_queries(8):
        assert user.get(f"/api/v1/jobs/{job.pk}").status_code == 200


def test_the_history_of_pauses_is_newest_first():
    house = a_house()
    job, body = waiting(house)
    send(house, job, answer_to(body, []))
    page = client(house.anna).get(f"/api/v1/jobs/{job.pk}/pauses").json()
    assert page["next_cursor"] is None
    assert [(item["status"], item["round"]) for item in page["items"]] == [("CONSUMED", 1)]
    assert page["items"][0]["consumed_by"]["username"] == house.anna.username
    assert page["items"][0]["intervention_id"]


def test_the_history_says_what_each_answer_did(django_assert_max_num_queries):
    house = a_house()
    job, body = waiting(house)
    user = client(house.anna)
    asked = user.get(f"/api/v1/jobs/{job.pk}/pauses").json()["items"][0]
    assert (asked["status"], asked["outcome"], asked["changes"]) == ("WAITING", None, None)
    cup, table = body["box_list"]["boxes"]
    keep = [
        {**cup, "label": "spoon", "bbox": [11, 10, 60, 60]},
        {"box_id": "mine", "label": "fork", "bbox": [80, 10, 120, 60]},
    ]
    send(house, job, answer_to(body, keep))
    with django_assert_max_num_queries(5):
        told = user.get(f"/api/v1/jobs/{job.pk}/pauses").json()["items"][0]
    assert told["outcome"] == "VALIDATING"
    changes = told["changes"]
    assert changes["kept"] == []
    assert changes["moved"] == [{"box_id": cup["box_id"], "label": "spoon"}]
    assert changes["renamed"] == [{"box_id": cup["box_id"], "label": "spoon", "before": "cup"}]
    assert [box["label"] for box in changes["added"]] == ["fork"]
    assert changes["removed"] == [{"box_id": table["box_id"], "label": "table", "why": "deleted"}]


def test_a_kept_box_and_an_omitted_one_in_the_history():
    house = a_house()
    job, body = waiting(house)
    cup, table = body["box_list"]["boxes"]
    send(house, job, answer_to(body, [cup], deleted_box_ids=None))
    changes = client(house.anna).get(f"/api/v1/jobs/{job.pk}/pauses").json()["items"][0]["changes"]
    assert changes["kept"] == [{"box_id": cup["box_id"], "label": "cup"}]
    assert changes["removed"] == [{"box_id": table["box_id"], "label": "table", "why": "omitted"}]


def test_an_empty_selection_has_empty_results_with_200():
    house = a_house()
    job, body = waiting(house)
    send(house, job, answer_to(body, []))
    answer = client(house.anna).get(f"/api/v1/jobs/{job.pk}/results")
    assert (answer.status_code, answer.json()["status"], answer.json()["items"]) == (
        200,
        "EMPTY_SELECTION",
        [],
    )


def test_results_and_their_files():
    house = a_house()
    job, body = waiting(house)
    send(house, job, answer_to(body, [body["box_list"]["boxes"][0]]))
    processed(job)
    finalized()
    item = client(house.anna).get(f"/api/v1/jobs/{job.pk}/results").json()["items"][0]
    assert set(item) == {"box_id", "label", "bbox", "outcome", "reason", "cutout_url", "mask_url", "gate"}
    artifact = Artifact.objects.get(pk=item["cutout_url"].rsplit("/", 1)[1])
    assert client(house.anna).get(item["cutout_url"]).status_code == 404
    default_storage.save(artifact.key, ContentFile(b"\x89PNG"))
    answer = client(house.anna).get(item["cutout_url"])
    assert (answer.status_code, answer["Content-Type"], answer["X-Content-Type-Options"]) == (
        200,
        "image/png",
        "nosniff",
    )
    assert b"".join(answer.streaming_content) == b"\x89PNG"
    assert "Content-Disposition" not in answer, "its file name would win over the link's own"
    assert (
        client(house.anna)
        .get(item["cutout_url"] + "?download=1")["Content-Disposition"]
        .startswith("attachment")
    )
    assert (
        client(house.anna).get(item["cutout_url"], headers={"If-None-Match": answer["ETag"]}).status_code
        == 304
    )
    assert client().get(item["cutout_url"]).status_code == 401
    for name in ("stranger", "vera"):
        assert client(house.people[name]).get(item["cutout_url"]).status_code == 404
    assert client(house.anna).get(f"/api/v1/artifacts/{uuid4()}").status_code == 404


def test_an_encoding_is_not_served():
    house = a_house()
    job, _ = waiting(house)
    run = job.runs.first()
    artifact = Artifact.objects.create(
        task=job.task,
        run=run,
        key="artifacts/e.npz",
        size_bytes=1,
        sha256="0" * 64,
        created_at=job.created_at,
    )
    default_storage.save(artifact.key, ContentFile(b"x"))
    assert client(house.anna).get(f"/api/v1/artifacts/{artifact.pk}").status_code == 404


def test_cancel_gives_the_job_and_again_the_same():
    house = a_house()
    job, _ = waiting(house)
    request_id = str(uuid4())
    first = cancel(house.anna, job, request_id=request_id)
    assert (first.status_code, first.json()["status"], first.json()["cancel_requested"]) == (
        200,
        "CANCELLED",
        True,
    )
    assert first.json()["active_pause"] is None
    assert cancel(house.anna, job, request_id=request_id).content == first.content
    assert cancel(house.anna, job).json() == first.json()


def test_who_may_cancel():
    house = a_house()
    job, _ = waiting(house)
    assert cancel(None, job).status_code == 401
    assert cancel(house.stranger, job).status_code == 404
    for name in ("vera", "abel", "rita"):
        assert cancel(house.people[name], job).status_code == 403
    assert cancel(house.anna, job, colour="red").status_code == 400
    assert fresh(job).status == "WAITING_USER_SELECTION"
    assert Pause.objects.get(job=job).status == "WAITING"


def test_what_has_ended_otherwise_is_not_cancelled():
    house = a_house()
    job, body = waiting(house)
    send(house, job, answer_to(body, []))
    answer = cancel(house.anna, job)
    assert (answer.status_code, answer.json()["code"]) == (409, "ILLEGAL_TRANSITION")
    assert answer.json()["snapshot"]["status"] == "EMPTY_SELECTION"
