"""The fixtures themselves: rolled-back and committed databases do what their users rely on."""

import threading

import pytest
from django.db import connection, transaction


@pytest.mark.django_db
def test_durable_blocks_are_allowed_in_the_rolled_back_database() -> None:
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        assert cursor.fetchone() == (1,)


def test_commits_are_seen_by_other_threads_and_callbacks_run(committed_db: str) -> None:
    called: list[str] = []
    seen: list[object] = []
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute("CREATE TABLE probe (n int)")
        cursor.execute("INSERT INTO probe VALUES (7)")
        transaction.on_commit(lambda: called.append("committed"))

    def look() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_database(), n FROM probe")
            seen.append(cursor.fetchone())
        connection.close()

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert called == ["committed"]
    assert seen == [(committed_db, 7)]


def test_each_committed_database_is_fresh(committed_db: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass('probe'), to_regclass('django_migrations')::text")
        assert cursor.fetchone() == (None, "django_migrations")
