"""Fills a bench project: people with sessions, and as many pending tasks as asked for.

Run inside the stack's environment: `python -m tests.bench.populate PEOPLE TASKS`; prints JSON.
"""

import json
import sys
from importlib import import_module

import django
from django.conf import settings

django.setup()

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.db import connection, transaction  # noqa: E402

from tasks.models import Asset, Batch, BatchCount, Membership, Project, User  # noqa: E402


def session_of(user: User) -> str:
    """A signed-in session's key."""
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    store[SESSION_KEY] = str(user.pk)
    store[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    store[HASH_SESSION_KEY] = user.get_session_auth_hash()
    store.create()
    return str(store.session_key)


def people(project: Project, count: int) -> list[str]:
    """`count` annotators of the project; their session keys."""
    missing = count - project.memberships.count()
    made = [User(username=f"bench-{project.pk.hex[-8:]}-{n}", password="!") for n in range(max(0, missing))]
    User.objects.bulk_create(made)
    Membership.objects.bulk_create(
        [Membership(project=project, user=user, role="annotator") for user in made]
    )
    with transaction.atomic():
        return [session_of(member.user) for member in project.memberships.select_related("user")[:count]]


def fill(batch: Batch, asset: Asset, count: int) -> None:
    """Add pending tasks until the batch has `count`."""
    have = batch.tasks.count()
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO tasks (id, project_id, batch_id, asset_id, name, status, version, question, selection_mode,
                 targets, config_version, "order", random_key, is_reserved, mark, job_status, event_seq, audit_count,
                 audit_head, created_at, updated_at)
               SELECT uuidv7(), %s, %s, %s, 'task ' || n, 'pending', 1, '', 'free', '[]', 1, n, random(), false, 'normal',
                 '', 0, 0, '', clock_timestamp(), clock_timestamp() FROM generate_series(%s::bigint, %s::bigint) AS n""",
            [batch.project_id, batch.pk, asset.pk, have + 1, count],
        )
        BatchCount.objects.create(batch=batch, status="pending", delta=max(0, count - have))
        cursor.execute("VACUUM ANALYZE tasks")


def side_tables(project: Project, batch: Batch) -> None:
    """Numbered people and tasks, so that pgbench finds one without a search of its own."""
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS bench_people, bench_tasks, bench_locks")
        cursor.execute("CREATE TABLE bench_people (n bigint PRIMARY KEY, id uuid)")
        cursor.execute("CREATE TABLE bench_tasks (n bigint PRIMARY KEY, id uuid)")
        cursor.execute(
            "INSERT INTO bench_people SELECT row_number() OVER (), user_id FROM memberships WHERE project_id = %s",
            [project.pk],
        )
        # From the far end of the queue, where `next` does not get.
        cursor.execute(
            """INSERT INTO bench_tasks SELECT row_number() OVER (), id FROM (
                 SELECT id FROM tasks WHERE batch_id = %s AND status = 'pending' ORDER BY "order" DESC LIMIT 2000) AS t""",
            [batch.pk],
        )


def main() -> None:
    """Make or extend the project named "Bench"."""
    number_of_people, number_of_tasks = int(sys.argv[1]), int(sys.argv[2])
    owner = User.objects.get(username="olga")
    project, _ = Project.objects.get_or_create(name="Bench", owner=owner)
    batch, _ = Batch.objects.get_or_create(
        project=project, name="Bench", defaults={"status": "active", "open": True, "is_default": True}
    )
    asset = Asset.objects.filter(project=project).first() or Asset.objects.create(
        project=project,
        image="none",
        width=64,
        height=64,
        sha256="0" * 64,
        size_bytes=1,
        original="none",
        original_name="none.png",
        original_sha256="0" * 64,
        original_format="PNG",
        original_size_bytes=1,
    )
    fill(batch, asset, number_of_tasks)
    sessions = people(project, number_of_people)
    side_tables(project, batch)
    print(json.dumps({"project": str(project.pk), "batch": str(batch.pk), "sessions": sessions}))


main()
