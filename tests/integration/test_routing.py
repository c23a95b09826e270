"""A switched-on routing policy lets sure boxes go on; without one every detection asks a person."""

import pytest

from review.domain.job_states import IllegalJobMove, JobStatus, Trigger
from review.models import Job, NodeRun, Pause, PolicyAct
from review.operations.move_job import move_job
from review.queries.invariants import violations
from tasks.domain.policies import PolicyKind
from tasks.models import AuditEntry, Event, Task
from tests.support.pipeline import CUP, TABLE, a_house, a_job, detected, finalized, fresh, processed, queued
from tests.support.policies import declared

pytestmark = pytest.mark.django_db

ROUTING = PolicyKind.ROUTING
FAINT = TABLE | {"score": 0.69}


def asked(job):
    return (fresh(job).status, Pause.objects.filter(job=job, status="WAITING").count()) == (
        "WAITING_USER_SELECTION",
        1,
    )


def test_sure_boxes_go_on_and_the_version_is_written_wherever_it_acted():
    house = a_house()
    declared(house, ROUTING, is_on=False)
    declared(house, ROUTING, threshold=0.76)
    job = a_job(house)
    body = detected(job, CUP, TABLE)
    assert (body["status"], body["version"]) == ("PROCESSING_APPROVED_SUBJECTS", 2)
    assert (body["policy_version"], body["active_pause"]) == ("routing@2", None)
    assert body["approved_box_list"] == body["box_list"]
    assert len(body["box_list"]["boxes"]) == 2
    assert not Pause.objects.filter(job=job).exists()
    act = PolicyAct.objects.get()
    assert (act.policy.version, act.pause_id, act.outcome) == (2, None, "PROCESSING")
    entry = AuditEntry.objects.get(action="job.policy")
    assert (entry.reason, entry.after["policy"]) == ("2 of 2 boxes scored at least 0.76.", "routing@2")
    told = list(Event.objects.filter(job_id=job.pk).order_by("seq").values_list("type", flat=True))
    assert told[-2:] == ["policy.applied", "job.status"]
    run = queued(job, "PROCESS_APPROVED_BOX_LIST")
    assert fresh(job).current_node_instance_id == run.pk
    processed(job)
    finalized()
    assert fresh(job).status == "SUCCEEDED"
    # What came out is a draft like any other: nobody confirmed it.
    assert Task.objects.get(pk=job.task_id).annotation_revision is None
    assert violations() == []


@pytest.mark.parametrize("found", [(), (CUP, FAINT), (CUP, TABLE | {"score": None})])
def test_a_person_is_asked_where_a_box_is_below_or_there_is_none(found):
    house = a_house()
    declared(house, ROUTING)
    job = a_job(house)
    detected(job, *found)
    assert asked(job)
    assert fresh(job).policy_version == ""
    assert not PolicyAct.objects.exists()


def test_what_is_below_is_left_out_where_that_is_declared():
    house = a_house()
    declared(house, ROUTING, below="leave_out")
    job = a_job(house)
    body = detected(job, CUP, FAINT)
    assert body["status"] == "PROCESSING_APPROVED_SUBJECTS"
    (kept,) = body["box_list"]["boxes"]
    assert (kept["label"], kept["source"]) == ("cup", "model")
    assert body["approved_box_list"] == body["box_list"]
    act = PolicyAct.objects.get()
    assert act.effect["kept"] == [kept["box_id"]]
    assert [dropped["why"] for dropped in act.effect["dropped"]] == ["filtered"]
    assert queued(job, "PROCESS_APPROVED_BOX_LIST").input["deleted_box_ids"] == [
        act.effect["dropped"][0]["box_id"]
    ]
    processed(job)
    finalized()
    assert fresh(job).status == "SUCCEEDED"
    assert violations() == []


def test_more_boxes_than_are_kept_are_a_persons():
    house = a_house()
    declared(house, ROUTING)
    job = a_job(house)
    detected(job, *[CUP | {"bbox": [n, n, n + 20, n + 20]} for n in range(65)])
    assert asked(job)


@pytest.mark.parametrize("whose", ["nobody", "switched off", "another project"])
def test_without_a_policy_every_detection_asks(whose):
    house = a_house()
    if whose == "switched off":
        declared(house, ROUTING)
        declared(house, ROUTING, is_on=False)
    if whose == "another project":
        declared(a_house(), ROUTING)
    job = a_job(house)
    detected(job, CUP)
    assert asked(job)


def test_the_table_lets_no_report_take_that_way():
    house = a_house()
    job = a_job(house)
    for trigger in set(Trigger) - {Trigger.ROUTING}:
        with pytest.raises(IllegalJobMove):
            move_job(
                task=Task.objects.get(pk=job.task_id),
                job=fresh(job),
                target=JobStatus.PROCESSING_APPROVED_SUBJECTS,
                trigger=trigger,
            )
    assert fresh(job).status == "DETECTING"
    assert NodeRun.objects.filter(job=job).count() == 1


def test_the_checker_sees_a_detection_that_went_on_by_itself():
    house = a_house()
    job = a_job(house)
    move_job(
        task=Task.objects.get(pk=job.task_id),
        job=fresh(job),
        target=JobStatus.PROCESSING_APPROVED_SUBJECTS,
        trigger=Trigger.ROUTING,
    )
    assert "I5 a detection went on without a person only by a routing policy" in {
        violation.name for violation in violations()
    }
    Job.objects.filter(pk=job.pk).update(policy_version="routing@1")
    assert "I5 a job that a policy decided names it, and no other job does" in {
        violation.name for violation in violations()
    }
