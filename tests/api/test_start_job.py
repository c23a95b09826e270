"""POST /jobs."""

import io
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from review.models import Job
from tasks.models import Asset, Batch, Project, Task
from tests.support.pipeline import a_house, a_task, png, waiting

pytestmark = pytest.mark.django_db


def client(user=None):
    found = Client()
    if user is not None:
        found.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return found


def upload(user, house, *, data=None, **more):
    image = SimpleUploadedFile("cup.png", png() if data is None else data, "image/png")
    body = {"image": image, "project": str(house.project.pk)} | more
    return client(user).post("/api/v1/jobs", {k: v for k, v in body.items() if v is not None})


def start(user, body):
    return client(user).post("/api/v1/jobs", body, content_type="application/json")


def nothing_made():
    return (Job.objects.count(), Task.objects.count(), Asset.objects.count()) == (0, 0, 0)


def test_a_picture_makes_a_task_in_the_default_batch_and_its_job_detects():
    house = a_house()
    answer = upload(house.anna, house)
    assert answer.status_code == 202
    body = answer.json()
    assert (body["accepted"], body["status"]) == (True, "DETECTING")
    task = Task.objects.get(pk=body["task_id"])
    assert (task.batch_id, task.status, task.job_id) == (house.inbox.pk, "pending", Job.objects.get().pk)
    now = client(house.anna).get(f"/api/v1/jobs/{body['job_id']}").json()
    assert (now["status"], now["version"]) == ("DETECTING", 1)
    assert now["image"] == {"width": 160, "height": 120, "url": f"/api/v1/assets/{task.asset_id}/image"}
    assert now["box_list"]["boxes"] == []
    assert now["active_pause"] is None


def test_a_named_batch_of_one_s_own():
    house = a_house()
    batch = Batch.objects.create(project=house.project, name="B", status="active")
    batch.assignments.create(user=house.anna)
    answer = upload(house.anna, house, batch=str(batch.pk))
    assert Task.objects.get(pk=answer.json()["task_id"]).batch_id == batch.pk


def test_a_batch_of_others_is_like_one_that_there_is_not():
    house = a_house()
    batch = Batch.objects.create(project=house.project, name="B", status="active")
    answer = upload(house.anna, house, batch=str(batch.pk))
    missing = upload(house.anna, house, batch=str(uuid4()))
    assert (answer.status_code, answer.content) == (404, missing.content)
    assert nothing_made()


def test_a_batch_that_there_is_not():
    house = a_house()
    for user in (house.anna, house.olga):
        answer = upload(user, house, batch=str(uuid4()))
        assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND")
    assert nothing_made()


def test_the_same_request_makes_one_task():
    house = a_house()
    request_id = str(uuid4())
    first = upload(house.anna, house, request_id=request_id)
    again = upload(house.anna, house, request_id=request_id)
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert Task.objects.count() == 1
    other = upload(house.anna, house, request_id=request_id, data=png(20, 20))
    assert (other.status_code, other.json()["code"]) == (409, "IDEMPOTENCY_CONFLICT")
    assert Task.objects.count() == 1


@pytest.mark.parametrize("data", [b"", b"not a picture", png()[:200]])
def test_what_is_no_picture_is_refused_at_once(data):
    house = a_house()
    answer = upload(house.anna, house, data=data)
    assert (answer.status_code, answer.json()["code"]) == (422, "VALIDATION_FAILED")
    assert answer.json()["errors"][0]["field"] == "image"
    assert nothing_made()


def test_a_picture_over_the_limit_is_too_large(settings):
    settings.UPLOAD_MAX_BYTES = 100
    house = a_house()
    answer = upload(house.anna, house)
    assert (answer.status_code, answer.json()["code"]) == (413, "TOO_LARGE")
    assert nothing_made()


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"project": None}, "project"),
        ({"project": "x"}, "project"),
        ({"image": None}, "image"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_wrong_form_names_its_field(more, field):
    house = a_house()
    answer = upload(house.anna, house, **more)
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_FAILED")
    assert field in [error["field"] for error in answer.json()["errors"]]
    assert nothing_made()


def test_an_unknown_pipeline_is_422():
    house = a_house()
    answer = upload(house.anna, house, pipeline="mystery")
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "pipeline")
    assert nothing_made()


def test_who_may_upload():
    house = a_house()
    assert upload(None, house).status_code == 401
    assert upload(house.stranger, house).status_code == 404
    refused = upload(house.vera, house)
    assert (refused.status_code, refused.json()["code"]) == (403, "ROLE_FORBIDDEN")
    assert "annotator" in refused.json()["required_roles"]
    assert nothing_made()
    for name in ("anna", "rita", "otto", "olga", "root"):
        assert upload(house.people[name], house).status_code == 202


def test_a_job_on_a_task():
    house = a_house()
    task = a_task(house)
    answer = start(house.anna, {"task": str(task.pk)})
    assert (answer.status_code, answer.json()["task_id"]) == (202, str(task.pk))


def test_a_request_id_of_null_is_none():
    house = a_house()
    answer = start(house.anna, {"task": str(a_task(house).pk), "request_id": None})
    assert answer.status_code == 202
    cancel = client(house.anna).post(
        f"/api/v1/jobs/{answer.json()['job_id']}/cancel",
        {"request_id": None},
        content_type="application/json",
    )
    assert (cancel.status_code, cancel.json()["status"]) == (200, "CANCELLED")


def test_one_live_job_a_task():
    house = a_house()
    job, _ = waiting(house)
    answer = start(house.anna, {"task": str(job.task_id)})
    assert (answer.status_code, answer.json()["code"]) == (409, "JOB_ACTIVE")
    assert answer.json()["snapshot"]["job"] == {"job_id": str(job.pk), "status": "WAITING_USER_SELECTION"}
    assert Job.objects.count() == 1


def test_the_same_request_starts_one_job():
    house = a_house()
    body = {"task": str(a_task(house).pk), "request_id": str(uuid4())}
    first, again = start(house.anna, body), start(house.anna, body)
    assert (first.status_code, first.content) == (202, again.content)
    assert Job.objects.count() == 1


def test_no_job_on_a_completed_task():
    house = a_house()
    task = a_task(house)
    for status in ("in_progress", "review", "completed"):
        Task.objects.filter(pk=task.pk).update(status=status)
    answer = start(house.olga, {"task": str(task.pk)})
    assert (answer.status_code, answer.json()["code"]) == (409, "ILLEGAL_TRANSITION")
    assert not Job.objects.exists()


def test_a_job_in_review_needs_the_lock():
    house = a_house()
    task = a_task(house)
    for status in ("in_progress", "review"):
        Task.objects.filter(pk=task.pk).update(status=status)
    assert start(house.anna, {"task": str(task.pk)}).status_code in {403, 409}
    answer = start(house.rita, {"task": str(task.pk)})
    assert (answer.status_code, answer.json()["code"]) == (409, "LOCK_LOST")
    assert not Job.objects.exists()


@pytest.mark.parametrize("body", [{}, {"task": "x"}, {"task": 5}, {"task": str(uuid4()), "colour": 1}, []])
def test_a_wrong_body_is_a_400(body):
    answer = start(a_house().anna, body)
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_FAILED")


def test_who_may_start():
    house = a_house()
    body = {"task": str(a_task(house).pk)}
    assert start(None, body).status_code == 401
    assert start(house.stranger, body).status_code == 404
    assert start(house.vera, body).status_code == 403
    assert start(house.anna, {"task": str(uuid4())}).status_code == 404
    assert not Job.objects.exists()


def test_a_project_may_start_a_job_for_each_new_task_and_an_upload_job_is_not_doubled():
    house = a_house(start_jobs=True)
    assert upload(house.anna, house).status_code == 202
    assert Job.objects.count() == 1
    Project.objects.filter(pk=house.project.pk).update(start_jobs=True)
    image = io.BytesIO(png())
    image.name = "cup.png"
    made = client(house.olga).post(f"/api/v1/projects/{house.project.pk}/tasks", {"image": image})
    assert made.status_code == 201
    assert Job.objects.get(task_id=made.json()["id"]).status == "DETECTING"
