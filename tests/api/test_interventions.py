"""POST /jobs/{id}/interventions."""

import json
from uuid import uuid4

import pytest

from locks.models import TaskLock
from review.models import Intervention
from tests.api.test_start_job import client
from tests.support.pipeline import a_house, answer_to, fresh, waiting

pytestmark = pytest.mark.django_db


def body_of(body, keep, **more):
    answer = answer_to(body, keep)
    return answer.content() | {"intervention_id": answer.intervention_id} | more


def post(user, job, body):
    data = body if isinstance(body, str) else json.dumps(body)
    return client(user).post(f"/api/v1/jobs/{job.pk}/interventions", data, content_type="application/json")


def test_an_answer_and_its_repetition_are_the_same_bytes():
    house = a_house()
    job, body = waiting(house)
    sent = body_of(body, body["box_list"]["boxes"])
    first = post(house.anna, job, sent)
    assert first.status_code == 200
    assert set(first.json()) == {
        "intervention_id", "job_id", "status", "version", "outcome", "next_node_instance_id",
    }  # fmt: skip
    # A reload of the page changes its client id and its lock token, not the request.
    again = post(house.anna, job, sent | {"client_id": "another page", "lock_token": 7})
    assert (again.status_code, again.content) == (200, first.content)
    assert Intervention.objects.count() == 1


def test_a_client_and_a_fence_of_null_are_none():
    house = a_house()
    job, body = waiting(house)
    sent = body_of(body, body["box_list"]["boxes"], client_id=None, lock_token=None)
    assert post(house.anna, job, sent).status_code == 200
    # As without them: the lock was for this answer only.
    assert not TaskLock.objects.filter(task=job.task_id).exists()


def test_a_token_with_a_space_more_is_another_token():
    house = a_house()
    job, body = waiting(house)
    sent = body_of(body, body["box_list"]["boxes"])
    padded = post(house.anna, job, sent | {"pause_token": f" {sent['pause_token']} "})
    assert (padded.status_code, padded.json()["code"]) == (409, "PAUSE_TOKEN_MISMATCH")
    answer = post(house.anna, job, sent | {"intervention_id": " first "})
    assert (answer.status_code, answer.json()["intervention_id"]) == (200, " first ")
    other = post(house.anna, job, sent | {"intervention_id": "first"})
    assert (other.status_code, other.json()["code"]) == (409, "VERSION_CONFLICT")


@pytest.mark.parametrize("missing", ["intervention_id", "pause_token", "base_version", "subjects"])
def test_each_missing_field_is_named(missing):
    house = a_house()
    job, body = waiting(house)
    sent = body_of(body, [])
    del sent[missing]
    answer = post(house.anna, job, sent)
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_FAILED")
    assert [error["field"] for error in answer.json()["errors"]] == [missing]
    assert not Intervention.objects.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"intervention_id": 5}, {"intervention_id": ""}, {"intervention_id": None}, {"pause_token": ["x"]},
        {"base_version": "2"}, {"base_version": True}, {"base_version": 2.0}, {"base_version": None},
        {"subjects": {}}, {"subjects": None}, {"subjects": [5]}, {"subjects": [{"bbox": "x"}]},
        {"deleted_box_ids": "x"}, {"deleted_box_ids": [5]}, {"client_id": 5}, {"lock_token": "1"},
        {"lock_token": -1}, {"colour": "red"}, {"subjects": [{"label": "a\u0000b", "bbox": [0, 0, 20, 20]}]},
    ],
)  # fmt: skip
def test_a_wrong_type_is_a_400(wrong):
    house = a_house()
    job, body = waiting(house)
    answer = post(house.anna, job, body_of(body, [], **wrong))
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_FAILED")
    assert answer.json()["errors"]
    assert fresh(job).status == "WAITING_USER_SELECTION"


def test_a_number_that_json_cannot_hold():
    house = a_house()
    job, body = waiting(house)
    sent = json.dumps(body_of(body, [], deleted_box_ids=None, subjects=[{"bbox": [0, 0, 77.25, 20]}]))
    sent = sent.replace(', "deleted_box_ids": null', "")
    answer = post(house.anna, job, sent.replace("77.25", "1e999"))
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "subjects.0.bbox")
    assert post(house.anna, job, sent.replace("77.25", "NaN")).status_code == 400
    assert post(house.anna, job, "{").status_code == 400
    assert fresh(job).status == "WAITING_USER_SELECTION"


def test_outside_the_picture_is_422_and_names_box_and_field():
    house = a_house()
    job, body = waiting(house)
    cup = body["box_list"]["boxes"][0]
    answer = post(house.anna, job, body_of(body, [cup | {"bbox": [10, 10, 900, 60]}]))
    assert (answer.status_code, answer.json()["code"]) == (422, "VALIDATION_FAILED")
    error = answer.json()["errors"][0]
    assert error["field"] == "subjects.0.bbox"
    assert cup["box_id"] in error["message"]


def test_an_incomplete_list():
    house = a_house()
    job, body = waiting(house)
    answer = post(house.anna, job, body_of(body, [], deleted_box_ids=[]))
    assert (answer.status_code, answer.json()["code"]) == (400, "SUBJECTS_INCOMPLETE")
    assert len(answer.json()["missing"]) == 2


@pytest.mark.parametrize(
    ("wrong", "code"),
    [({"base_version": 1}, "VERSION_CONFLICT"), ({"pause_token": "pause_x"}, "PAUSE_TOKEN_MISMATCH")],
)
def test_a_409_carries_the_job_with_its_pause(wrong, code):
    house = a_house()
    job, body = waiting(house)
    answer = post(house.anna, job, body_of(body, [], **wrong))
    assert (answer.status_code, answer.json()["code"]) == (409, code)
    assert answer.json()["snapshot"] == body
    assert answer["Content-Type"] == "application/problem+json"


def test_who_may_answer():
    house = a_house()
    job, body = waiting(house)
    sent = body_of(body, [])
    assert post(None, job, sent).status_code == 401
    assert post(house.stranger, job, sent).status_code == 404
    assert post(house.vera, job, sent).status_code == 403
    job.pk = uuid4()
    assert post(house.anna, job, sent).status_code == 404
    assert not Intervention.objects.exists()


@pytest.mark.parametrize("name", ["anna", "abel", "rita", "otto", "olga", "root"])
def test_everybody_who_works_may_answer(name):
    house = a_house()
    job, body = waiting(house)
    assert post(house.people[name], job, body_of(body, [])).status_code == 200


def test_few_statements(django_assert_max_num_queries):
    house = a_house()
    job, body = waiting(house)
    user = client(house.anna)
    sent = json.dumps(body_of(body, body["box_list"]["boxes"]))
    with django_assert_max_num_queries(90):
        user.post(f"/api/v1/jobs/{job.pk}/interventions", sent, content_type="application/json")
    with django_assert_max_num_queries(12):
        user.post(f"/api/v1/jobs/{job.pk}/interventions", sent, content_type="application/json")
