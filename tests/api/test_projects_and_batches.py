"""Projects, members and batches over HTTP: page 06's shapes, rights, and moves by hand."""

from typing import Any
from uuid import uuid4

import pytest

from locks.models import TaskLock
from tasks.domain.statuses import BATCH_MOVES_BY_HAND, BatchStatus, Status
from tasks.models import AuditEntry, Batch, Membership, Project, Task, User
from tests.support.pipeline import a_house
from tests.support.unchanged import unchanged
from tests.support.workflow import a_batch, call, held_by, task_in

pytestmark = pytest.mark.django_db


def test_anybody_makes_a_project_and_owns_it() -> None:
    house = a_house()
    answer = call(
        house.stranger, "post", "projects", {"name": " Kitchen ", "labels": ["cup", {"name": "spoon"}]}
    )
    assert answer.status == 201
    body = answer.body
    assert body["name"] == "Kitchen"
    assert body["my_role"] == "project_admin"
    assert body["geometries"] == ["point", "bbox", "polygon"]
    assert (body["task_lock_ttl_seconds"], body["sampling"], body["four_eyes"]) == (300, "sequence", True)
    assert (body["required_approvals"], body["review_rule"], body["start_jobs"]) == (1, "any", False)
    assert body["counts"] == {"uploading": 0, "pending": 0, "in_progress": 0, "review": 0, "completed": 0}
    assert [label["name"] for label in body["labels"]] == ["cup", "spoon"]
    assert all({"id", "name", "color", "key", "aliases"} == set(label) for label in body["labels"])
    (batch,) = call(house.stranger, "get", f"projects/{body['id']}/batches").body["items"]
    assert (batch["name"], batch["status"], batch["open"]) == ("Inbox", "active", True)
    assert call(house.stranger, "get", "projects").body["items"] == [body]
    assert call(house.anna, "get", f"projects/{body['id']}").status == 404


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({}, 400, "name"),
        ({"name": 5}, 400, "name"),
        ({"name": "a\0b"}, 400, "name"),
        ({"name": "a\ud800"}, 400, "name"),
        ({"name": "x", "colour": "red"}, 400, "colour"),
        ({"name": "x", "task_lock_ttl_seconds": "300"}, 400, "task_lock_ttl_seconds"),
        ({"name": "x", "task_lock_ttl_seconds": True}, 400, "task_lock_ttl_seconds"),
        ({"name": "x", "task_lock_ttl_seconds": 59}, 400, "task_lock_ttl_seconds"),
        ({"name": "x", "four_eyes": 1}, 400, "four_eyes"),
        ({"name": "x", "sampling": "best"}, 400, "sampling"),
        ({"name": "x", "request_id": "1"}, 400, "request_id"),
        ({"name": "  "}, 422, "name"),
        ({"name": "x", "labels": ["cup", "Cup"]}, 422, "labels.1.name"),
        ({"name": "x", "labels": [{"color": "#000000"}]}, 400, "labels.0.name"),
        ({"name": "x", "labels": ["cup", 5]}, 400, "labels.1"),
        ({"name": "x", "labels": [{"name": "cup", "size": 3}]}, 400, "labels.0.size"),
        ({"name": "x", "labels": [{"name": 5}]}, 400, "labels.0.name"),
        ({"name": "x", "labels": [{"name": "cup", "aliases": "mug"}]}, 400, "labels.0.aliases"),
        ({"name": "x", "labels": [{"name": "cup", "color": "red"}]}, 422, "labels.0.color"),
        ({"name": "x", "geometries": ["circle"]}, 400, "geometries.0"),
        ({"name": "x", "geometries": []}, 422, "geometries"),
    ],
)
def test_a_bad_project_names_the_field_and_changes_nothing(
    body: dict[str, Any], status: int, field: str
) -> None:
    house = a_house()
    with unchanged():
        answer = call(house.stranger, "post", "projects", body)
    assert (answer.status, answer.code) == (status, "VALIDATION_FAILED")
    assert field in [error["field"] for error in answer.body["errors"]]


def test_a_change_is_for_admins_and_audited_with_both_sides() -> None:
    house = a_house()
    path = f"projects/{house.project.pk}"
    for name in ("rita", "anna", "vera"):
        with unchanged():
            answer = call(getattr(house, name), "patch", path, {"name": "x"})
        assert (answer.status, answer.body["required_roles"]) == (403, ["super_admin", "project_admin"])
    answer = call(house.otto, "patch", path, {"four_eyes": False, "name": house.project.name})
    assert answer.body["four_eyes"] is False
    entry = AuditEntry.objects.get(action="project.change")
    assert (entry.before, entry.after) == ({"four_eyes": True}, {"four_eyes": False})


def test_the_same_request_has_the_same_reply_and_another_one_is_a_conflict() -> None:
    house = a_house()
    request_id = str(uuid4())
    body = {"name": "Kitchen", "request_id": request_id}
    first = call(house.anna, "post", "projects", body)
    with unchanged():
        assert call(house.anna, "post", "projects", body).raw == first.raw
        other = call(house.anna, "post", "projects", {**body, "name": "Garden"})
        theirs = call(house.abel, "post", "projects", body)
    assert (other.status, other.code) == (409, "IDEMPOTENCY_CONFLICT")
    assert (theirs.status, theirs.code) == (409, "IDEMPOTENCY_CONFLICT")
    assert Project.objects.filter(name="Kitchen").count() == 1


def test_members_are_added_changed_and_removed() -> None:
    house = a_house()
    path = f"projects/{house.project.pk}/members"
    answer = call(house.olga, "post", path, {"user": house.stranger.username, "role": "annotator"})
    assert answer.status == 201
    assert answer.body == {
        "user": {
            "id": str(house.stranger.pk),
            "username": house.stranger.username,
            "name": house.stranger.username,
        },
        "role": "annotator",
    }
    with unchanged():
        again = call(house.olga, "post", path, {"user": str(house.stranger.pk), "role": "viewer"})
        nobody = call(house.olga, "post", path, {"user": "nobody", "role": "viewer"})
        not_a_role = call(house.olga, "post", path, {"user": "x", "role": "super_admin"})
    assert (again.status, nobody.status, not_a_role.status) == (422, 422, 400)
    one = f"{path}/{house.stranger.pk}"
    assert call(house.otto, "patch", one, {"role": "reviewer"}).body["role"] == "reviewer"
    assert call(house.otto, "delete", one).status == 204
    assert call(house.stranger, "get", f"projects/{house.project.pk}").status == 404
    actions = AuditEntry.objects.filter(task_id=None).order_by("number").values_list("action", flat=True)
    assert list(actions) == ["member.add", "member.role", "member.remove"]
    owner = f"{path}/{house.olga.pk}"
    with unchanged():
        assert call(house.otto, "patch", owner, {"role": "viewer"}).status == 422
        assert call(house.otto, "delete", owner).status == 422
        assert call(house.anna, "delete", one).status == 403


def test_the_end_of_a_membership_frees_locks_and_reservations() -> None:
    house = a_house()
    working = task_in(house.inbox, Status.IN_PROGRESS, assignee=house.anna)
    held_by(working, house.anna)
    sent_back = task_in(house.inbox, assignee=house.anna, is_reserved=True)
    assert call(house.olga, "delete", f"projects/{house.project.pk}/members/{house.anna.pk}").status == 204
    assert not TaskLock.objects.exists()
    assert Task.objects.get(pk=sent_back.pk).is_reserved is False
    assert AuditEntry.objects.get(task_id=working.pk).action == "lock.force_release"


def test_who_becomes_a_viewer_lets_go_of_their_tasks() -> None:
    house = a_house()
    working = task_in(house.inbox, Status.IN_PROGRESS, assignee=house.anna)
    held_by(working, house.anna)
    sent_back = task_in(house.inbox, assignee=house.anna, is_reserved=True)
    path = f"projects/{house.project.pk}/members/{house.anna.pk}"
    assert call(house.olga, "patch", path, {"role": "reviewer"}).status == 200
    assert TaskLock.objects.filter(task=working, user=house.anna).exists()
    assert call(house.olga, "patch", path, {"role": "viewer"}).body["role"] == "viewer"
    assert not TaskLock.objects.exists()
    assert Task.objects.get(pk=sent_back.pk).is_reserved is False
    assert AuditEntry.objects.get(task_id=working.pk).action == "lock.force_release"


def test_a_batch_starts_as_a_draft_that_only_admins_see() -> None:
    house = a_house()
    body = {"name": "First", "assignees": [house.anna.username, str(house.abel.pk)], "priority": 3}
    answer = call(house.otto, "post", f"projects/{house.project.pk}/batches", body)
    assert answer.status == 201
    batch = answer.body
    assert (batch["status"], batch["open"], batch["priority"], batch["hold"]) == ("draft", False, 3, None)
    assert {one["id"] for one in batch["assignees"]} == {str(house.anna.pk), str(house.abel.pk)}
    path = f"batches/{batch['id']}"
    assert [call(getattr(house, name), "get", path).status for name in ("anna", "rita", "vera")] == [404] * 3
    assert call(house.otto, "patch", path, {"status": "active"}).body["status"] == "active"
    assert call(house.anna, "get", path).status == 200
    with unchanged():
        assert call(house.anna, "patch", path, {"priority": 5}).status == 403
        stranger = call(house.otto, "patch", path, {"assignees": [house.stranger.username]})
    assert (stranger.status, stranger.body["errors"][0]["code"]) == (422, "not_a_member")
    answer = call(house.otto, "patch", path, {"assignees": [house.abel.username], "open": False})
    assert [one["id"] for one in answer.body["assignees"]] == [str(house.abel.pk)]
    assert call(house.anna, "get", path).status == 404


@pytest.mark.parametrize("source", list(BatchStatus), ids=str)
def test_moves_by_hand_are_exactly_those_of_the_literal(source: BatchStatus) -> None:
    house = a_house()
    for target in BatchStatus:
        if target == source:
            continue
        batch = a_batch(house.project, status=source)
        needs_reason = BATCH_MOVES_BY_HAND.get((source, target))
        path = f"batches/{batch.pk}"
        if needs_reason is None:
            with unchanged():
                answer = call(house.olga, "patch", path, {"status": target, "reason": "because"})
            assert (answer.status, answer.code) == (409, "ILLEGAL_TRANSITION")
            assert answer.body["snapshot"]["status"] == source
            continue
        if needs_reason:
            with unchanged():
                assert call(house.olga, "patch", path, {"status": target}).status == 422
        answer = call(house.olga, "patch", path, {"status": target, "reason": "because"})
        assert (answer.status, answer.body["status"]) == (200, target)


def flow(house: Any, batch: Batch, *steps: tuple[str, str, dict[str, Any]]) -> list[str]:
    """Do the steps (person, path, body) and return the batch's status after each."""
    statuses = []
    for person, path, body in steps:
        answer = call(getattr(house, person), "post", path, body)
        assert answer.status == 200, (path, answer.body)
        batch.refresh_from_db()
        statuses.append(batch.status)
    return statuses


def test_a_batch_moves_by_itself() -> None:
    house = a_house()
    batch = a_batch(house.project, house.anna)
    task = task_in(batch, confirmed_by=house.anna)
    page = {"client_id": "page"}
    path = f"tasks/{task.pk}"
    assert flow(
        house,
        batch,
        ("anna", f"{path}/claim", page),
        ("anna", f"{path}/submit", {}),
        ("anna", f"{path}/recall", page),
        ("anna", f"{path}/submit", {}),
        ("rita", f"{path}/review-claim", page),
        ("rita", f"{path}/approve", {"annotation_revision": 1}),
        ("olga", f"{path}/reopen", {"reason": "A cup is missing."}),
    ) == ["annotating", "reviewing", "annotating", "reviewing", "reviewing", "completed", "annotating"]
    moves = AuditEntry.objects.filter(action="batch.status").order_by("number")
    assert [entry.after["status"] for entry in moves][:2] == ["annotating", "reviewing"]


def test_a_batch_on_hold_takes_no_new_claims_and_stands_still() -> None:
    house = a_house()
    batch = a_batch(house.project, house.anna, house.abel)
    working = task_in(batch, Status.IN_PROGRESS, confirmed_by=house.anna, assignee=house.anna)
    held_by(working, house.anna)
    waiting = task_in(batch)
    path = f"batches/{batch.pk}"
    with unchanged():
        assert call(house.olga, "post", f"{path}/hold", {"reason": " "}).status == 422
        assert call(house.anna, "post", f"{path}/hold", {"reason": "lunch"}).status == 403
    answer = call(house.olga, "post", f"{path}/hold", {"reason": "Wrong pictures."})
    assert answer.body["hold"]["reason"] == "Wrong pictures."
    with unchanged():
        refused = call(house.abel, "post", f"tasks/{waiting.pk}/claim", {"client_id": "b"})
    assert (refused.status, refused.code) == (409, "BATCH_ON_HOLD")
    assert refused.body["snapshot"]["id"] == str(waiting.pk)
    answer = call(house.abel, "post", f"projects/{house.project.pk}/next", {"client_id": "b"})
    assert answer.body["task"] is None
    assert answer.body["reasons"]["on_hold"] == 1
    # Running work may finish; the batch stands still.
    assert call(house.anna, "post", f"tasks/{working.pk}/submit", {}).status == 200
    batch.refresh_from_db()
    assert batch.status == "active"
    assert call(house.olga, "post", f"{path}/release", {}).body["hold"] is None
    batch.refresh_from_db()
    assert batch.status == "annotating"


def test_a_hold_may_interrupt_the_work() -> None:
    house = a_house()
    batch = a_batch(house.project, house.anna)
    task = task_in(batch, Status.IN_PROGRESS, assignee=house.anna)
    held_by(task, house.anna)
    review = task_in(batch, Status.REVIEW, confirmed_by=house.anna, submitted_by=house.anna)
    body = {"reason": "Wrong pictures.", "release_locks": True}
    assert call(house.olga, "post", f"batches/{batch.pk}/hold", body).status == 200
    assert not TaskLock.objects.exists()
    assert AuditEntry.objects.get(task_id=task.pk).action == "lock.force_release"
    client = {"client_id": "page"}
    with unchanged():
        for method, path in (("put", f"tasks/{task.pk}/lock"), ("post", f"tasks/{task.pk}/claim")):
            answer = call(house.anna, method, path, client)
            assert (answer.status, answer.code) == (409, "BATCH_ON_HOLD")
            assert answer.body["snapshot"]["id"] == str(task.pk)
            assert "Wrong pictures." in answer.body["detail"]
        answer = call(house.rita, "post", f"tasks/{review.pk}/review-claim", client)
        assert answer.code == "BATCH_ON_HOLD"
        answer = call(house.anna, "post", f"projects/{house.project.pk}/next", client)
        assert (answer.body["task"], answer.body["reasons"]["on_hold"]) == (None, 1)
        answer = call(house.rita, "post", f"projects/{house.project.pk}/next-review", client)
        assert (answer.body["task"], answer.body["reasons"]["on_hold"]) == (None, 1)
        assert answer.body["reasons"]["done"] is False
    assert call(house.olga, "post", f"batches/{batch.pk}/release", {}).status == 200
    answer = call(house.anna, "post", f"projects/{house.project.pk}/next", client)
    assert (answer.body["task"]["id"], answer.body["why"]) == (str(task.pk), "left_unfinished")
    # Another hold, and the work that runs may finish: the option is of that hold alone.
    body = {"reason": "A question to the client."}
    assert call(house.olga, "post", f"batches/{batch.pk}/hold", body).status == 200
    assert call(house.anna, "put", f"tasks/{task.pk}/lock", client).status == 200


def test_what_is_archived_is_out_of_lists_and_comes_back() -> None:
    house = a_house()
    batch = a_batch(house.project, house.anna)
    task = task_in(batch)
    listed = f"tasks?project={house.project.pk}"
    for path, person in ((f"tasks/{task.pk}", house.olga), (f"batches/{batch.pk}", house.olga)):
        with unchanged():
            assert call(house.anna, "delete", path, {"reason": "no"}).status == 403
            assert call(person, "delete", path, {"reason": ""}).status == 422
        assert call(person, "delete", path, {"reason": "Not wanted."}).status == 204
        assert call(house.anna, "get", listed).body["items"] == []
        assert (
            call(house.anna, "post", f"projects/{house.project.pk}/next", {"client_id": "a"}).body["task"]
            is None
        )
        assert call(person, "post", f"{path}/restore", {}).status == 200
        assert len(call(house.anna, "get", listed).body["items"]) == 1
    path = f"projects/{house.project.pk}"
    assert call(house.olga, "delete", path, {"reason": "Over."}).status == 204
    assert call(house.anna, "get", path).status == 404
    assert call(house.anna, "get", f"tasks/{task.pk}").status == 404
    assert call(house.olga, "post", f"{path}/restore", {}).status == 200
    assert call(house.anna, "get", path).status == 200
    assert (
        call(house.olga, "delete", f"batches/{house.inbox.pk}", {"reason": "x"}).code == "ILLEGAL_TRANSITION"
    )


def test_progress_counts() -> None:
    house = a_house()
    task_in(house.inbox)
    task_in(house.inbox, Status.IN_PROGRESS, assignee=house.anna)
    task_in(house.inbox, assignee=house.anna, is_reserved=True)
    task_in(house.inbox, Status.REVIEW, submitted_by=house.anna)
    body = call(house.vera, "get", f"projects/{house.project.pk}/progress").body
    assert body["counts"] == {"uploading": 0, "pending": 2, "in_progress": 1, "review": 1, "completed": 0}
    (anna,) = body["people"]
    assert anna.pop("user")["id"] == str(house.anna.pk)
    assert anna == {"pending": 1, "in_progress": 1, "review": 1, "completed": 0}


def test_progress_names_only_what_the_person_sees() -> None:
    house = a_house()
    draft = a_batch(house.project, name="Draft", status="draft")
    theirs = a_batch(house.project, house.abel, name="Theirs")
    for batch in (draft, theirs, house.inbox):
        task_in(batch, job_id=uuid4(), job_status="WAITING_USER_SELECTION")
    seen = {
        "olga": {"Draft", "Theirs", "Inbox"},
        "rita": {"Theirs", "Inbox"},
        "vera": {"Theirs", "Inbox"},
        "anna": {"Inbox"},
    }
    for name, batches in seen.items():
        body = call(getattr(house, name), "get", f"projects/{house.project.pk}/progress").body
        assert {batch["name"] for batch in body["batches"]} == batches
        # A viewer is told of no job.
        assert len(body["pauses"]) == (0 if name == "vera" else len(batches))
        # The figures are the whole project's.
        assert body["counts"]["pending"] == 3


def test_lists_are_paged_and_stay_right_while_rows_are_added(django_assert_max_num_queries: Any) -> None:
    house = a_house()
    for number in range(5):
        call(house.anna, "post", "projects", {"name": f"Project {number}"})
    seen: list[str] = []
    cursor = ""
    while True:
        with django_assert_max_num_queries(6):
            page = call(house.anna, "get", f"projects?limit=2{cursor}").body
        seen += [project["name"] for project in page["items"]]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
        call(house.anna, "post", "projects", {"name": f"A project {len(seen)}"})
    assert seen == [house.project.name, *[f"Project {number}" for number in range(5)]]
    for bad in ("limit=0", "limit=201", "limit=x", "cursor=nonsense", "cursor=WzFd", "cursor=%00"):
        assert call(house.anna, "get", f"projects?{bad}").status == 400
    assert Membership.objects.filter(user=house.anna).count() >= 6
    assert User.objects.filter(pk=house.anna.pk).exists()
