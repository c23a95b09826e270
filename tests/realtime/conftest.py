"""One web process and one database for each module; the tests make projects of their own in it."""

from collections.abc import Iterator

import pytest
from pytest_django.plugin import DjangoDbBlocker

from tests.realtime.web_process import WebProcess
from tests.realtime.world import World, make_world
from tests.support import databases
from tests.support.servers import SERVERS


@pytest.fixture(scope="module")
def database(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """A database of the module's own, with real commits."""
    SERVERS.need_valkey()
    with django_db_blocker.unblock(), databases.clone() as name:
        yield name


@pytest.fixture(scope="module")
def web(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebProcess]:
    """A web process that sweeps so rarely that only hints explain what arrives soon."""
    process = WebProcess(
        tmp_path_factory.mktemp("web") / "web.log", database=database, HUB_SWEEP_SECONDS="60"
    )
    process.start()
    yield process
    process.kill()


@pytest.fixture
def world(database: str) -> World:
    """A project of the test's own."""
    return make_world()
