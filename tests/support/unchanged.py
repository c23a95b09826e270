"""Proof that nothing was written: a digest of every row of every table of ours, before and after."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.apps import apps
from django.db import connection


def database_digest() -> dict[str, str]:
    """Table → digest of its rows."""
    tables = sorted(
        model._meta.db_table
        for app in ("locks", "tasks", "review")
        for model in apps.get_app_config(app).get_models()
    )
    statement = " UNION ALL ".join(
        f"SELECT '{table}', coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') FROM {table} AS t"
        for table in tables
    )
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return dict(cursor.fetchall())


@contextmanager
def unchanged(what: object = "") -> Iterator[None]:
    """The block writes nothing to the database, or the test fails naming the tables."""
    before = database_digest()
    yield
    after = database_digest()
    changed = sorted(table for table in before if before[table] != after[table])
    assert not changed, f"{what} changed {changed}"
