"""At 150,000 tasks "next" costs what it costs at a few: every statement begins at a small index."""

import json
import re
from typing import Any
from unittest import mock

import pytest
from django.db import connection

from tasks.domain.matrix import Role
from tasks.domain.statuses import Status
from tasks.models import Project, Task
from tasks.queries import next_task as queue
from tests.support.pipeline import a_house
from tests.support.workflow import a_batch, an_asset, call

PENDING, DONE = 2_000, 98_000
#: Shared blocks that a statement may touch; a scan of the table would be thousands.
MOST_BLOCKS = 150


def fill(batch_id: object, project: Project, status: Status, number: int) -> None:
    """So many tasks at once, made by the database."""
    columns = {
        "id": "gen_random_uuid()",
        "project_id": "%(project)s",
        "batch_id": "%(batch)s",
        "asset_id": "%(asset)s",
        "name": "'picture ' || n",
        "status": "%(status)s",
        "version": "1",
        "question": "''",
        "selection_mode": "'free'",
        "targets": "'[]'",
        "config_version": "1",
        '"order"': "n",
        "random_key": "random()",
        "model_confidence": "random()",
        "is_reserved": "false",
        "mark": "'normal'",
        "job_status": "''",
        "event_seq": "0",
        "audit_count": "0",
        "audit_head": "''",
        "created_at": "now()",
        "updated_at": "now()",
    }
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO tasks ({', '.join(columns)}) SELECT {', '.join(columns.values())}"
            " FROM generate_series(1, %(number)s) AS n",
            {
                "project": project.pk,
                "batch": batch_id,
                "asset": an_asset(project).pk,
                "status": status,
                "number": number,
            },
        )


def blocks(plan: dict[str, Any]) -> int:
    """Shared blocks that the whole plan touched."""
    return int(plan["Shared Hit Blocks"]) + int(plan["Shared Read Blocks"])


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("sampling", list(Project.Sampling))
def test_the_cost_of_next_does_not_grow_with_the_tasks(sampling: Project.Sampling) -> None:
    house = a_house(sampling=sampling)
    batches = [house.inbox, a_batch(house.project, house.anna), a_batch(house.project, house.abel)]
    for batch in batches:
        fill(batch.pk, house.project, Status.PENDING, PENDING // 2)
        fill(batch.pk, house.project, Status.COMPLETED, DONE // 2)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE tasks")
    assert Task.objects.count() == 150_000
    costs: list[tuple[str, int]] = []
    plain = queue._all

    def explained(statement: str, **parameters: Any) -> Any:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement}", parameters)
            row = cursor.fetchone()
        assert row is not None
        plan = row[0] if isinstance(row[0], list) else json.loads(row[0])
        text = json.dumps(plan)
        assert not re.search(r'"Node Type": "Seq Scan", [^}]*"Relation Name": "tasks"', text), text
        costs.append((statement.split("FROM")[1][:40], blocks(plan[0]["Plan"])))
        return plain(statement, **parameters)

    with mock.patch.object(queue, "_all", explained):
        answer = call(house.anna, "post", f"projects/{house.project.pk}/next", {"client_id": "a"})
        # What a person with nothing of their own to go back to is spared; it costs no more.
        mine = {"user": house.abel, "project": house.project, "role": Role.ANNOTATOR}
        assert queue.own_task_in_work(**mine) is None
        assert queue.task_sent_back(**mine) is None
        assert queue.own_unfinished_task(**mine) is None
        of_others = {"user": house.abel, "project": house.project, "batches": [batch.pk for batch in batches]}
        assert queue.task_left_unfinished(**of_others) is None
        # What the workbench fetches ahead.
        assert queue.likely_next(**mine, besides=Task.objects.filter(batch=house.inbox)[0].pk)
    assert answer.body["why"] == sampling
    assert len(costs) >= 7
    assert all(cost <= MOST_BLOCKS for _, cost in costs), costs


@pytest.mark.django_db
def test_next_needs_a_bounded_number_of_statements(django_assert_max_num_queries: Any) -> None:
    house = a_house()
    for _ in range(5):
        fill(a_batch(house.project, house.anna).pk, house.project, Status.PENDING, 10)
    with django_assert_max_num_queries(26):
        answer = call(house.anna, "post", f"projects/{house.project.pk}/next", {"client_id": "a"})
    assert answer.body["why"] == "sequence"
