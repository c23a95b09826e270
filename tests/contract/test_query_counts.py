"""What a read costs is bounded and does not grow with what there is (page 02, rule 8), over every route."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from tasks.domain.statuses import Status
from tasks.models import Task, User
from tests.contract.test_strangers import ROUTES, address
from tests.support.one_of_each import one_of_each
from tests.support.workflow import a_batch, annotators, call, held_by, task_in

#: Statements of one read; the editor brings everything that the workbench needs, progress the whole project.
MOST = 10
MORE = {"tasks/<str:task_id>/editor": 16, "projects/<str:project_id>/progress": 12}
MOST_OF_A_PAGE = 25
PAGES = (
    "/",
    "/projects/",
    *(
        f"/projects/{{project_id}}/{tab}"
        for tab in ("", "tasks/", "review/", "batches/", "members/", "sessions/", "audit/", "settings/")
    ),
    "/tasks/{task_id}/",
    "/tasks/{task_id}/history/",
    "/settings/",
)
READS = [path for method, path, _ in ROUTES if method == "get"]


def cost(client: Client, where: str) -> int:
    """Statements of one GET, as the second request after a change pays them."""
    client.get(where)
    with CaptureQueriesContext(connection) as seen:
        answer: Any = client.get(where)
        if answer.streaming:
            b"".join(answer.streaming_content)
    assert answer.status_code == 200, answer
    return len(seen)


@pytest.fixture
def ids(db: None) -> dict[str, Any]:
    return one_of_each()


def grow(owner: User, task: Task, *, number: int) -> None:
    """`number` more of everything that lists show."""
    project = task.project
    for person in annotators(project, number):
        batch = a_batch(project, person)
        more = task_in(batch, Status.IN_PROGRESS, asset=task.asset, confirmed_by=person, assignee=person)
        held_by(more, person)
        for status in (Status.REVIEW, Status.COMPLETED):
            task_in(batch, status, asset=task.asset, confirmed_by=person, submitted_by=person)
        assert call(owner, "patch", f"batches/{batch.pk}", {"priority": 3}).status == 200


@pytest.mark.parametrize("path", READS)
def test_a_read_costs_the_same_however_much_there_is(ids: dict[str, Any], path: str) -> None:
    client = APIClient()
    client.force_authenticate(ids["owner"])
    where = address(path, {name: value for name, value in ids.items() if isinstance(value, str)})
    grow(ids["owner"], Task.objects.get(pk=ids["task_id"]), number=1)
    few = cost(client, where)
    grow(ids["owner"], Task.objects.get(pk=ids["task_id"]), number=12)
    assert cost(client, where) <= few
    assert few <= MORE.get(path, MOST)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_costs_the_same_however_much_there_is(ids: dict[str, Any], page: str) -> None:
    client = Client()
    client.force_login(ids["owner"])
    where = page.format(**ids)
    grow(ids["owner"], Task.objects.get(pk=ids["task_id"]), number=1)
    few = cost(client, where)
    grow(ids["owner"], Task.objects.get(pk=ids["task_id"]), number=12)
    assert cost(client, where) <= few
    assert few <= MOST_OF_A_PAGE
