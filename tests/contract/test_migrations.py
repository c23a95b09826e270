"""Rules that every migration keeps (page 02, rule 11; page 03 on the table of locks)."""

import ast
from pathlib import Path
from typing import Any

import pytest
from django.db import migrations
from django.db.migrations.loader import MigrationLoader

from config.env import ROOT

APPS = ("locks", "tasks", "review")
#: Migrations that may touch `task_locks`. Losing a row of it throws a person out of their work, an index on a
#: column of time ends HOT updates, and a lock on the table stops every save: a new line here is a decision.
MAY_TOUCH_LOCKS = {"locks.0001_initial", "locks.0002_initial", "locks.0003_token_and_storage"}
LOCKS = ("task_locks", "tasklock")
#: They begin on an empty database: nobody waits for the tables that they change.
FIRST = {
    "locks.0001_initial",
    "locks.0002_initial",
    "tasks.0001_initial",
    "review.0001_initial",
    "review.0002_initial",
}
NO_TABLE_IS_LOCKED: Any = (migrations.CreateModel, migrations.AlterModelOptions)
TIMEOUT = "SET LOCAL lock_timeout = '3s'"


#: Each migration's name and file.
FILES = [
    (f"{app}.{path.stem}", path) for app in APPS for path in sorted((ROOT / app / "migrations").glob("0*.py"))
]


@pytest.mark.parametrize(("name", "path"), FILES)
def test_only_a_listed_migration_touches_the_table_of_locks(name: str, path: Path) -> None:
    text = path.read_text(encoding="utf-8").lower()
    touches = name.startswith("locks.") or any(word in text for word in LOCKS)
    assert not touches or name in MAY_TOUCH_LOCKS, (
        f"{name} touches task_locks: read page 03 on it, then add it to MAY_TOUCH_LOCKS with a reason"
    )


@pytest.mark.parametrize(("name", "path"), FILES)
def test_a_migration_imports_nothing_from_the_apps(name: str, path: Path) -> None:
    imported: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module or "." * node.level)
    ours = {module for module in imported if module.split(".")[0] in (*APPS, "config", "tests", "")}
    assert ours == set(), f"{name} changes its meaning when they change"


def test_a_migration_waits_for_locks_for_seconds_only() -> None:
    loader = MigrationLoader(None)
    for (app, stem), migration in loader.disk_migrations.items():
        name = f"{app}.{stem}"
        if app not in APPS or name in FIRST:
            continue
        if all(isinstance(operation, NO_TABLE_IS_LOCKED) for operation in migration.operations):
            continue
        begins_with = getattr(migration.operations[0], "sql", "")
        assert begins_with == TIMEOUT, name
