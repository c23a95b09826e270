"""Every page: who may open it, what it costs, and that it keeps the Content-Security-Policy."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from locks.models import TaskLock
from tasks.domain.statuses import Status
from tasks.models import ApiToken, AuditEntry, Task, User
from tests.support.editing import CUP_ITEM, a_desk
from tests.support.pipeline import a_house, a_job, a_task
from tests.support.workflow import a_batch, call, held_by, task_in

pytestmark = pytest.mark.django_db

EVERYBODY = {"root", "olga", "otto", "rita", "anna", "abel", "vera"}
ADMINS = {"root", "olga", "otto"}
REVIEWERS = ADMINS | {"rita"}
#: Page → who may open it.
PROJECT_PAGES = {
    "": EVERYBODY,
    "tasks/": EVERYBODY,
    "review/": REVIEWERS,
    "batches/": ADMINS,
    "sessions/": ADMINS,
    "members/": ADMINS,
    "audit/": REVIEWERS,
    "settings/": ADMINS,
}
MOST_QUERIES = 24

INLINE = {
    "a style attribute": re.compile(r"<[^>]+\sstyle\s*=", re.IGNORECASE),
    "a handler attribute": re.compile(r"<[^>]+\son[a-z]+\s*=", re.IGNORECASE),
    "a style element": re.compile(r"<style\b", re.IGNORECASE),
    "a javascript address": re.compile(r"(href|src)\s*=\s*[\"']?javascript:", re.IGNORECASE),
}


def opened(user: User | None, path: str, **query: str) -> Any:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client.get(path, query)


def check_csp(html: str) -> None:
    for what, pattern in INLINE.items():
        assert not pattern.search(html), what
    for script in re.findall(r"<script\b[^>]*>", html):
        assert "src=" in script or 'type="application/json"' in script, script


def busy_house():
    """A house in which every list has something: a review, a live lock, a job, a rejection's history."""
    desk = a_desk()
    desk.claim("anna")
    desk.save("anna", [CUP_ITEM])
    desk.confirm("anna")
    desk.submit("anna")
    house = desk.house
    task = a_task(house)
    a_job(house, task=task)
    held_by(task, house.abel)
    a_batch(house.project, house.abel, held_at=None)
    return house, desk.task


@pytest.mark.parametrize("page", PROJECT_PAGES)
def test_project_pages_open_for_their_roles_and_for_nobody_else(page):
    house, _task = busy_house()
    path = f"/projects/{house.project.pk}/{page}"
    for name in EVERYBODY | {"stranger"}:
        answer = opened(house.people[name], path)
        expected = 404 if name == "stranger" else 200 if name in PROJECT_PAGES[page] else 403
        assert answer.status_code == expected, name
        check_csp(answer.content.decode())
        if expected != 200:
            assert house.project.name not in answer.content.decode()
    answer = opened(None, path)
    assert (answer.status_code, answer["Location"]) == (302, f"/login/?next={path}")


@pytest.mark.parametrize("page", PROJECT_PAGES)
def test_a_project_page_costs_the_same_however_much_is_in_it(page):
    house, _task = busy_house()
    path = f"/projects/{house.project.pk}/{page}"
    client = Client()
    client.force_login(house.olga)
    client.get(path)
    with CaptureQueriesContext(
        connection,
    ) as few:
        client.get(path)
    for _ in range(4):
        held_by(task_in(house.inbox, Status.IN_PROGRESS, assignee=house.anna), house.anna)
        task_in(house.inbox, Status.REVIEW, confirmed_by=house.anna, submitted_by=house.anna)
        a_batch(house.project, house.anna)
    with CaptureQueriesContext(connection) as many:
        answer = client.get(path)
    assert answer.status_code == 200
    assert len(many) == len(few) <= MOST_QUERIES


def test_the_navigation_shows_only_what_one_may_open():
    house, _task = busy_house()
    path = f"/projects/{house.project.pk}/"
    for name in EVERYBODY:
        html = opened(house.people[name], path).content.decode()
        for page, roles in PROJECT_PAGES.items():
            is_linked = f'href="/projects/{house.project.pk}/{page}"' in html
            assert is_linked == (name in roles), (name, page)
        assert ("/admin/" in html) == (name == "root")


def test_my_work_shows_what_is_begun_what_came_back_and_the_reason():
    desk = a_desk()
    desk.claim("anna")
    desk.save("anna", [CUP_ITEM])
    desk.confirm("anna")
    desk.submit("anna")
    desk.call("rita", "post", "tasks/{task}/review-claim", {"client_id": "c"})
    desk.call(
        "rita", "post", "tasks/{task}/reject", {"annotation_revision": 1, "reason": "the handle is cut"}
    )
    anna = desk.house.anna
    html = opened(anna, "/").content.decode()
    check_csp(html)
    assert "the handle is cut" in html
    assert f"/tasks/{desk.task.pk}/" in html
    assert f'data-next="/projects/{desk.house.project.pk}/next"' in html
    assert "the handle is cut" not in opened(desk.house.abel, "/").content.decode()


def test_my_work_without_any_project_says_what_to_do():
    user = User.objects.create_user(username="new-here", password="x")
    html = opened(user, "/").content.decode()
    assert "You are in no project yet" in html
    assert "/projects/new/" in html


def test_my_work_costs_a_bounded_number_of_queries():
    house, _task = busy_house()
    client = Client()
    client.force_login(house.anna)
    client.get("/")
    with CaptureQueriesContext(connection) as few:
        client.get("/")
    for _ in range(5):
        task_in(house.inbox, Status.IN_PROGRESS, assignee=house.anna)
    with CaptureQueriesContext(connection) as many:
        client.get("/")
    assert len(many) == len(few) <= MOST_QUERIES


def test_the_table_of_tasks_filters_by_the_address():
    house = a_house()
    done = task_in(house.inbox, Status.COMPLETED)
    begun = task_in(house.inbox, Status.IN_PROGRESS, assignee=house.anna, mark="difficult")
    path = f"/projects/{house.project.pk}/tasks/"

    def shown(**query: str) -> set[Task]:
        html = opened(house.anna, path, **query).content.decode()
        return {task for task in (done, begun) if task.name in html}

    assert shown() == {done, begun}
    assert shown(status="completed") == {done}
    assert shown(mark="difficult") == {begun}
    assert shown(mine="1") == {begun}
    assert shown(q=done.name) == {done}
    assert shown(batch=str(house.inbox.pk)) == {done, begun}
    # What means nothing finds nothing, and is no error.
    assert shown(batch="no id", status="none", after="x", q="\x00") == set()


def test_the_table_pages_by_the_last_task():
    house = a_house()
    tasks = [task_in(house.inbox) for _ in range(53)]
    html = opened(house.olga, f"/projects/{house.project.pk}/tasks/").content.decode()
    found = re.search(r'href="\?([^"]*after=[^"]*)"', html)
    assert found is not None
    older = opened(house.olga, f"/projects/{house.project.pk}/tasks/?{found[1]}").content.decode()
    assert tasks[0].name in older
    assert tasks[-1].name not in older


def test_the_review_queue_draws_what_was_confirmed_and_keeps_four_eyes():
    house, task = busy_house()
    html = opened(house.rita, f"/projects/{house.project.pk}/review/").content.decode()
    assert f'data-card="{task.pk}"' in html
    assert 'data-revision="1"' in html
    assert '<rect x="10" y="10" width="50" height="50"' in html
    assert html.count('data-decide="approve"') == 1
    task_in(house.inbox, Status.REVIEW, confirmed_by=house.rita)
    html = opened(house.rita, f"/projects/{house.project.pk}/review/").content.decode()
    assert html.count('data-decide="approve"') == 1
    assert "somebody else decides" in html


def test_the_workbench_is_a_shell_for_those_who_see_the_task():
    house, task = busy_house()
    for name in EVERYBODY:
        answer = opened(house.people[name], f"/tasks/{task.pk}/")
        assert answer.status_code == 200, name
        html = answer.content.decode()
        check_csp(html)
        assert f'data-task-id="{task.pk}"' in html
        assert f'"ws_path": "/ws/tasks/{task.pk}/"' in html
    assert opened(house.stranger, f"/tasks/{task.pk}/").status_code == 404
    assert opened(None, f"/tasks/{task.pk}/").status_code == 302


def test_opening_the_workbench_takes_no_lock():
    house = a_house()
    task = task_in(house.inbox)
    assert opened(house.anna, f"/tasks/{task.pk}/").status_code == 200
    assert not TaskLock.objects.filter(task=task).exists()
    task.refresh_from_db()
    assert (task.status, task.version) == ("pending", 1)


def test_a_history_is_for_those_whose_it_is():
    house, task = busy_house()
    for name in EVERYBODY:
        answer = opened(house.people[name], f"/tasks/{task.pk}/history/")
        assert answer.status_code == (403 if name == "abel" else 200), name
        check_csp(answer.content.decode())
    assert opened(house.stranger, f"/tasks/{task.pk}/history/").status_code == 404


def test_a_finished_task_is_reopened_from_its_history_by_the_owner():
    house, task = busy_house()
    path = f"/tasks/{task.pk}/history/"
    assert "/reopen" not in opened(house.olga, path).content.decode()
    Task.objects.filter(pk=task.pk).update(status="completed")
    offered = {name for name in EVERYBODY if "/reopen" in opened(house.people[name], path).content.decode()}
    assert offered == {"olga", "root"}


def test_the_audit_is_filtered_and_names_no_task_that_is_out_of_sight():
    house, task = busy_house()
    path = f"/projects/{house.project.pk}/audit/"
    html = opened(house.rita, path, action="lock.").content.decode()
    assert "lock.acquire" in html
    assert "task.submit" not in html
    html = opened(house.rita, path, actor=house.anna.username).content.decode()
    assert "task.submit" in html
    assert opened(house.rita, path, since="2099-01-01").content.decode().count("<tr>") == 0
    assert opened(house.rita, path, since="not a day", after="-").status_code == 200
    assert opened(house.rita, path, until="9999-12-31", after="9" * 5000).status_code == 200
    older = AuditEntry.objects.order_by("at", "pk")[1]
    assert opened(house.rita, path, after=str(older.pk)).content.decode().count("<tr>") == 1 + 1
    Task.objects.filter(pk=task.pk).update(archived_at=task.created_at)
    assert f"/tasks/{task.pk}/history/" not in opened(house.rita, path).content.decode()


@pytest.mark.parametrize("path", ["/", "/projects/", "/projects/new/", "/settings/"])
def test_pages_of_ones_own_want_somebody_signed_in(path):
    house = a_house()
    answer = opened(house.anna, path)
    assert answer.status_code == 200
    check_csp(answer.content.decode())
    assert opened(None, path)["Location"] == f"/login/?next={path}"


def test_projects_of_others_are_in_no_list():
    house, other = a_house(), a_house()
    for path in ("/", "/projects/"):
        html = opened(house.anna, path).content.decode()
        assert house.project.name in html
        assert str(other.project.pk) not in html


def test_signing_in_and_out():
    user = User.objects.create_user(username="signs-in", password="a long enough one", language="zh-hans")
    client = Client(enforce_csrf_checks=True)
    page = client.get("/login/")
    check_csp(page.content.decode())
    token = client.cookies["csrftoken"].value
    wrong = client.post(
        "/login/", {"username": user.username, "password": "no", "csrfmiddlewaretoken": token}
    )
    assert wrong.status_code == 200
    assert "do not fit together" in wrong.content.decode()
    right = {"username": user.username, "password": "a long enough one", "csrfmiddlewaretoken": token}
    answer = client.post("/login/?next=/projects/", right)
    assert (answer.status_code, answer["Location"]) == (302, "/projects/")
    assert client.cookies["django_language"].value == "zh-hans"
    assert client.get("/logout/").status_code == 405
    token = client.cookies["csrftoken"].value
    assert client.post("/logout/", {"csrfmiddlewaretoken": token}).status_code == 302
    assert client.get("/").status_code == 302


def test_after_too_many_wrong_passwords_the_page_says_how_long_to_wait(settings):
    settings.AXES_ENABLED = True
    User.objects.create_user(username="guessed", password="a long enough one")
    client = Client()
    answers = [client.post("/login/", {"username": "guessed", "password": "no"}) for _ in range(11)]
    assert [answer.status_code for answer in answers[:9]] == [200] * 9
    assert answers[-1].status_code == 429
    assert answers[-1]["Retry-After"] == "900"
    assert "Wait 15 minutes" in answers[-1].content.decode()
    right = client.post("/login/", {"username": "guessed", "password": "a long enough one"})
    assert right.status_code == 429
    assert client.get("/").status_code == 302


def test_a_login_leads_nowhere_outside():
    user = User.objects.create_user(username="careful", password="a long enough one")
    right = {"username": user.username, "password": "a long enough one"}
    answer = Client().post("/login/?next=https://example.org/", right)
    assert answer["Location"] == "/"


def test_a_token_is_shown_once_and_revoked():
    house = a_house()
    client = Client()
    client.force_login(house.anna)
    answer = client.post("/settings/tokens/", {"name": "nightly export"})
    found = re.search(r"data-new-token>([^<]+)<", answer.content.decode())
    assert found is not None
    # The answer opens at it, since it is shown only now; above the keys, which grow when the script runs.
    assert 'action="/settings/tokens/#tokens"' in answer.content.decode()
    assert answer.content.index(b"data-new-token") < answer.content.index(b"data-keys")
    assert answer["Cache-Control"] == "no-store"
    header: Any = {"HTTP_AUTHORIZATION": f"Token {found[1]}"}
    assert Client().get("/api/v1/projects", **header).status_code == 200
    assert found[1] not in client.get("/settings/").content.decode()
    token = ApiToken.objects.get(user=house.anna)
    stranger = Client()
    stranger.force_login(house.abel)
    assert stranger.post(f"/settings/tokens/{token.pk}/revoke/").status_code == 404
    assert Client().get("/api/v1/projects", **header).status_code == 200
    assert client.post(f"/settings/tokens/{token.pk}/revoke/").status_code == 302
    assert Client().get("/api/v1/projects", **header).status_code == 401


def test_a_new_password_has_to_be_a_good_one():
    user = User.objects.create_user(username="changes", password="the old password")
    client = Client()
    client.force_login(user)
    weak = {"old_password": "the old password", "new_password1": "12345", "new_password2": "12345"}
    assert client.post("/settings/password/", weak).status_code == 422
    user.refresh_from_db()
    assert user.check_password("the old password")
    good = {**weak, "new_password1": "quite another one", "new_password2": "quite another one"}
    assert client.post("/settings/password/", good).status_code == 302
    user.refresh_from_db()
    assert user.check_password("quite another one")
    assert client.get("/settings/").status_code == 200


def test_the_language_is_kept_with_the_person():
    house = a_house()
    client = Client()
    client.force_login(house.anna)
    client.post("/settings/language/", {"language": "zh-hans"})
    house.anna.refresh_from_db()
    assert house.anna.language == "zh-hans"
    assert 'lang="zh-hans"' in client.get("/").content.decode()
    client.post("/settings/language/", {"language": "xx"})
    house.anna.refresh_from_db()
    assert house.anna.language == "zh-hans"


def test_unknown_addresses_are_a_page_too():
    house = a_house()
    for path in ("/nowhere/", "/projects/not-an-id/"):
        answer = opened(house.anna, path)
        assert answer.status_code == 404
        assert "text/html" in answer["Content-Type"]
        check_csp(answer.content.decode())


def test_reading_pages_writes_nothing():
    house, task = busy_house()
    before = AuditEntry.objects.count()
    for page in PROJECT_PAGES:
        opened(house.olga, f"/projects/{house.project.pk}/{page}")
        assert Client().post(f"/projects/{house.project.pk}/{page}").status_code == 405
    opened(house.olga, f"/tasks/{task.pk}/")
    assert AuditEntry.objects.count() == before


def test_everybody_is_told_why_a_batch_is_on_hold():
    house, task = busy_house()
    hold = {"reason": "The light is bad"}
    assert call(house.olga, "post", f"batches/{task.batch_id}/hold", hold).status == 200
    assert hold["reason"] in opened(house.anna, f"/projects/{house.project.pk}/").content.decode()
    config = opened(house.anna, f"/tasks/{task.pk}/").content.decode()
    assert (
        f'"name": "{house.olga.name}"' in config.split('"hold"')[1].split('"reason": "The light is bad"')[0]
    )
    assert call(house.olga, "post", f"batches/{task.batch_id}/release", {}).status == 200
    assert '"hold": null' in opened(house.anna, f"/tasks/{task.pk}/").content.decode()
