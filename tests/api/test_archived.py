"""What is archived: out of lists and queues, unseen but for the audit, brought back by its admins."""

import pytest

from tasks.domain.statuses import Status
from tests.support.pipeline import a_house
from tests.support.unchanged import unchanged
from tests.support.workflow import a_batch, call, held_by, task_in

pytestmark = pytest.mark.django_db


def test_next_does_not_lead_back_into_an_archived_batch() -> None:
    house = a_house()
    batch = a_batch(house.project, house.anna)
    held_by(task_in(batch, Status.IN_PROGRESS, assignee=house.anna), house.anna)
    elsewhere = task_in(house.inbox)
    assert call(house.olga, "delete", f"batches/{batch.pk}", {"reason": "Not wanted."}).status == 204
    answer = call(house.anna, "post", f"projects/{house.project.pk}/next", {"client_id": "page"})
    assert (answer.body["task"]["id"], answer.body["why"]) == (str(elsewhere.pk), "sequence")


@pytest.mark.parametrize("what", ["task", "project"])
def test_it_is_not_found_by_whoever_may_not_bring_it_back(what: str) -> None:
    house = a_house()
    task = task_in(house.inbox)
    path = f"tasks/{task.pk}" if what == "task" else f"projects/{house.project.pk}"
    for person in ("anna", "rita"):
        assert call(house.people[person], "post", f"{path}/restore", {}).status == 403
    assert call(house.olga, "delete", path, {"reason": "Not wanted."}).status == 204
    with unchanged():
        for person in ("anna", "rita", "vera"):
            assert call(house.people[person], "post", f"{path}/restore", {}).status == 404
    assert call(house.otto, "post", f"{path}/restore", {}).status == 200


def test_an_archived_projects_admins_read_its_audit() -> None:
    house = a_house()
    path = f"projects/{house.project.pk}"
    assert call(house.olga, "delete", path, {"reason": "Over."}).status == 204
    for person in ("olga", "otto", "root"):
        newest = call(house.people[person], "get", f"{path}/audit").body["items"][0]
        assert (newest["action"], newest["reason"]) == ("project.archive", "Over.")
    for person in ("rita", "anna", "vera"):
        assert call(house.people[person], "get", f"{path}/audit").status == 404
    assert call(a_house().olga, "get", f"{path}/audit").status == 404
