"""The database allows exactly the moves of the literal, and nothing else."""

import itertools

import pytest
from django.db import IntegrityError, connection, transaction

from tasks.domain.matrix import status_moves
from tasks.domain.statuses import Status
from tasks.domain.workflow_page import workflow_page
from tasks.models import Task
from tests.support.pipeline import a_house
from tests.support.workflow import task_in


@pytest.mark.django_db
def test_the_trigger_allows_exactly_the_moves_of_the_literal() -> None:
    house = a_house()
    allowed = set()
    for source, target in itertools.permutations(Status, 2):
        task = task_in(house.inbox, source)
        refusal = ""
        try:
            with transaction.atomic():
                Task.objects.filter(pk=task.pk).update(status=target)
        except IntegrityError as error:
            refusal = str(error)
        task.refresh_from_db()
        if refusal:
            assert f"a task cannot go from {source} to {target}" in refusal
            assert task.status == source
        else:
            allowed.add((source, target))
    assert allowed == status_moves()


@pytest.mark.django_db
def test_the_trigger_names_no_move_that_the_literal_lacks() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT prosrc FROM pg_proc WHERE proname = 'tasks_status_guard'")
        row = cursor.fetchone()
    assert row is not None
    written = {
        (Status(source), Status(target))
        for source, target in itertools.permutations([status.value for status in Status], 2)
        if f"('{source}', '{target}')" in row[0]
    }
    assert written == status_moves()


def test_the_reference_page_says_what_the_literal_says(settings: object) -> None:
    page = (settings.BASE_DIR / "docs/reference/workflow.md").read_text()  # type: ignore[attr-defined]
    assert page == workflow_page()
