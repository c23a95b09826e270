"""Commands beside a running server: they find its addresses, and only local ones do."""

import json
from pathlib import Path

import pytest

from config.embedded import running

LOCAL = "config.settings.local"
STATE = {"database_url": "postgres://here", "broker_url": "redis://here/0", "channel_url": None}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "server.json").write_text(json.dumps(STATE))
    monkeypatch.setenv("DATA_DIR", str(tmp_path))


def test_a_local_command_finds_the_running_server() -> None:
    environ = {"DJANGO_SETTINGS_MODULE": LOCAL}
    running.adopt(environ)
    assert environ == {
        "DJANGO_SETTINGS_MODULE": LOCAL,
        "DATABASE_URL": "postgres://here",
        "BROKER_URL": "redis://here/0",
    }


@pytest.mark.parametrize(
    "environ",
    [
        {"DJANGO_SETTINGS_MODULE": "config.settings.production"},
        {"DJANGO_SETTINGS_MODULE": LOCAL, "DATABASE_URL": "postgres://named"},
    ],
)
def test_a_named_database_and_production_are_left_alone(environ: dict[str, str]) -> None:
    before = dict(environ)
    running.adopt(environ)
    assert environ == before
