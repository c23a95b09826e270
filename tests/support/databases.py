"""Test databases: a migrated template, made once for each state of the migrations, and clones of it.

A clone is a real database with real commits. Nothing is emptied afterwards (the audit triggers refuse
TRUNCATE): the clone is dropped.
"""

import itertools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import dj_database_url
import psycopg
from django.core.management import call_command
from django.db import connections
from django.db.backends.postgresql.base import DatabaseWrapper
from psycopg import sql

from config.embedded import stamp
from config.embedded.stack import ROOT

COUNTER = itertools.count(1)


def template_name() -> str:
    """The template's name: it changes with everything that migrating depends on."""
    sources = [ROOT / "requirements.txt"]
    for app in ("locks", "tasks", "review"):
        sources += (ROOT / app).glob("migrations/*.py")
        sources += (ROOT / app).glob("models/*.py")
        sources += (ROOT / app).glob("*.py")
    return f"tpl_{stamp.fingerprint(sources)[:16]}"


def server() -> psycopg.Connection:
    """A connection to the server's own database, for CREATE and DROP DATABASE."""
    return psycopg.connect(os.environ["DATABASE_URL"], autocommit=True)


def exists(name: str) -> bool:
    """Whether the server has this database."""
    with server() as connection:
        return (
            connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone() is not None
        )


def create(name: str, *, template: str = "template0") -> None:
    """CREATE DATABASE. Raises psycopg.errors.DuplicateDatabase where it is there."""
    with server() as connection:
        connection.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY").format(
                sql.Identifier(name), sql.Identifier(template)
            )
        )


def drop(name: str) -> None:
    """Drop a database, ending what this role still has connected to it.

    Not `WITH (FORCE)`: that fails where an autovacuum worker, which is the superuser's, is at work there.
    The plain form ends such a worker by itself and waits for it.
    """
    with server() as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = %s AND usename = current_user",
            [name],
        )
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name)))


def ensure_template() -> str:
    """The name of the migrated template, which exists when this returns."""
    name = template_name()
    if exists(name):
        return name
    building = f"{name}_{os.getpid()}"
    drop(building)
    create(building)
    with pointed_at(building):
        call_command("migrate", verbosity=0, interactive=False)
    try:
        with server() as connection:
            connection.execute(
                sql.SQL("ALTER DATABASE {} RENAME TO {}").format(
                    sql.Identifier(building), sql.Identifier(name)
                )
            )
    except psycopg.errors.DuplicateDatabase:
        # Another session built the same one meanwhile.
        drop(building)
    return name


def close_connections() -> None:
    """Close this thread's connection and the pool that all threads share."""
    for connection in connections.all(initialized_only=True):
        connection.close()
        if isinstance(connection, DatabaseWrapper):
            connection.close_pool()


@contextmanager
def led_to(address: str) -> Iterator[None]:
    """Django's connections, of every thread, lead to the database at this address inside the block."""
    described = dj_database_url.parse(address)
    with _changed(**{key: described[key] for key in ("NAME", "HOST", "PORT", "USER", "PASSWORD")}):
        yield


@contextmanager
def pointed_at(name: str) -> Iterator[None]:
    """Django's connections, of every thread, lead to this database of the same server inside the block."""
    with _changed(NAME=name):
        yield


@contextmanager
def _changed(**values: Any) -> Iterator[None]:
    # One dictionary for all threads: each thread's wrapper holds this same object.
    settings: dict[str, Any] = connections.settings["default"]
    before = {key: settings[key] for key in values}
    close_connections()
    settings.update(values)
    try:
        yield
    finally:
        close_connections()
        settings.update(before)


@contextmanager
def clone() -> Iterator[str]:
    """A fresh copy of the template, in use inside the block, dropped after it."""
    name = f"t_{os.getpid()}_{next(COUNTER)}"
    create(name, template=ensure_template())
    try:
        with pointed_at(name):
            yield name
    finally:
        drop(name)
