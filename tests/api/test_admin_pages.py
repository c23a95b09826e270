"""Django admin: every table is readable, locks are released with a reason, nothing else is written."""

import re
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.test import Client

from locks.models import TaskLock
from tasks.models import AuditEntry, Event
from tests.support.pipeline import a_house, a_task
from tests.support.workflow import held_by, let_pass

pytestmark = pytest.mark.django_db

LOCKS = "/admin/locks/tasklock/"
OURS = [model for model in admin.site._registry if model._meta.app_label in {"locks", "tasks", "review"}]


def as_operator(user):
    client = Client()
    client.force_login(user)
    return client


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_every_table_can_be_looked_at_and_searched(model):
    house = a_house()
    held_by(a_task(house), house.anna)
    client = as_operator(house.root)
    path = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
    assert client.get(path).status_code == 200
    if admin.site._registry[model].search_fields:
        assert client.get(path, {"q": "cup"}).status_code in {200, 302}


def test_the_index_names_the_tables_in_words():
    names = [str(model._meta.verbose_name_plural) for model in OURS]
    assert [name for name in names if re.search(r"chs$|[^aeiou]ys$|^api ", name)] == []


@pytest.mark.parametrize("name", ["audit", "event", "task", "lock"])
def test_rows_are_shown_and_not_changed(name):
    house = a_house()
    task = a_task(house)
    held_by(task, house.anna)
    row: Any = {
        "audit": AuditEntry.objects.filter(task_id=task.pk).first(),
        "event": Event.objects.filter(task=task).first(),
        "task": task,
        "lock": TaskLock.objects.get(task=task),
    }[name]
    client = as_operator(house.root)
    path = f"/admin/{row._meta.app_label}/{row._meta.model_name}/{row.pk}/change/"
    assert client.get(path).status_code == 200
    assert client.post(path, {"reason": "other"}).status_code == 403
    assert client.post(path.replace("change", "delete"), {"post": "yes"}).status_code == 403
    row.refresh_from_db()


def test_people_who_are_no_operators_get_the_login_form():
    house = a_house()
    answer = as_operator(house.olga).get(LOCKS)
    assert answer.status_code == 302
    assert "/admin/login/" in answer["Location"]


def release(client, lock, **data):
    return client.post(
        LOCKS, {"action": "release_selected", "_selected_action": [str(lock.pk)], **data}, follow=True
    )


def test_releasing_asks_for_a_reason_first():
    house = a_house()
    task = a_task(house)
    lock = held_by(task, house.anna)
    client = as_operator(house.root)
    answer = release(client, lock)
    assert 'name="reason"' in answer.content.decode()
    assert TaskLock.objects.filter(pk=lock.pk).exists()
    answer = release(client, lock, reason="  ")
    assert 'name="reason"' in answer.content.decode()
    assert TaskLock.objects.filter(pk=lock.pk).exists()
    assert not AuditEntry.objects.filter(action="lock.force_release").exists()


def test_a_release_with_a_reason_is_audited_and_told():
    house = a_house()
    task = a_task(house)
    lock = held_by(task, house.anna)
    answer = release(as_operator(house.root), lock, reason="left for the day")
    assert answer.status_code == 200
    assert not TaskLock.objects.filter(pk=lock.pk).exists()
    entry = AuditEntry.objects.get(task_id=task.pk, action="lock.force_release")
    assert (entry.actor_id, entry.role, entry.reason) == (house.root.pk, "super_admin", "left for the day")
    assert Event.objects.filter(task=task, type="lock.changed").exists()


def test_an_expired_lock_is_not_a_release():
    house = a_house()
    task = a_task(house)
    lock = held_by(task, house.anna)
    let_pass(task, 1000)
    answer = release(as_operator(house.root), lock, reason="left for the day")
    assert "0 locks were released" in answer.content.decode()
    assert not AuditEntry.objects.filter(action="lock.force_release").exists()


def test_an_operator_without_the_project_releases_nothing():
    house = a_house()
    lock = held_by(a_task(house), house.anna)
    house.stranger.is_staff = True
    house.stranger.save()
    house.stranger.user_permissions.add(Permission.objects.get(codename="view_tasklock"))
    release(as_operator(house.stranger), lock, reason="because")
    assert TaskLock.objects.filter(pk=lock.pk).exists()


ID = re.compile(r">[^<]*\b[0-9a-f]{8}-[0-9a-f]{4}-7[^<]*<")


def test_lists_and_pages_name_what_they_speak_of():
    house = a_house()
    task = a_task(house)
    held_by(task, house.anna)
    client = as_operator(house.root)
    for model, name in ((AuditEntry, task.name), (Event, task.name), (TaskLock, house.anna.username)):
        path = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        listed = client.get(path).content.decode().split('id="result_list"')[1].split("</table>")[0]
        assert name in listed
        assert ID.findall(listed) == []
    row = Event.objects.filter(task=task).first()
    assert row is not None
    assert (
        f"event {row.seq} of {task.name}"
        in client.get(f"/admin/tasks/event/{row.pk}/change/").content.decode()
    )


def test_the_audits_list_costs_the_same_however_long_it_is(django_assert_max_num_queries):
    house = a_house()
    client = as_operator(house.root)
    for _ in range(20):
        held_by(a_task(house), house.anna)
    with django_assert_max_num_queries(12):
        client.get("/admin/tasks/auditentry/")
        client.get("/admin/tasks/event/")
