"""The declared timeouts: what the sweep does to a pause, and above all what it leaves alone (I5)."""

import io

import pytest
from django.core.management import call_command

from review.models import Intervention, Job, NodeRun, Pause, PolicyAct
from review.operations.cancel_job import cancel_job
from review.operations.follow_step import follow_step
from review.queries.invariants import violations
from review.queries.job_body import job_body
from review.queries.pause_body import past_pause_body, past_pauses
from tasks.domain.errors import Problem
from tasks.domain.matrix import Role
from tasks.domain.policies import PolicyKind
from tasks.models import AuditEntry, Batch, Event, Project, Task
from tasks.operations.transactions import db_now
from tests.support.pipeline import (
    CUP,
    NOWHERE,
    TABLE,
    a_house,
    a_job,
    answer_to,
    detected,
    finalized,
    fresh,
    no_key,
    processed,
    queued,
    report,
    send,
    waiting,
)
from tests.support.policies import DAY, HOUR, declared, sweep, waited
from tests.support.unchanged import unchanged
from tests.support.workflow import held_by, let_pass

pytestmark = pytest.mark.django_db

DEFAULT, QUEUE = PolicyKind.TIMEOUT_DEFAULT, PolicyKind.TIMEOUT_TO_QUEUE
TIMEOUTS = [DEFAULT, QUEUE]
NOTHING, LEFT = (0, 0, 0, 0), (0, 0, 1, 0)
MANUAL = {"bbox": [100, 20, 150, 70]}


def said():
    out = io.StringIO()
    call_command("sweep_pauses", stdout=out)
    return out.getvalue()


def due(house, *kinds, **terms):
    """A job that has waited longer than the policies of these kinds say."""
    for kind in kinds:
        declared(house, kind, **terms)
    job, body = waiting(house)
    waited(job, HOUR + 1)
    return job, body


def events_of(job, *types):
    return list(Event.objects.filter(job_id=job.pk, type__in=types).order_by("seq"))


def second_round(house):
    """A job that asks again about one of three boxes: the model's passed, a manual one did, one did not."""
    job, body = waiting(house)
    drawn = [MANUAL, {"bbox": [5, 5, 40, 40]}]
    send(house, job, answer_to(body, [*body["box_list"]["boxes"][:1], *drawn], deleted_box_ids=None))
    run = queued(job, "VALIDATE_MANUAL_BOX_LIST")
    good, bad = (box["box_id"] for box in run.input["items_to_validate"])
    answers = [
        {"box_id": good, "valid": True, "label": "spoon", "score": 0.8},
        {"box_id": bad, "valid": False, "code": "NOT_RECOGNISED", "message": "What is it?"},
    ]
    report(run, {"items": answers})
    assert fresh(job).status == "WAITING_BOX_BATCH_REVISION"
    return job, good, bad


def test_without_a_policy_nothing_is_ever_due():
    house = a_house()
    job, _ = waiting(house)
    waited(job, 5000 * DAY)
    with unchanged("a sweep"):
        assert "0 pauses touched: no project" in said()
        assert sweep() == NOTHING


def test_another_project_s_policy_is_nobody_else_s():
    declared(a_house(), DEFAULT)
    job, _ = due(a_house())
    with unchanged("a sweep"):
        assert "0 pauses touched" in said()
    assert fresh(job).status == "WAITING_USER_SELECTION"


@pytest.mark.parametrize("kind", TIMEOUTS)
def test_a_policy_that_was_switched_off_does_nothing(kind):
    house = a_house()
    due(house, kind)
    declared(house, kind, is_on=False, seconds_ago=1)
    with unchanged("a sweep"):
        assert sweep() == NOTHING


@pytest.mark.parametrize("kind", TIMEOUTS)
def test_a_pause_from_before_the_policy_is_never_touched(kind):
    house = a_house()
    job, _ = waiting(house)
    declared(house, kind, seconds_ago=0)
    waited(job, 5000 * DAY)
    with unchanged("a sweep"):
        assert sweep() == NOTHING


@pytest.mark.parametrize("kind", TIMEOUTS)
def test_nor_is_one_without_its_version_whatever_its_age_says(kind):
    """Made before, yet the clock of its row says after: the version on the row decides too."""
    house = a_house()
    job, _ = waiting(house)
    waited(job, HOUR + 1)
    declared(house, kind, seconds_ago=2 * DAY)
    with unchanged("a sweep"):
        assert sweep() == NOTHING


@pytest.mark.parametrize("kind", TIMEOUTS)
def test_nor_one_whose_row_is_older_than_the_version_it_names(kind):
    house = a_house()
    declared(house, kind, seconds_ago=2 * HOUR)
    job, _ = waiting(house)
    waited(job, 3 * HOUR)
    with unchanged("a sweep"):
        assert sweep() == NOTHING


@pytest.mark.parametrize("whose", ["its own, never on", "another project's"])
@pytest.mark.parametrize("kind", TIMEOUTS)
def test_nor_one_that_names_a_version_that_is_not_for_it(kind, whose):
    house = a_house()
    job, _ = waiting(house)
    wrong = declared(a_house(), kind) if "another" in whose else declared(house, kind, is_on=False)
    pause = Pause.objects.get(job=job)
    Pause.objects.filter(pk=pause.pk).update(status="CANCELLED", round=9)
    pause.pk, pause.pause_token = None, "another"
    pause.default_policy = pause.queue_policy = wrong
    pause.save(force_insert=True)
    waited(job, HOUR + 1)
    with unchanged("a sweep"):
        assert sweep() == NOTHING


@pytest.mark.parametrize("kind", TIMEOUTS)
def test_a_task_that_was_handed_in_takes_no_answer_from_anybody(kind):
    house = a_house()
    job, _ = due(house, kind)
    for status in ("in_progress", "review", "completed"):
        Task.objects.filter(pk=job.task_id).update(status=status)
        if status != "in_progress":
            with unchanged("a sweep"):
                assert sweep() == NOTHING


@pytest.mark.parametrize("kind", TIMEOUTS)
def test_a_change_takes_what_waits_already_out_of_reach(kind):
    house = a_house()
    job, _ = due(house, kind)
    declared(house, kind, seconds_ago=1.5 * DAY)
    with unchanged("a sweep"):
        assert sweep() == NOTHING
    assert "if_unanswered" not in job_body(job.pk)


@pytest.mark.parametrize("kind", TIMEOUTS)
def test_before_its_time_nothing_is_due(kind):
    house = a_house()
    declared(house, kind)
    job, _ = waiting(house)
    waited(job, HOUR - 5)
    with unchanged("a sweep"):
        assert sweep() == NOTHING


@pytest.mark.parametrize("kind", TIMEOUTS)
def test_nobody_is_overtaken_while_they_hold_the_task(kind):
    house = a_house()
    job, _ = due(house, kind)
    held_by(job.task, house.anna, ttl=300)
    with unchanged("a sweep"):
        assert sweep() == LEFT
    # She has given no sign of life for half a TTL: others may take over, and so may the declared answer.
    let_pass(job.task, 151)
    assert sum(sweep()[:2]) == 1


@pytest.mark.parametrize(
    ("what", "changes"),
    [
        (Batch, {"held_at": "2026-01-01T00:00:00Z"}),
        (Batch, {"status": "draft"}),
        (Batch, {"status": "archived"}),
        (Batch, {"archived_at": "2026-01-01T00:00:00Z"}),
        (Task, {"archived_at": "2026-01-01T00:00:00Z"}),
        (Project, {"archived_at": "2026-01-01T00:00:00Z"}),
    ],
)
@pytest.mark.parametrize("kind", TIMEOUTS)
def test_work_that_is_on_hold_or_put_away_waits(kind, what, changes):
    due(a_house(), kind)
    what.objects.update(**changes)
    with unchanged("a sweep"):
        assert sweep() == NOTHING


def test_the_default_answer_goes_the_way_of_an_answer_and_says_whose_it_is():
    house = a_house()
    job, body = due(house, DEFAULT)
    assert body["if_unanswered"] == {
        "policy_version": "timeout_default@1",
        "answer": "keep_shown",
        "after_seconds": HOUR,
    }
    assert "1 pauses touched: 1 answered by default" in said()
    now = job_body(job.pk)
    assert (now["status"], now["version"]) == ("PROCESSING_APPROVED_SUBJECTS", 3)
    assert (now["policy_version"], now["active_pause"]) == ("timeout_default@1", None)
    assert "if_unanswered" not in now
    assert now["approved_box_list"] == now["box_list"] == body["box_list"]
    run = queued(job, "PROCESS_APPROVED_BOX_LIST")
    assert [box["box_id"] for box in run.input["box_list"]] == [
        box["box_id"] for box in body["box_list"]["boxes"]
    ]
    pause = Pause.objects.get(job=job)
    assert (pause.status, pause.policy_version) == ("CONSUMED", "timeout_default@1")
    assert (pause.consumed_by, pause.consumed_intervention) == (None, "")
    act = PolicyAct.objects.get()
    assert (act.policy.version, act.pause_id, act.outcome) == (1, pause.pk, "PROCESSING")
    told = past_pause_body(past_pauses(job).get())
    assert (told["outcome"], told["policy_version"]) == ("PROCESSING", "timeout_default@1")
    assert told["changes"]["kept"] == [
        {"box_id": box["box_id"], "label": box["label"]} for box in body["box_list"]["boxes"]
    ]
    entry = AuditEntry.objects.get(action="job.policy")
    assert (entry.actor_id, entry.reason) == (None, f"Nobody answered within {HOUR} seconds.")
    assert entry.after["policy"] == "timeout_default@1"
    assert entry.after["declared_by"] == house.olga.username
    applied, consumed, moved = events_of(job, "policy.applied", "pause.consumed", "job.status")[-3:]
    assert (applied.payload["policy"], applied.payload["version"]) == ("timeout_default", 1)
    assert applied.payload["outcome"] == "PROCESSING"
    assert (consumed.type, consumed.payload["by"]) == ("pause.consumed", None)
    assert moved.payload["status"] == "PROCESSING_APPROVED_SUBJECTS"
    # Nobody claimed the task, and it is not anybody's now.
    task = Task.objects.get(pk=job.task_id)
    assert (task.status, task.assignee_id) == ("pending", None)
    processed(job)
    finalized()
    assert fresh(job).status == "SUCCEEDED"
    assert violations() == []
    with unchanged("a second sweep"):
        assert sweep() == NOTHING


def test_a_late_answer_gets_the_job_as_it_is():
    house = a_house()
    job, body = due(house, DEFAULT)
    assert sweep() == (1, 0, 0, 0)
    with unchanged("a late answer"), pytest.raises(Problem) as caught:
        send(house, job, answer_to(body, []))
    assert caught.value.code == "VERSION_CONFLICT"
    assert caught.value.fields["snapshot"]["policy_version"] == "timeout_default@1"
    assert not Intervention.objects.exists()


@pytest.mark.parametrize(("found", "answer"), [([CUP, TABLE], "keep_none"), ([], "keep_shown")])
def test_a_default_that_keeps_nothing_ends_as_an_empty_selection(found, answer):
    house = a_house()
    declared(house, DEFAULT, answer=answer)
    job = a_job(house)
    detected(job, *found)
    waited(job, HOUR + 1)
    assert sweep() == (1, 0, 0, 0)
    now = job_body(job.pk)
    assert (now["status"], now["failure"], now["box_list"]["boxes"]) == ("EMPTY_SELECTION", None, [])
    (told,) = events_of(job, "EMPTY_SELECTION_SUBMITTED")
    assert told.payload["by"] is None
    removed = past_pause_body(past_pauses(job).get())["changes"]["removed"]
    assert [(box["label"], box["why"]) for box in removed] == [(box["label"], "filtered") for box in found]
    assert not NodeRun.objects.filter(job=job, node_type="PROCESS_APPROVED_BOX_LIST").exists()
    assert violations() == []


def test_in_the_second_round_what_was_not_recognised_is_left_out():
    house = a_house()
    declared(house, DEFAULT)
    job, good, bad = second_round(house)
    waited(job, HOUR + 1)
    before = job_body(job.pk)
    # The first round's pause was made under the policy as well, and a person answered it.
    let_pass(job.task, 301)
    assert sweep() == (1, 0, 0, 0)
    kept = [box["box_id"] for box in job_body(job.pk)["approved_box_list"]["boxes"]]
    assert kept == [box["box_id"] for box in before["box_list"]["boxes"] if box["box_id"] != bad]
    assert good in kept
    assert PolicyAct.objects.get().effect["dropped"] == [{"box_id": bad, "why": "filtered"}]
    assert queued(job, "PROCESS_APPROVED_BOX_LIST").input["deleted_box_ids"] == [bad]
    assert violations() == []


def test_a_cancelled_wait_is_nobody_s_to_answer():
    house = a_house()
    job, _ = due(house, DEFAULT, QUEUE)
    key = no_key(house.anna, Role.ANNOTATOR, "cancel_job")
    cancel_job(actor=house.anna, job_id=job.pk, request=key, context=NOWHERE)
    with unchanged("a sweep"):
        assert sweep() == NOTHING


def test_a_running_model_is_waited_for():
    house = a_house()
    job, _ = due(house, DEFAULT)
    now = db_now()
    run = NodeRun.objects.create(
        task_id=job.task_id, node_type="DETECT_REGION", available_at=now, created_at=now
    )
    with unchanged("a sweep"):
        assert sweep() == LEFT
    NodeRun.objects.filter(pk=run.pk).update(status="FAILED")
    assert sweep() == (1, 0, 0, 0)


def test_an_error_in_one_does_not_keep_the_others_waiting(monkeypatch):
    house = a_house()
    first, _ = due(house, DEFAULT)
    second, _ = waiting(house)
    waited(second, HOUR + 1)

    def breaks_for_the_first(**values):
        if values["job"].pk == first.pk:
            raise RuntimeError("broken")
        return follow_step(**values)

    monkeypatch.setattr("review.operations.sweep_pauses.follow_step", breaks_for_the_first)
    assert sweep() == (1, 0, 0, 1)
    assert fresh(first).status == "WAITING_USER_SELECTION"
    assert fresh(second).status == "PROCESSING_APPROVED_SUBJECTS"
    assert violations() == []


def test_put_to_others_the_pause_is_the_same_and_nothing_else_moves():
    house = a_house()
    job, body = due(house, QUEUE)
    row = Job.objects.filter(pk=job.pk).values().get()
    assert "1 put to others" in said()
    now = job_body(job.pk)
    assert now["active_pause"] == body["active_pause"] | {
        "group": "reviewers",
        "created_at": now["active_pause"]["created_at"],
    }
    assert Job.objects.filter(pk=job.pk).values().get() == row
    assert Pause.objects.get(job=job).policy_version == "timeout_to_queue@1"
    (applied,) = events_of(job, "policy.applied")
    assert (applied.payload["outcome"], applied.payload["pause"]["group"]) == ("ASKED_OTHERS", "reviewers")
    effect = {"group": {"before": "annotators", "after": "reviewers"}}
    assert PolicyAct.objects.get().effect == effect
    assert AuditEntry.objects.get(action="job.policy").after["group"] == effect["group"]
    told = past_pause_body(past_pauses(job).get())
    assert (told["outcome"], told["changes"]) == (None, None)
    with unchanged("a second sweep"):
        assert sweep() == NOTHING
    # The same token answers it, from whoever may answer.
    send(house, job, answer_to(body, []), by="rita")
    pause = Pause.objects.get(job=job)
    assert (pause.status, pause.consumed_by_id) == ("CONSUMED", house.rita.pk)
    assert (fresh(job).status, fresh(job).policy_version) == ("EMPTY_SELECTION", "")
    assert violations() == []


def test_others_first_and_then_the_default():
    house = a_house()
    declared(house, DEFAULT, after_seconds=2 * HOUR)
    job, _ = due(house, QUEUE)
    assert sweep() == (0, 1, 0, 0)
    waited(job, 2 * HOUR + 1)
    assert sweep() == (1, 0, 0, 0)
    assert Pause.objects.get(job=job).policy_version == "timeout_default@1"
    assert set(PolicyAct.objects.values_list("outcome", flat=True)) == {"ASKED_OTHERS", "PROCESSING"}
    assert violations() == []


def test_where_both_are_due_the_answer_is_enough():
    house = a_house()
    due(house, DEFAULT, QUEUE)
    assert sweep() == (1, 0, 0, 0)
