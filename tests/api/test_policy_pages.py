"""Where pages show what may happen without a person, and whom a pause asks; and the gauges of waiting."""

import re

import pytest
from django.test import Client

from config.gauges import DatabaseGauges
from review.models import Pause
from review.queries.my_panels import waiting_panels
from tasks.domain.policies import PolicyKind
from tasks.models import Task
from tests.support.pipeline import a_house, answer_to, send, waiting
from tests.support.policies import HOUR, declared, sweep, waited

pytestmark = pytest.mark.django_db


def html(user, path):
    client = Client()
    client.force_login(user)
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def form_of(page, kind):
    found = re.search(rf'<form[^>]*policies/{kind}".*?</form>', page, re.DOTALL)
    assert found is not None, kind
    return found[0]


def test_the_settings_show_each_policy_off_and_what_it_does():
    house = a_house()
    page = html(house.otto, f"/projects/{house.project.pk}/settings/")
    for kind in PolicyKind:
        form = form_of(page, kind)
        assert f'data-api="PUT /projects/{house.project.pk}/policies/{kind}"' in form
        assert "checked" not in form
        assert "Never declared: off" in form
        assert 'name="expected_version" data-type="number" value="0"' in form
        assert 'name="authorisation"' in form


def test_the_settings_show_what_is_in_force_and_who_declared_it():
    house = a_house()
    declared(house, PolicyKind.TIMEOUT_DEFAULT)
    declared(house, PolicyKind.TIMEOUT_DEFAULT, after_seconds=7200, answer="keep_none")
    declared(house, PolicyKind.ROUTING, threshold=0.85, is_on=False)
    page = html(house.olga, f"/projects/{house.project.pk}/settings/")
    form = form_of(page, "timeout_default")
    assert "checked" in form
    assert 'value="7200"' in form
    assert '<option value="keep_none" selected>' in form
    assert "Olga: catalogue pictures, low risk" in form
    assert f"On · Version 2, declared by {house.olga.name} on " in form
    routing = form_of(page, "routing")
    assert 'value="0.85"' in routing
    assert "checked" not in routing
    assert "Off · Version 1" in routing


@pytest.mark.parametrize(
    ("group", "asked"),
    [("reviewers", {"rita", "olga", "otto", "root"}), ("admins", {"olga", "otto", "root"})],
)
def test_what_was_put_to_a_group_is_on_the_page_of_its_people(group, asked):
    house = a_house()
    declared(house, PolicyKind.TIMEOUT_TO_QUEUE, group=group)
    job, _ = waiting(house)
    # It is somebody's work, so at first nobody else is asked.
    Task.objects.filter(pk=job.task_id).update(assignee=house.anna)
    pause = Pause.objects.get(job=job)

    def people():
        return {name for name, user in house.people.items() if pause in waiting_panels(user)}

    assert people() == {"anna"}
    waited(job, HOUR + 1)
    assert sweep() == (0, 1, 0, 0)
    assert people() == asked


def test_the_review_page_shows_the_panels_that_wait():
    house = a_house()
    path = f"/projects/{house.project.pk}/review/"
    assert 'id="pauses"' not in html(house.rita, path)
    declared(house, PolicyKind.TIMEOUT_TO_QUEUE)
    job, body = waiting(house)
    waited(job, HOUR + 1)
    page = html(house.rita, path)
    assert f'href="/tasks/{job.task_id}/"' in page
    assert "the reviewers" not in page
    assert sweep() == (0, 1, 0, 0)
    assert "the reviewers" in html(house.rita, path)
    send(house, job, answer_to(body, []), by="rita")
    assert 'id="pauses"' not in html(house.rita, path)


def ages():
    (gauge,) = (each for each in DatabaseGauges().collect() if each.name == "countersign_pause_age_seconds")
    return {sample.labels["stage"]: sample.value for sample in gauge.samples}


def test_the_gauge_says_how_old_the_oldest_pause_of_each_stage_is():
    house = a_house()
    stages = {"WAITING_USER_SELECTION", "WAITING_BOX_BATCH_REVISION"}
    assert ages() == dict.fromkeys(stages, 0)
    old, body = waiting(house)
    young, _ = waiting(house)
    waited(old, 3 * HOUR)
    waited(young, HOUR)
    found = ages()
    assert 3 * HOUR <= found["WAITING_USER_SELECTION"] < 3 * HOUR + 60
    assert found["WAITING_BOX_BATCH_REVISION"] == 0
    send(house, old, answer_to(body, []))
    assert HOUR <= ages()["WAITING_USER_SELECTION"] < HOUR + 60
