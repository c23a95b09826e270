"""A declared timeout at the same moment as another sweep, a person, a cancel or a change of the policy."""

import json
import threading
from uuid import uuid4

import pytest
from django.db import connection, transaction

from review.models import Intervention, Job, NodeRun, Pause, PolicyAct
from review.operations.cancel_job import cancel_job
from review.queries.invariants import violations
from review.queries.job_body import job_body
from tasks.domain.errors import Problem
from tasks.domain.matrix import Role
from tasks.domain.policies import PolicyKind
from tasks.models import Event, ProjectPolicy
from tasks.operations.row_locks import lock_task
from tests.support.pipeline import NOWHERE, a_house, answer_to, fresh, no_key, send, waiting
from tests.support.policies import HOUR, declared, sweep, waited
from tests.support.racing import at_once, until_somebody_waits
from tests.support.workflow import call

DEFAULT, QUEUE = PolicyKind.TIMEOUT_DEFAULT, PolicyKind.TIMEOUT_TO_QUEUE
ROUNDS = range(3)


def due(house):
    job, body = waiting(house)
    waited(job, HOUR + 1)
    return job, body


def or_problem(act):
    def run():
        try:
            return act()
        except Problem as problem:
            return problem

    return run


def test_many_sweeps_at_once_have_one_effect_on_each_pause(committed_db):
    house = a_house()
    declared(house, DEFAULT)
    jobs = [due(house)[0] for _ in range(6)]
    swept = at_once([sweep] * 6)
    assert sum(answered for answered, *_ in swept) == len(jobs)
    assert [failed for *_, failed in swept] == [0] * 6
    assert PolicyAct.objects.count() == len(jobs)
    for job in jobs:
        assert (fresh(job).status, fresh(job).version) == ("PROCESSING_APPROVED_SUBJECTS", 3)
        assert NodeRun.objects.filter(job=job, node_type="PROCESS_APPROVED_BOX_LIST").count() == 1
        assert Event.objects.filter(job_id=job.pk, type="pause.consumed").count() == 1
    assert violations() == []


def test_many_sweeps_at_once_put_a_pause_to_others_once(committed_db):
    house = a_house()
    declared(house, QUEUE)
    job, _ = due(house)
    assert sorted(passed_on for _, passed_on, *_ in at_once([sweep] * 4)) == [0, 0, 0, 1]
    assert PolicyAct.objects.count() == 1
    assert Event.objects.filter(job_id=job.pk, type="policy.applied").count() == 1
    assert violations() == []


@pytest.mark.parametrize("_", ROUNDS)
def test_of_a_person_and_the_sweep_exactly_one_answers(committed_db, _):
    house = a_house()
    declared(house, DEFAULT)
    job, body = due(house)
    answer = answer_to(body, [], intervention_id=str(uuid4()))
    swept, answered = at_once([sweep, or_problem(lambda: send(house, job, answer))])
    pause = Pause.objects.get(job=job)
    assert pause.status == "CONSUMED"
    assert (Intervention.objects.count(), PolicyAct.objects.count()) in {(1, 0), (0, 1)}
    if isinstance(answered, Problem):
        assert answered.code == "VERSION_CONFLICT"
        assert answered.fields["snapshot"]["policy_version"] == "timeout_default@1"
        assert swept[0] == 1
    else:
        assert json.loads(answered.body)["outcome"] == fresh(job).status == "EMPTY_SELECTION"
        assert (swept[0], fresh(job).policy_version) == (0, "")
    assert violations() == []


@pytest.mark.parametrize("first", ["the person", "the sweep"])
def test_whoever_has_the_task_s_row_first_wins(committed_db, first):
    """Both orders for certain: the second is seen waiting for the row before the first commits."""
    house = a_house()
    declared(house, DEFAULT)
    job, body = due(house)
    answer = answer_to(body, [])
    acts = {"the person": or_problem(lambda: send(house, job, answer)), "the sweep": sweep}
    results = {}

    def run(name):
        try:
            results[name] = acts[name]()
        finally:
            connection.close()

    names = [first, *(name for name in acts if name != first)]
    threads = {name: threading.Thread(target=run, args=(name,), daemon=True) for name in names}
    with transaction.atomic():
        lock_task(job.task_id)
        for place, name in enumerate(names, start=1):
            threads[name].start()
            until_somebody_waits(number=place)
    for thread in threads.values():
        thread.join(30)
        assert not thread.is_alive()
    if first == "the sweep":
        assert results["the sweep"] == (1, 0, 0, 0)
        assert results["the person"].code == "VERSION_CONFLICT"
        assert fresh(job).status == "PROCESSING_APPROVED_SUBJECTS"
    else:
        # Due when it looked, and not any more once it had the row.
        assert results["the sweep"] == (0, 0, 1, 0)
        assert results["the person"].status == 200
        assert fresh(job).status == "EMPTY_SELECTION"
    assert violations() == []


@pytest.mark.parametrize("_", ROUNDS)
def test_a_cancel_and_the_sweep_leave_one_of_the_two(committed_db, _):
    house = a_house()
    declared(house, DEFAULT)
    job, _body = due(house)
    key = no_key(house.anna, Role.ANNOTATOR, "cancel_job")
    cancel = or_problem(lambda: cancel_job(actor=house.anna, job_id=job.pk, request=key, context=NOWHERE))
    swept, _cancelled = at_once([or_problem(sweep), cancel])
    assert fresh(job).status == "CANCELLED"
    assert Pause.objects.get(job=job).status == ("CONSUMED" if swept[0] else "CANCELLED")
    assert violations() == []


def test_a_policy_switched_off_while_the_sweep_waits_does_nothing(committed_db):
    house = a_house()
    declared(house, DEFAULT)
    job, body = due(house)
    results = []

    def run():
        try:
            results.append(sweep())
        finally:
            connection.close()

    thread = threading.Thread(target=run, daemon=True)
    with transaction.atomic():
        lock_task(job.task_id)
        thread.start()
        until_somebody_waits()
        declared(house, DEFAULT, is_on=False, seconds_ago=0)
    thread.join(30)
    assert results == [(0, 0, 1, 0)]
    now = job_body(job.pk)
    assert now["active_pause"]["pause_token"] == body["active_pause"]["pause_token"]
    assert not PolicyAct.objects.exists()


def test_two_admins_at_once_make_two_versions_or_one_is_told(committed_db):
    house = a_house()
    body = {"is_on": True, "after_seconds": 60, "group": "reviewers"}
    path = f"projects/{house.project.pk}/policies/timeout_to_queue"
    answers = at_once(
        [
            lambda n=n: call(house.olga, "put", path, body | {"after_seconds": 60 + n, "expected_version": 0})
            for n in range(8)
        ]
    )
    assert sorted(answer.status for answer in answers) == [200] + [409] * 7
    assert ProjectPolicy.objects.count() == 1
    free = at_once(
        [lambda n=n: call(house.otto, "put", path, body | {"after_seconds": 100 + n}) for n in range(8)]
    )
    assert {answer.status for answer in free} == {200}
    assert sorted(ProjectPolicy.objects.values_list("version", flat=True)) == list(range(1, 10))
    assert violations() == []


def test_two_compensations_at_once_are_one_job(committed_db):
    house = a_house()
    declared(house, DEFAULT, answer="keep_none")
    job, _ = due(house)
    assert sweep() == (1, 0, 0, 0)
    answers = at_once([lambda: call(house.anna, "post", f"jobs/{job.pk}/compensate", {})] * 6)
    assert sorted(answer.status for answer in answers) == [202] + [409] * 5
    assert Job.objects.filter(compensates=job).count() == 1
    assert violations() == []
