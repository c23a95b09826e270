"""A pytest plugin: the embedded PostgreSQL and Valkey of a test session.

`script/test` starts the servers once for all layers and hands their addresses on. A bare `pytest` gets its
own: the addresses are settled before Django reads its settings; the servers start when a test needs them.
"""

import atexit
import os
import shutil
from collections.abc import Generator
from pathlib import Path

import pytest

from config.embedded.child import Child, stop_all
from config.embedded.folder import DataFolder
from config.embedded.postgres import Postgres
from config.embedded.stack import ROOT
from config.embedded.valkey import Valkey

TEST_DATA = ROOT / ".cache" / "test-data"


class SessionServers:
    """The servers of this pytest process, where it must start them itself."""

    def __init__(self) -> None:
        self.folder: DataFolder | None = None
        self.postgres: Postgres | None = None
        self.valkey: Valkey | None = None
        self.running: dict[str, Child] = {}
        self.temporary: list[Path] = []

    def settle(self) -> None:
        """Fill in the addresses that the environment does not give; start nothing."""
        if not os.environ.get("DATABASE_URL"):
            self.postgres = Postgres(self._own_folder(), durable=False)
            os.environ["DATABASE_URL"] = self.postgres.url()
        if not (os.environ.get("BROKER_URL") and os.environ.get("CHANNEL_URL")):
            self.valkey = Valkey(self._own_folder())
            os.environ["BROKER_URL"] = os.environ.get("BROKER_URL") or self.valkey.url(0)
            os.environ["CHANNEL_URL"] = os.environ.get("CHANNEL_URL") or self.valkey.url(1)
        os.environ.setdefault("COUNTERSIGN_MODELS_DIR", str(shared("models")))
        os.environ.setdefault("COUNTERSIGN_PICTURES_DIR", str(shared("pictures")))
        os.environ.setdefault("NUMBA_CACHE_DIR", str(shared("numba")))
        # Media and everything else that a test writes goes into a folder that ends with the session.
        session = TEST_DATA / "sessions" / str(os.getpid())
        session.mkdir(parents=True, exist_ok=True)
        self.temporary.append(session)
        os.environ["DATA_DIR"] = str(session)

    def _own_folder(self) -> DataFolder:
        if self.folder is None:
            folder = DataFolder(TEST_DATA).open()
            if not folder.try_lock():
                # Another test run has the usual folder: this one gets its own, and removes it afterwards.
                folder = DataFolder(ROOT / ".cache" / f"test-data-{os.getpid()}").open()
                folder.lock()
                self.temporary.append(folder.path)
            self.folder = folder
        return self.folder

    def need_postgres(self) -> None:
        """PostgreSQL answers when this returns."""
        if self.postgres is not None and "postgres" not in self.running:
            self.postgres.initialise()
            child = self.postgres.child()
            child.start()
            self.running["postgres"] = child
            self.postgres.wait_ready(child)

    def need_valkey(self) -> None:
        """Valkey answers when this returns."""
        if self.valkey is not None and "valkey" not in self.running:
            child = self.valkey.child()
            child.start()
            self.running["valkey"] = child
            self.valkey.wait_ready(child)

    def stop(self) -> None:
        """Stop what this process started and remove its folders."""
        children = list(self.running.values())
        self.running.clear()
        if children:
            stop_all(children, polite=2.0, firm=0.5)
        for folder in self.temporary:
            shutil.rmtree(folder, ignore_errors=True)
        self.temporary.clear()
        if self.folder is not None:
            self.folder.unlock()


def shared(name: str) -> Path:
    """A folder of downloads that all test runs share, else a developer's own."""
    ours, developers = TEST_DATA / name, ROOT / "data" / name
    return developers if developers.is_dir() and not ours.is_dir() else ours


SERVERS = SessionServers()


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests() -> Generator[None, None, None]:
    """Before pytest-django reads the settings, which need the addresses."""
    if not SERVERS.temporary:
        SERVERS.settle()
        atexit.register(SERVERS.stop)
    return (yield)


def pytest_unconfigure() -> None:
    """After the last test."""
    SERVERS.stop()
