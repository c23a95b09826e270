"""Moments at which a test may kill a process: once, one process, and never in production."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from config.embedded.stack import ROOT
from tasks.operations import failpoints
from tasks.operations.failpoints import failpoint


def test_only_the_first_that_comes_by_is_hit(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hits: list[int] = []
    monkeypatch.setitem(failpoints.ACTIONS, "note", lambda: hits.append(1))
    settings.FAILPOINTS = str(tmp_path)
    (tmp_path / "before_commit.x").write_text("note")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(failpoint, ["before_commit.x", "after_commit.x"] * 50))
    assert len(hits) == 1
    assert [file.name for file in tmp_path.iterdir()] == [f"before_commit.x.{os.getpid()}"]


def test_production_does_not_read_the_setting(tmp_path: Path) -> None:
    environ = os.environ | {
        "DJANGO_SETTINGS_MODULE": "config.settings.production",
        "SECRET_KEY": "x" * 60,
        "ALLOWED_HOSTS": "example.org",
        "DATABASE_URL": "postgres://x@127.0.0.1/x",
        "BROKER_URL": "redis://127.0.0.1:1/0",
        "CHANNEL_URL": "redis://127.0.0.1:1/1",
        "FIELD_KEY": "k" * 43 + "=",
        "FAILPOINTS": str(tmp_path),
    }
    code = "from django.conf import settings; print(repr(settings.FAILPOINTS))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environ, capture_output=True, text=True, check=True
    )
    assert done.stdout == "''\n"
