"""Fixtures of every layer.

`db` (pytest-django): one transaction a test, rolled back; `on_commit` callbacks do not run in it.
`committed_db`: a database of the test's own with real commits, for threads, locks and `on_commit`.
`live_stack`: the real server, as `script/server` starts it. `page`: Chromium on it.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_django.plugin import DjangoDbBlocker

from tests.support import browser as chromium
from tests.support import databases
from tests.support.live_stack import LiveStack
from tests.support.servers import SERVERS


@pytest.fixture(scope="session")
def django_db_setup(django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A clone of the migrated template instead of migrating for each session."""
    SERVERS.need_postgres()
    with django_db_blocker.unblock(), databases.clone():
        yield


@pytest.fixture
def committed_db(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """The name of a database of this test's own, to which Django's connections of all threads lead."""
    with django_db_blocker.unblock(), databases.clone() as name:
        yield name


@pytest.fixture
def valkey() -> str:
    """The address of a running broker."""
    SERVERS.need_valkey()
    return os.environ["BROKER_URL"]


@pytest.fixture(autouse=True)
def _own_media(request: pytest.FixtureRequest) -> None:
    """A test with a database writes its files into a folder of its own."""
    marked = request.node.get_closest_marker("django_db") is not None
    if marked or {"db", "committed_db", "transactional_db"} & set(request.fixturenames):
        settings: Any = request.getfixturevalue("settings")
        settings.MEDIA_ROOT = request.getfixturevalue("tmp_path") / "media"


@pytest.fixture(scope="session")
def models_dir() -> Path:
    """The folder with the fetched model weights; the test is skipped where there are none."""
    folder = Path(os.environ["COUNTERSIGN_MODELS_DIR"])
    if not folder.is_dir() or not any(folder.iterdir()):
        chromium.skip_or_fail(f"no model weights in {folder}: run script/bootstrap")
    return folder


@pytest.fixture(scope="module")
def live_stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveStack]:
    """A whole server of the module's own: PostgreSQL, Valkey, web, worker, relay, and the demo."""
    stack = LiveStack(tmp_path_factory.mktemp("live") / "data")
    try:
        stack.start()
        yield stack
    finally:
        stack.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One Chromium for the module's tests."""
    with chromium.launched() as launched:
        yield launched


@pytest.fixture
def page(browser: Any, live_stack: LiveStack) -> Iterator[Any]:
    """A page in a fresh, signed-out context whose relative addresses lead to the live stack."""
    context = browser.new_context(base_url=live_stack.base_url, viewport={"width": 1360, "height": 860})
    context.set_default_timeout(10_000)
    try:
        yield context.new_page()
    finally:
        context.close()
