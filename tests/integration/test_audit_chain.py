"""I10: rows cannot be changed or removed, and where somebody goes around the triggers it shows."""

import io
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.core.management import CommandError, call_command
from django.db import ProgrammingError, connection, transaction

from tasks.domain.statuses import Status
from tasks.models import AuditEntry, Project, Task
from tasks.queries.verify_audit import verify_audit
from tests.support.pipeline import House, a_house
from tests.support.workflow import call, held_by, task_in

pytestmark = pytest.mark.django_db


def with_history() -> tuple[House, Task]:
    """A project with a chain of its own, and a task with one."""
    house = a_house()
    call(house.olga, "patch", f"projects/{house.project.pk}", {"description": "Cups and spoons."})
    call(house.olga, "patch", f"projects/{house.project.pk}", {"name": "Kitchen"})
    task = task_in(house.inbox)
    for _ in range(2):
        assert call(house.anna, "post", f"tasks/{task.pk}/claim", {"client_id": "a"}).status == 200
        assert call(house.anna, "post", f"tasks/{task.pk}/withdraw", {}).status == 200
    return house, task


@contextmanager
def triggers_off() -> Iterator[None]:
    """What a person with the database's password could do."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE audit DISABLE TRIGGER USER")
        yield
        cursor.execute("ALTER TABLE audit ENABLE TRIGGER USER")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit SET reason = 'other'",
        "DELETE FROM audit",
        "TRUNCATE audit",
        "DELETE FROM audit WHERE false",
    ],
)
def test_the_database_refuses_to_change_or_remove_rows(statement: str) -> None:
    with_history()
    before = AuditEntry.objects.count()
    if "false" in statement:
        # No row, no harm: row triggers have nothing to refuse.
        with connection.cursor() as cursor:
            cursor.execute(statement)
    else:
        with (
            pytest.raises(ProgrammingError, match="append-only"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)
    assert AuditEntry.objects.count() == before > 0


def test_an_untouched_chain_is_whole() -> None:
    _, task = with_history()
    found = verify_audit()
    assert found.breaks == []
    assert found.entries == AuditEntry.objects.count()
    actions = list(
        AuditEntry.objects.filter(task_id=task.pk).order_by("number").values_list("action", flat=True)
    )
    assert actions == ["lock.acquire", "task.claim", "task.withdraw", "lock.release"] * 2


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("reason", "'because'"),
        ("actor_name", "'somebody'"),
        ("after", """'{"status": "completed"}'"""),
        ("at", "at + interval '1 microsecond'"),
        ("role", "'super_admin'"),
        ("hash", "repeat('0', 64)"),
    ],
)
def test_a_changed_row_is_named(column: str, value: str) -> None:
    _, task = with_history()
    entry = AuditEntry.objects.get(task_id=task.pk, number=3)
    with triggers_off(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE audit SET {column} = {value} WHERE id = %s", [entry.pk])
    (found,) = verify_audit().breaks
    assert (found.chain_id, found.number, found.entry_id) == (task.pk, 3, entry.pk)
    with pytest.raises(CommandError, match=f"row {entry.pk}"):
        call_command("verify_audit", stdout=io.StringIO(), stderr=io.StringIO())


def test_a_removed_row_in_the_middle_is_noticed() -> None:
    _, task = with_history()
    with triggers_off():
        AuditEntry.objects.filter(task_id=task.pk, number=3).delete()
    (found,) = verify_audit().breaks
    assert (found.chain_id, found.number) == (task.pk, 3)


@pytest.mark.parametrize("left", [0, 5])
def test_a_cut_off_tail_is_noticed(left: int) -> None:
    _, task = with_history()
    with triggers_off():
        AuditEntry.objects.filter(task_id=task.pk, number__gt=left).delete()
    (found,) = verify_audit().breaks
    assert (found.chain_id, found.number, found.entry_id) == (task.pk, left + 1, None)
    assert "cut off" in found.what


def test_the_projects_own_chain_is_walked_too() -> None:
    house, _ = with_history()
    entry = AuditEntry.objects.filter(project_id=house.project.pk, task_id=None).earliest("number")
    with triggers_off():
        AuditEntry.objects.filter(pk=entry.pk).update(reason="other")
    (found,) = verify_audit(project_id=house.project.pk).breaks
    assert (found.chain, found.chain_id, found.entry_id) == ("project", house.project.pk, entry.pk)


def test_a_rewritten_chain_does_not_fit_the_head_on_the_row() -> None:
    _, task = with_history()
    Task.objects.filter(pk=task.pk).update(audit_head="0" * 64)
    (found,) = verify_audit().breaks
    assert found.number == 9


def test_every_action_is_audited_with_actor_role_and_both_sides() -> None:
    house = a_house()
    task = task_in(house.inbox, Status.COMPLETED, confirmed_by=house.anna)
    answer = call(house.olga, "post", f"tasks/{task.pk}/reopen", {"reason": "  A cup is missing. "})
    assert answer.status == 200
    entry = AuditEntry.objects.get(task_id=task.pk, action="task.reopen")
    assert (entry.actor_name, entry.role, entry.reason) == (
        house.olga.username,
        "project_admin",
        "A cup is missing.",
    )
    assert entry.before == {"status": "completed", "version": 1}
    assert entry.after == {"status": "pending", "version": 2}


def test_a_forced_release_is_audited_and_a_noticed_expiry_too() -> None:
    house = a_house()
    task = task_in(house.inbox, Status.IN_PROGRESS, assignee=house.anna)
    held_by(task, house.anna)
    path = f"projects/{house.project.pk}/locks/{task.pk}"
    assert call(house.otto, "delete", path, {"reason": "She is on holiday."}).status == 204
    entry = AuditEntry.objects.get(task_id=task.pk)
    assert (entry.action, entry.actor_name, entry.reason) == (
        "lock.force_release",
        house.otto.username,
        "She is on holiday.",
    )
    assert entry.before["holder"] == house.anna.username
    assert Project.objects.count() == 1
