"""What "next" gives, in which order, with which reason; and why there is nothing (page 03)."""

from typing import Any
from uuid import uuid4

import pytest

from locks.models import TaskLock
from review.models import ReviewerAssignment
from tasks.domain.statuses import Status
from tasks.models import AuditEntry, Task
from tests.support.pipeline import House, a_house
from tests.support.unchanged import unchanged
from tests.support.workflow import a_batch, call, held_by, let_pass, task_in

pytestmark = pytest.mark.django_db


def press(house: House, person: str, what: str = "next", **more: Any) -> Any:
    """The body of the answer to "next"."""
    body = {"client_id": f"page of {person}", **more}
    answer = call(house.people[person], "post", f"projects/{house.project.pk}/{what}", body)
    assert answer.status == 200, answer.body
    return answer.body


def test_the_four_steps_in_their_order() -> None:
    house = a_house()
    pending = task_in(house.inbox, order=1)
    left = task_in(house.inbox, Status.IN_PROGRESS, assignee=house.abel)
    held_by(left, house.abel)
    let_pass(left, 601)
    unfinished = task_in(house.inbox, Status.IN_PROGRESS, assignee=house.anna)
    returned = task_in(house.inbox, assignee=house.anna, is_reserved=True, order=9)
    in_work = task_in(house.inbox, Status.IN_PROGRESS, assignee=house.anna)
    held_by(in_work, house.anna)
    wanted = [
        (in_work, "resumed"),
        (returned, "returned_to_you"),
        (unfinished, "left_unfinished"),
        (left, "left_unfinished"),
        (pending, "sequence"),
    ]
    for task, why in wanted:
        body = press(house, "anna")
        assert (body["task"]["id"], body["why"]) == (str(task.pk), why)
        assert body["lock"]["user"]["id"] == str(house.anna.pk)
        assert body["task"]["assignee"]["id"] == str(house.anna.pk)
        # Out of her hands for this test, so that the next step is asked.
        TaskLock.objects.filter(task=task).delete()
        Task.objects.filter(pk=task.pk).update(archived_at=task.created_at)
    body = press(house, "anna")
    assert body == {
        "task": None,
        "reasons": {
            "done": body["reasons"]["done"],
            "on_hold": 0,
            "not_assigned": 0,
            "reserved": 0,
            "held": [],
        },
    }


def test_pressing_again_hands_out_nothing_else() -> None:
    house = a_house()
    for place in range(3):
        task_in(house.inbox, order=place)
    first = press(house, "anna")
    again = press(house, "anna")
    assert again["task"]["id"] == first["task"]["id"]
    assert again["why"] == "resumed"
    assert again["lock"]["token"] == first["lock"]["token"]


def test_a_repeated_request_gets_the_first_reply_even_after_the_task_was_handed_in() -> None:
    house = a_house()
    task_in(house.inbox, confirmed_by=house.anna)
    request_id = str(uuid4())
    first = press(house, "anna", request_id=request_id)
    assert call(house.anna, "post", f"tasks/{first['task']['id']}/submit", {}).status == 200
    with unchanged():
        assert press(house, "anna", request_id=request_id) == first


@pytest.mark.parametrize(("what", "person"), [("next", "anna"), ("next-review", "rita")])
def test_a_repeated_request_that_got_nothing_gets_nothing_again(what: str, person: str) -> None:
    house = a_house()
    request_id = str(uuid4())
    first = press(house, person, what, request_id=request_id)
    assert first["task"] is None
    task_in(house.inbox)
    task_in(house.inbox, Status.REVIEW, confirmed_by=house.anna, submitted_by=house.anna)
    with unchanged():
        assert press(house, person, what, request_id=request_id) == first
    assert press(house, person, what, request_id=str(uuid4()))["task"] is not None


def test_what_was_taken_away_from_an_annotator_is_not_given_to_them_again() -> None:
    house = a_house()
    batch = a_batch(house.project, house.anna)
    held = task_in(batch, Status.IN_PROGRESS, assignee=house.anna)
    held_by(held, house.anna)
    task_in(batch, Status.IN_PROGRESS, assignee=house.anna)
    task_in(batch, assignee=house.anna, is_reserved=True)
    elsewhere = task_in(house.inbox)
    batch.assignments.all().delete()
    body = press(house, "anna")
    assert (body["task"]["id"], body["why"]) == (str(elsewhere.pk), "sequence")


def test_sequence_is_by_priority_then_place() -> None:
    house = a_house()
    urgent = a_batch(house.project, house.anna, priority=5)
    tasks = [task_in(house.inbox, order=1), task_in(urgent, order=7), task_in(urgent, order=3)]
    got = []
    for _ in range(3):
        body = press(house, "anna")
        got.append(body["task"]["id"])
        Task.objects.filter(pk=body["task"]["id"]).update(archived_at=tasks[0].created_at)
    assert got == [str(tasks[2].pk), str(tasks[1].pk), str(tasks[0].pk)]


def test_uncertainty_is_lowest_confidence_first_over_all_batches() -> None:
    house = a_house(sampling="uncertainty")
    other = a_batch(house.project, house.anna, priority=5)
    unknown, sure = task_in(house.inbox), task_in(other, model_confidence=0.9)
    unsure = task_in(house.inbox, model_confidence=0.2)
    got = []
    for _ in range(3):
        body = press(house, "anna")
        assert body["why"] == "uncertainty"
        got.append(body["task"]["id"])
        Task.objects.filter(pk=body["task"]["id"]).update(archived_at=sure.created_at)
    assert got == [str(unsure.pk), str(sure.pk), str(unknown.pk)]


def test_others_unfinished_work_is_left_alone_for_one_more_ttl() -> None:
    house = a_house()
    task = task_in(house.inbox, Status.IN_PROGRESS, assignee=house.abel)
    held_by(task, house.abel)
    let_pass(task, 590)
    body = press(house, "anna")
    assert body["task"] is None
    assert body["reasons"] == {"done": False, "on_hold": 0, "not_assigned": 0, "reserved": 1, "held": []}
    let_pass(task, 15)
    body = press(house, "anna")
    assert (body["task"]["id"], body["why"]) == (str(task.pk), "left_unfinished")
    actions = list(
        AuditEntry.objects.filter(task_id=task.pk).order_by("number").values_list("action", flat=True)
    )
    assert actions == ["lock.expire", "lock.acquire", "task.takeover"]
    assert Task.objects.get(pk=task.pk).version == 1


def test_a_task_that_was_sent_back_goes_to_its_annotator_and_nobody_else() -> None:
    house = a_house()
    task = task_in(house.inbox, assignee=house.anna, is_reserved=True)
    body = press(house, "abel")
    assert body["task"] is None
    assert body["reasons"]["reserved"] == 1
    with unchanged():
        answer = call(house.abel, "post", f"tasks/{task.pk}/claim", {"client_id": "b"})
    assert answer.code == "ROLE_FORBIDDEN"
    # An admin may reassign it by taking it.
    assert call(house.otto, "post", f"tasks/{task.pk}/claim", {"client_id": "o"}).status == 200


def test_it_says_why_there_is_nothing() -> None:
    house = a_house()
    not_mine = a_batch(house.project, house.abel)
    task_in(not_mine)
    held_by(task_in(not_mine, Status.IN_PROGRESS, assignee=house.abel), house.abel)
    held = task_in(house.inbox, Status.IN_PROGRESS, assignee=house.abel)
    lock = held_by(held, house.abel)
    reasons = press(house, "anna")["reasons"]
    assert reasons["done"] is False
    assert reasons["not_assigned"] == 2
    assert reasons["reserved"] == 0
    (one,) = reasons["held"]
    assert one["task_id"] == str(held.pk)
    assert one["holder"]["id"] == str(house.abel.pk)
    assert one["stale_at"].startswith(lock.stale_at.strftime("%Y-%m-%dT%H:%M:%S"))


def test_a_viewer_takes_nothing_and_a_pending_task_in_others_hands_is_passed_by() -> None:
    house = a_house()
    looked_at, free = task_in(house.inbox, order=1), task_in(house.inbox, order=2)
    held_by(looked_at, house.abel)
    path = f"projects/{house.project.pk}/next"
    with unchanged():
        assert call(house.vera, "post", path, {"client_id": "v"}).code == "ROLE_FORBIDDEN"
        assert call(house.stranger, "post", path, {"client_id": "s"}).status == 404
    assert press(house, "anna")["task"]["id"] == str(free.pk)


def test_the_review_queue_gives_difficult_ones_first_and_never_ones_own() -> None:
    house = a_house()
    now = house.inbox.created_at
    own = task_in(
        house.inbox, Status.REVIEW, confirmed_by=house.rita, submitted_by=house.rita, submitted_at=now
    )
    plain = task_in(
        house.inbox, Status.REVIEW, confirmed_by=house.anna, submitted_by=house.anna, submitted_at=now
    )
    difficult = task_in(
        house.inbox,
        Status.REVIEW,
        confirmed_by=house.anna,
        submitted_by=house.anna,
        submitted_at=now,
        mark="difficult",
    )
    first = press(house, "rita", "next-review")
    assert (first["task"]["id"], first["why"]) == (str(difficult.pk), "sequence")
    again = press(house, "rita", "next-review")
    assert (again["task"]["id"], again["why"]) == (str(difficult.pk), "resumed")
    body = {"annotation_revision": 1}
    assert call(house.rita, "post", f"tasks/{difficult.pk}/approve", body).status == 200
    assert press(house, "rita", "next-review")["task"]["id"] == str(plain.pk)
    assert press(house, "olga", "next-review")["task"]["id"] == str(own.pk)
    assert press(house, "otto", "next-review")["task"] is None
    answer = call(house.anna, "post", f"projects/{house.project.pk}/next-review", {"client_id": "a"})
    assert answer.code == "ROLE_FORBIDDEN"


def test_several_reviewers_claim_one_task_where_several_approvals_are_needed() -> None:
    house = a_house(required_approvals=2, review_rule="majority")
    task = task_in(house.inbox, Status.REVIEW, confirmed_by=house.anna, submitted_by=house.anna)
    path = f"tasks/{task.pk}/review-claim"
    for person in ("rita", "otto", "rita"):
        answer = call(house.people[person], "post", path, {"client_id": person})
        assert (answer.status, answer.body["lock"]) == (200, None)
    assert ReviewerAssignment.objects.filter(task=task).count() == 2
    assert AuditEntry.objects.filter(task_id=task.pk, action="task.review_claim").count() == 2
    with unchanged():
        refused = call(house.anna, "post", f"tasks/{task.pk}/recall", {"client_id": "a"})
    assert refused.code == "ILLEGAL_TRANSITION"


def test_a_claimed_review_cannot_be_recalled_even_when_the_reviewers_lock_is_gone() -> None:
    house = a_house()
    task = task_in(house.inbox, Status.REVIEW, confirmed_by=house.anna, submitted_by=house.anna)
    path = f"tasks/{task.pk}"
    assert call(house.rita, "post", f"{path}/review-claim", {"client_id": "r"}).status == 200
    with unchanged():
        assert call(house.anna, "post", f"{path}/recall", {"client_id": "a"}).code == "LOCK_HELD"
    let_pass(task, 301)
    with unchanged():
        assert call(house.anna, "post", f"{path}/recall", {"client_id": "a"}).code == "ILLEGAL_TRANSITION"


def test_an_old_fence_withdraws_nothing() -> None:
    house = a_house()
    task = task_in(house.inbox, Status.IN_PROGRESS, assignee=house.anna)
    token = held_by(task, house.anna).token
    path = f"tasks/{task.pk}/withdraw"
    with unchanged():
        answer = call(house.anna, "post", path, {"lock_token": token - 1, "client_id": "a"})
    assert (answer.status, answer.code) == (409, "LOCK_LOST")
    answer = call(house.anna, "post", path, {"lock_token": token, "client_id": "a", "request_id": None})
    assert (answer.status, answer.body["task"]["status"]) == (200, "pending")


def test_nobody_takes_the_lock_of_a_finished_task() -> None:
    house = a_house()
    for status in (Status.COMPLETED, Status.UPLOADING):
        task = task_in(house.inbox, status)
        with unchanged():
            answer = call(house.olga, "put", f"tasks/{task.pk}/lock", {"client_id": "o"})
        assert (answer.status, answer.code) == (409, "ILLEGAL_TRANSITION")
    task = task_in(house.inbox, Status.REVIEW)
    with unchanged():
        assert (
            call(house.anna, "put", f"tasks/{task.pk}/lock", {"client_id": "a"}).code == "ILLEGAL_TRANSITION"
        )
        assert call(house.vera, "put", f"tasks/{task.pk}/lock", {"client_id": "v"}).code == "ROLE_FORBIDDEN"
    assert call(house.rita, "put", f"tasks/{task.pk}/lock", {"client_id": "r"}).status == 200


def test_the_sessions_list_and_a_forced_release_are_for_admins() -> None:
    house = a_house()
    task = task_in(house.inbox, Status.IN_PROGRESS, assignee=house.anna)
    agent = (
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36"
    )
    answer = call(house.anna, "put", f"tasks/{task.pk}/lock", {"client_id": "a"}, HTTP_USER_AGENT=agent)
    assert answer.status == 200
    path = f"projects/{house.project.pk}/locks"
    (session,) = call(house.otto, "get", path).body["items"]
    assert session["task"] == {"id": str(task.pk), "name": task.name}
    assert (session["user"]["id"], session["device"]) == (str(house.anna.pk), "Chrome on Linux")
    with unchanged():
        for person in ("rita", "anna", "vera"):
            assert call(house.people[person], "get", path).code == "ROLE_FORBIDDEN"
            refused = call(house.people[person], "delete", f"{path}/{task.pk}", {"reason": "x"})
            assert refused.code == "ROLE_FORBIDDEN"
        assert call(house.otto, "delete", f"{path}/{task.pk}", {"reason": " "}).status == 422
        assert call(house.otto, "delete", f"{path}/{task.pk}", {}).status == 400
    assert call(house.otto, "delete", f"{path}/{task.pk}", {"reason": "Lunch."}).status == 204
    assert call(house.otto, "get", path).body["items"] == []


def test_who_took_over_last_is_first_in_the_list_of_locks() -> None:
    house = a_house()
    old, other = (task_in(house.inbox, Status.IN_PROGRESS, assignee=house.anna) for _ in range(2))
    held_by(old, house.anna)
    let_pass(old, 200)
    held_by(other, house.anna)
    assert call(house.abel, "put", f"tasks/{old.pk}/lock", {"client_id": "a"}).status == 200
    path = f"projects/{house.project.pk}/locks"
    listed = call(house.olga, "get", path).body["items"]
    assert [lock["task_id"] for lock in listed] == [str(old.pk), str(other.pk)]
    page = call(house.olga, "get", f"{path}?limit=1").body
    rest = call(house.olga, "get", f"{path}?limit=1&cursor={page['next_cursor']}").body
    assert (page["items"] + rest["items"], rest["next_cursor"]) == (listed, None)
