"""A DELETE that is sent again gets the first reply and has no second effect (I4)."""

from uuid import uuid4

import pytest

from locks.models import TaskLock
from tasks.domain.statuses import Status
from tasks.models import AuditEntry, Membership
from tests.support.pipeline import a_house
from tests.support.unchanged import unchanged
from tests.support.workflow import a_batch, call, held_by, task_in

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("what", ["task", "batch", "project", "member"])
def test_a_repeated_delete_is_the_same_request(what: str) -> None:
    house = a_house()
    task, batch = task_in(house.inbox), a_batch(house.project)
    path = {
        "task": f"tasks/{task.pk}",
        "batch": f"batches/{batch.pk}",
        "project": f"projects/{house.project.pk}",
        "member": f"projects/{house.project.pk}/members/{house.vera.pk}",
    }[what]
    body = {"request_id": str(uuid4())} | ({} if what == "member" else {"reason": "Twice the same."})
    assert call(house.olga, "delete", path, body).status == 204
    with unchanged():
        again = call(house.olga, "delete", path, body)
        assert (again.status, again.raw) == (204, b"")
        # Another request finds it gone, and another person's is another request.
        fresh = call(house.olga, "delete", path, body | {"request_id": str(uuid4())})
        assert fresh.status == (409 if what == "batch" else 404)
        assert call(house.otto, "delete", path, body).code == "IDEMPOTENCY_CONFLICT"
        assert call(house.stranger, "delete", path, body).status == 404
        hidden = 403 if what == "member" else 404
        assert call(house.anna, "delete", path, body).status == hidden
    assert AuditEntry.objects.filter(action__in=[f"{what}.archive", f"{what}.remove"]).count() == 1


def test_a_member_who_came_back_is_not_removed_by_the_old_request() -> None:
    house = a_house()
    path = f"projects/{house.project.pk}/members/{house.vera.pk}"
    body = {"request_id": str(uuid4())}
    assert call(house.olga, "delete", path, body).status == 204
    Membership.objects.create(project=house.project, user=house.vera, role="viewer")
    with unchanged():
        assert call(house.olga, "delete", path, body).status == 204
        assert call(house.olga, "delete", path, {"reason": "gone"}).status == 400


def test_a_repeated_forced_release_ends_nobody_elses_lock() -> None:
    house = a_house()
    task = task_in(house.inbox, Status.IN_PROGRESS, assignee=house.anna)
    held_by(task, house.anna)
    path = f"projects/{house.project.pk}/locks/{task.pk}"
    body = {"reason": "She is at lunch.", "request_id": str(uuid4())}
    assert call(house.olga, "delete", path, body).status == 204
    held_by(task, house.abel)
    with unchanged():
        assert call(house.olga, "delete", path, body).status == 204
        assert call(house.olga, "delete", path, body | {"reason": "Another."}).code == "IDEMPOTENCY_CONFLICT"
    assert TaskLock.objects.get(task=task).user_id == house.abel.pk
    assert call(house.olga, "delete", path, {"reason": "Now him."}).status == 204
    assert not TaskLock.objects.filter(task=task).exists()


def test_a_page_releases_the_lock_that_it_took_under_any_name() -> None:
    house = a_house()
    path = f"tasks/{task_in(house.inbox).pk}/lock"
    assert call(house.anna, "put", path, {"client_id": " a page "}).body["client_id"] == " a page "
    assert call(house.anna, "delete", f"{path}?client_id=+a+page+").status == 204
    assert not TaskLock.objects.exists()
