"""kill -9 at the worst moments, with a second process of each kind beside: the job goes on, nothing happens
twice (I3, I4, I8). The dead are not started again before the job has ended."""

import pytest

from tests.faults.one_job import check, through
from tests.support.fleet import Fleet
from tests.support.patient_client import PatientClient

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("operation", ["start_job_with_picture", "intervene"])
@pytest.mark.parametrize("moment", ["before_commit", "before_hint", "after_commit"])
def test_web(fleet: Fleet, anna: PatientClient, moment: str, operation: str) -> None:
    fleet.arm(f"{moment}.{operation}")
    done = through(anna)
    fleet.wait_taken(f"{moment}.{operation}")
    assert fleet.wait_dead() in {"web-1", "web-2"}
    assert anna.troubles, "the client of the killed process had no answer"
    check(fleet, anna, done)


@pytest.mark.parametrize("action", ["kill", "kill parent"])
@pytest.mark.parametrize(
    "moment",
    [
        "after_commit.take_run",
        "in_model.SEGMENT_SUBJECT",
        "before_commit.receive_report",
        "after_commit.receive_report",
    ],
)
def test_worker(fleet: Fleet, anna: PatientClient, moment: str, action: str) -> None:
    fleet.arm(moment, action)
    done = through(anna)
    fleet.wait_taken(moment)
    if action == "kill parent":
        assert fleet.wait_dead() in {"worker-1", "worker-2"}
    check(fleet, anna, done)


@pytest.mark.parametrize("operation", ["publish_due", "run_step"])
@pytest.mark.parametrize("moment", ["before_commit", "after_commit"])
def test_relay(fleet: Fleet, anna: PatientClient, moment: str, operation: str) -> None:
    fleet.arm(f"{moment}.{operation}")
    done = through(anna)
    fleet.wait_taken(f"{moment}.{operation}")
    assert fleet.wait_dead() in {"relay-1", "relay-2"}
    check(fleet, anna, done)
