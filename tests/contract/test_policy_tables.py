"""What the database itself refuses about policies, and what the checker finds."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from review.models import Job, Pause, PolicyAct
from review.queries.invariants import violations
from tasks.domain.policies import PolicyKind
from tasks.models import ProjectPolicy
from tasks.operations.transactions import db_now
from tests.support.pipeline import a_house, answer_to, send, waiting
from tests.support.policies import HOUR, declared, sweep, waited

pytestmark = pytest.mark.django_db

ROUTING, DEFAULT, QUEUE = PolicyKind.ROUTING, PolicyKind.TIMEOUT_DEFAULT, PolicyKind.TIMEOUT_TO_QUEUE


def refused(write):
    with pytest.raises(DatabaseError), transaction.atomic():
        write()


@pytest.mark.parametrize("kind", PolicyKind)
def test_a_version_is_never_changed_deleted_or_written_twice(kind):
    house = a_house()
    policy = declared(house, kind)
    rows = ProjectPolicy.objects.filter(pk=policy.pk)
    refused(lambda: rows.update(is_on=False))
    refused(lambda: rows.update(authorisation="Somebody else"))
    refused(lambda: rows.delete())
    copy = {f.attname: getattr(policy, f.attname) for f in ProjectPolicy._meta.fields if f.name != "id"}
    refused(lambda: ProjectPolicy.objects.create(**copy))
    with connection.cursor() as cursor:
        refused(lambda: cursor.execute("TRUNCATE project_policies CASCADE"))
    assert ProjectPolicy.objects.count() == 1


@pytest.mark.parametrize(
    ("kind", "terms"),
    [
        (DEFAULT, {"authorisation": ""}),
        (DEFAULT, {"authorisation": " \n\t"}),
        (DEFAULT, {"after_seconds": None}),
        (DEFAULT, {"after_seconds": 59}),
        (DEFAULT, {"answer": ""}),
        (ROUTING, {"threshold": None}),
        (ROUTING, {"threshold": 0}),
        (ROUTING, {"threshold": 1.01}),
        (ROUTING, {"calibration": " "}),
        (ROUTING, {"below": ""}),
        (QUEUE, {"after_seconds": None}),
        (QUEUE, {"group": ""}),
    ],
)
def test_none_is_on_without_its_terms(kind, terms):
    house = a_house()
    refused(lambda: declared(house, kind, **terms))
    declared(house, kind, is_on=False, **terms)


def test_a_pause_keeps_the_versions_of_its_making():
    house = a_house()
    job, _ = waiting(house)
    for kind, column in ((DEFAULT, "default_policy"), (QUEUE, "queue_policy")):
        policy = declared(house, kind)
        refused(lambda c=column, p=policy: Pause.objects.filter(job=job).update(**{c: p}))
    later, _ = waiting(house)
    for column in ("default_policy", "queue_policy"):
        assert getattr(Pause.objects.get(job=later), column) is not None
        refused(lambda c=column: Pause.objects.filter(job=later).update(**{c: None}))


def test_a_pause_is_consumed_by_an_intervention_or_a_policy_that_it_was_made_under():
    house = a_house()
    job, _ = waiting(house)
    consumed = {"status": "CONSUMED", "consumed_at": db_now()}
    refused(lambda: Pause.objects.filter(job=job).update(**consumed))
    refused(lambda: Pause.objects.filter(job=job).update(**consumed, policy_version="timeout_default@1"))


def test_no_policy_decides_a_job_that_compensates():
    house = a_house()
    job, _ = waiting(house)
    other, _ = waiting(house)
    refused(lambda: Job.objects.filter(pk=job.pk).update(compensates=other, policy_version="routing@1"))


def test_an_act_is_never_changed_and_none_happens_twice():
    house = a_house()
    declared(house, QUEUE)
    job, _ = waiting(house)
    waited(job, HOUR + 1)
    assert sweep() == (0, 1, 0, 0)
    act = PolicyAct.objects.get()
    refused(lambda: PolicyAct.objects.update(outcome="x"))
    refused(lambda: PolicyAct.objects.all().delete())
    copy = {f.attname: getattr(act, f.attname) for f in PolicyAct._meta.fields if f.name != "id"}
    refused(lambda: PolicyAct.objects.create(**copy))


def names():
    return {violation.name for violation in violations()}


NEVER_ALONE = "I3 a consumed pause has one intervention or one policy's answer, and no other pause has any"
ONLY_ITS_OWN = "I5 a policy acted on a pause only where it was on, and the pause made under it"


def test_the_checker_sees_an_act_on_a_pause_of_another_time():
    house = a_house()
    job, _ = waiting(house)
    policy = declared(house, DEFAULT)
    pause = Pause.objects.get(job=job)
    assert names() == set()
    now = db_now()
    values = {"policy": policy, "job": job, "outcome": "PROCESSING", "reason": "", "effect": {}}
    PolicyAct.objects.create(pause=pause, created_at=now, **values)
    assert {NEVER_ALONE, ONLY_ITS_OWN} <= names()


def test_the_checker_sees_an_act_before_its_time():
    house = a_house()
    declared(house, DEFAULT)
    job, _ = waiting(house)
    waited(job, HOUR + 1)
    assert sweep() == (1, 0, 0, 0)
    assert names() == set()
    Pause.objects.filter(job=job).update(created_at=db_now() - timedelta(seconds=HOUR - 5))
    assert names() == {ONLY_ITS_OWN}


def test_the_checker_sees_a_group_that_nobody_declared_and_a_version_that_is_missing():
    house = a_house()
    job, _ = waiting(house)
    Pause.objects.filter(job=job).update(group="admins")
    assert names() == {"I5 a pause is put to others only by a policy"}
    Pause.objects.filter(job=job).update(group="annotators")
    ProjectPolicy.objects.create(
        project=house.project, kind=QUEUE, version=2, is_on=False, created_by=house.olga, created_at=db_now()
    )
    assert names() == {"I5 a policy's versions are numbered without a gap"}


def test_the_checker_sees_a_pause_consumed_by_two():
    house = a_house()
    policy = declared(house, DEFAULT)
    job, body = waiting(house)
    send(house, job, answer_to(body, []))
    pause = Pause.objects.get(job=job)
    values = {"policy": policy, "job": job, "outcome": "PROCESSING", "reason": "", "effect": {}}
    PolicyAct.objects.create(pause=pause, created_at=db_now(), **values)
    assert NEVER_ALONE in names()
    with pytest.raises(CommandError):
        call_command("check_invariants")
