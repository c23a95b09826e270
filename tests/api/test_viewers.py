"""What runs is not a viewer's business (page 03): no job, no pause, no draft on any way to a project."""

import pytest
from django.test import Client

from tasks.models import Event
from tasks.queries.stream_opening import open_task
from tests.support.pipeline import a_house, waiting
from tests.support.workflow import call

pytestmark = pytest.mark.django_db


def page_of(house, who):
    browser = Client()
    browser.force_login(house.people[who])
    return browser.get(f"/projects/{house.project.pk}/").content.decode()


def test_a_projects_page_and_progress_name_no_waiting_job():
    house = a_house()
    job, _ = waiting(house, by="anna")
    where = f"projects/{house.project.pk}/progress"
    assert [row["job_id"] for row in call(house.rita, "get", where).body["pauses"]] == [str(job.pk)]
    assert call(house.vera, "get", where).body["pauses"] == []
    for who, is_told in (("rita", True), ("vera", False)):
        html = page_of(house, who)
        assert ('id="pauses"' in html, "started a job" in html) == (is_told, is_told), who
        assert 'id="recent"' in html


def test_a_stream_withholds_everything_that_tells_of_a_pause():
    house = a_house()
    job, _ = waiting(house, by="anna")
    hidden = open_task(user_id=house.vera.pk, task_id=job.task_id).hidden
    assert "policy.applied" in hidden
    of_job = set(Event.objects.filter(task=job.task_id, job_id=job.pk).values_list("type", flat=True))
    assert of_job <= hidden
