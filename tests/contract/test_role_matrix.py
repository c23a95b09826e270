"""Five roles × eight actions × five statuses × three holders, generated from the literal.

What each case must answer is worked out here from the row alone; a denial leaves every table as it was.
"""

from enum import Enum

import pytest

from tasks.domain.matrix import TRANSITIONS, Action, LockNeed, Role, Scope
from tasks.domain.statuses import Status
from tasks.models import AuditEntry, Task, User
from tests.support.pipeline import House, a_house
from tests.support.unchanged import unchanged
from tests.support.workflow import BODIES, Answer, address_of, call, held_by, task_in

pytestmark = pytest.mark.django_db

PERSONS = {
    "root": Role.SUPER_ADMIN,
    "olga": Role.PROJECT_ADMIN,  # the owner
    "otto": Role.PROJECT_ADMIN,
    "rita": Role.REVIEWER,
    "anna": Role.ANNOTATOR,
    "vera": Role.VIEWER,
}


class Holder(Enum):
    """Who is live in the task's lock."""

    ACTOR = "holds"
    OTHER = "other holds"
    NOBODY = "nobody"


def expected(person: str, action: Action, status: Status, holder: Holder) -> tuple[int, str | None]:
    """HTTP status and code, from the matrix's row: role, then lock, then status (page 03)."""
    row = TRANSITIONS[action]
    scope = row.roles.get(PERSONS[person])
    if scope is None or (scope is Scope.OWNER and person != "olga"):
        return 403, "ROLE_FORBIDDEN"
    is_source = status in row.sources
    if row.lock is not LockNeed.NONE:
        if holder is Holder.OTHER:
            return 409, "LOCK_HELD"
        needs_holding = scope is Scope.HOLDS_LOCK or row.lock is LockNeed.CLAIMED_AND_RELEASES
        if needs_holding and holder is Holder.NOBODY and is_source:
            return 409, "LOCK_LOST"
    return (200, None) if is_source else (409, "ILLEGAL_TRANSITION")


def prepared(house: House, actor: User, status: Status, holder: Holder) -> Task:
    """A task that only the case itself may make fail: confirmed by somebody else, handed in by the actor."""
    task = task_in(
        house.inbox,
        status,
        confirmed_by=house.abel,
        assignee=actor if status == Status.IN_PROGRESS else None,
        submitted_by=actor,
    )
    if holder is Holder.ACTOR:
        held_by(task, actor)
        if status == Status.REVIEW:
            Task.objects.filter(pk=task.pk).update(reviewer=actor)
    elif holder is Holder.OTHER:
        held_by(task, house.abel)
    return task


def send(actor: User, action: Action, task: Task) -> Answer:
    """The action, as a client sends it."""
    return call(actor, "post", address_of(action, task), BODIES[action])


@pytest.mark.parametrize("action", list(Action), ids=str)
@pytest.mark.parametrize("person", PERSONS)
def test_every_cell_of_the_matrix(person: str, action: Action) -> None:
    house = a_house()
    actor = getattr(house, person)
    for status in Status:
        for holder in Holder:
            case = f"{person} {action} {status} {holder.value}"
            wanted = expected(person, action, status, holder)
            task = prepared(house, actor, status, holder)
            # A recall is possible only before a reviewer has claimed it.
            if action is Action.RECALL:
                Task.objects.filter(pk=task.pk).update(reviewer=None)
            if wanted[0] != 200:
                with unchanged(case):
                    answer = send(actor, action, task)
                assert (answer.status, answer.code) == wanted, (case, answer.body)
                check_denial(answer, task)
            else:
                answer = send(actor, action, task)
                assert (answer.status, answer.code) == wanted, (case, answer.body)
                check_success(case, action, task, actor, answer)


def check_denial(answer: Answer, task: Task) -> None:
    """A refusal says what a client needs to go on."""
    if answer.code == "ROLE_FORBIDDEN":
        assert answer.body["required_roles"]
    elif answer.code == "ILLEGAL_TRANSITION":
        assert answer.body["snapshot"]["id"] == str(task.pk)
        assert answer.body["snapshot"]["status"] == task.status
    elif answer.code == "LOCK_HELD":
        assert answer.body["holder"]["username"].startswith("abel")
        assert {"acquired_at", "heartbeat_at", "stale_at", "expire_at"} <= set(answer.body)
    elif answer.code == "LOCK_LOST":
        assert answer.body["holder"] is None


def check_success(case: str, action: Action, before: Task, actor: User, answer: Answer) -> None:
    """The status is the row's, the version rose with it, and the audit says who did it."""
    row = TRANSITIONS[action]
    task = Task.objects.get(pk=before.pk)
    target = row.target or before.status
    assert task.status == target, case
    assert task.version == before.version + (1 if target != before.status else 0), case
    assert answer.body["task"]["status"] == target, case
    entries = AuditEntry.objects.filter(task_id=task.pk)
    if target != before.status:
        entry = entries.get(action=row.audit)
        assert entry.actor_id == actor.pk, case
        assert (entry.before["status"], entry.after["status"]) == (before.status, target), case
    if row.lock is LockNeed.TAKES:
        assert answer.body["lock"]["user"]["id"] == str(actor.pk), case
    elif row.lock in {LockNeed.TAKES_AND_RELEASES, LockNeed.CLAIMED_AND_RELEASES}:
        assert answer.body["task"]["lock"] is None, case


@pytest.mark.parametrize("person", ["rita", "anna"])
def test_only_ones_own_submission_can_be_recalled(person: str) -> None:
    house = a_house()
    task = task_in(house.inbox, Status.REVIEW, confirmed_by=house.abel, submitted_by=house.abel)
    with unchanged():
        answer = send(getattr(house, person), Action.RECALL, task)
    assert (answer.status, answer.code) == (403, "ROLE_FORBIDDEN")


def test_a_batch_that_is_not_given_to_an_annotator_does_not_exist_for_them() -> None:
    house = a_house()
    batch = house.inbox
    batch.open = False
    batch.save()
    task = task_in(batch)
    with unchanged():
        assert send(house.anna, Action.CLAIM, task).status == 404


@pytest.mark.parametrize("action", list(Action), ids=str)
def test_a_stranger_finds_nothing_and_nobody_has_to_sign_in(action: Action) -> None:
    house = a_house()
    for status in Status:
        task = task_in(house.inbox, status, confirmed_by=house.abel)
        with unchanged():
            assert send(house.stranger, action, task).code == "NOT_FOUND"
            anonymous = call(None, "post", address_of(action, task), BODIES[action])
        assert (anonymous.status, anonymous.code) == (401, "NOT_AUTHENTICATED")
