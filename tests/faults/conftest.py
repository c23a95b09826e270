"""One fleet for the whole folder: what a test killed is started again before the next one."""

from collections.abc import Iterator

import pytest
from pytest_django.plugin import DjangoDbBlocker

from tasks.api.authentication import token_digest
from tasks.models import ApiToken, User
from tests.support.fleet import Fleet
from tests.support.patient_client import PatientClient

TOKEN = "token-of-the-faults"


@pytest.fixture(scope="session")
def _started(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker) -> Iterator[Fleet]:
    fleet = Fleet(tmp_path_factory.mktemp("fleet") / "data")
    try:
        fleet.start()
        with django_db_blocker.unblock(), fleet.database():
            ApiToken.objects.create(
                digest=token_digest(TOKEN), user=User.objects.get(username="anna"), name="faults"
            )
        yield fleet
    finally:
        fleet.stop()


@pytest.fixture
def fleet(_started: Fleet, django_db_blocker: DjangoDbBlocker) -> Iterator[Fleet]:
    """Two of each process, all running; Django leads to their database."""
    _started.start()
    with django_db_blocker.unblock(), _started.database():
        yield _started


@pytest.fixture
def anna(fleet: Fleet) -> Iterator[PatientClient]:
    """Anna's client, which knows both web processes."""
    client = PatientClient(fleet.addresses, TOKEN)
    yield client
    client.close()
