"""Whatever happens in whatever order, the invariants hold after each step, and when the trouble is over
everything has come to its end or waits for a person (I3, I4, I6, I8, I9).

A run that fails is printed with its blob, and kept in `.cache/test-results/hypothesis`: the next run begins
with it.
"""

from collections import Counter
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.database import DirectoryBasedExampleDatabase
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from pytest_django.plugin import DjangoDbBlocker

from review.domain.job_states import TERMINAL, WAITING, JobStatus
from review.models import Job, NodeRun
from review.operations.cancel_job import cancel_job
from review.operations.receive_report import receive_report
from review.operations.relay_outbox import publish_due, run_steps
from review.operations.sweep_runs import sweep_runs
from review.queries.invariants import violations
from review.queries.job_body import job_body
from tasks.domain.errors import IdempotencyConflict, IllegalTransition, JobActive, Problem
from tasks.domain.matrix import Role
from tasks.operations import failpoints
from tests.faults.unreliable_world import (
    ACTIONS,
    MOST_JOBS,
    Attempt,
    Crash,
    World,
    crash,
    effects,
    ends,
    words,
)
from tests.support import databases
from tests.support.layers import RESULTS
from tests.support.pipeline import NOWHERE, a_house, a_job, fresh, no_key, send

EXAMPLES, STEPS = 20, 105
LEAST_STEPS = 2000
#: How often each thing was done, over all runs.
DONE: Counter[str] = Counter()

pick = st.integers(0, 1000)
keep = st.sampled_from(["all", "one", "drawn", "drawn", "skip", "none"])
who = st.sampled_from(["anna", "abel"])
MOMENTS = st.sampled_from(["before_commit", "before_hint", "after_commit"])
RELAY_MOMENTS = ("before_commit.publish_due", "after_commit.publish_due", "before_commit.run_step",
                 "after_commit.run_step", "before_commit.send_again", "after_commit.send_again")  # fmt: skip


class Pauses(RuleBasedStateMachine):
    """Up to three live jobs of one project, in a database of the run's own."""

    #: Set by the test.
    folder: Path

    def __init__(self) -> None:
        super().__init__()
        self.open = ExitStack()
        self.open.enter_context(databases.clone())
        self.world = World(self.folder, a_house())
        #: (job, answer, by, reply or None where the client had none)
        self.answers: list[tuple[Job, Any, str, Any]] = []
        self.ends: dict[Any, tuple[Any, ...]] = {}
        self.looks = 0

    def teardown(self) -> None:
        try:
            assert violations() == []
            self.world.come_to_rest()
            assert violations(is_quiet=True) == []
            hanging = Job.objects.exclude(status__in=TERMINAL | WAITING)
            assert list(hanging.values_list("status", flat=True)) == []
            self.all_holds()
        finally:
            self.open.close()

    @initialize(head_start=st.integers(0, 3), kept=keep)
    def begin_somewhere(self, head_start: int, kept: str) -> None:
        """So that late stages are met as often as early ones."""
        self.world.create_one()
        for _ in range(head_start):
            if self.world.asking():
                job, answer = self.world.an_answer(0, kept)
                send(self.world.house, job, answer)
            self.world.need_question()

    # What people do.

    @rule()
    def create(self) -> None:
        DONE["create"] += 1
        if self.world.live() < MOST_JOBS:
            self.world.create_one()
            return
        with pytest.raises(JobActive):
            a_job(self.world.house, task=Job.objects.exclude(status__in=TERMINAL)[0].task)

    @rule(pick=pick, kept=keep, by=who)
    def intervene(self, pick: int, kept: str, by: str) -> None:
        if self.world.need_question():
            DONE["intervene"] += 1
            job, answer = self.world.an_answer(pick, kept)
            self.answers.append((job, answer, by, send(self.world.house, job, answer, by=by)))

    @rule(pick=pick, kept=keep, by=who, moment=MOMENTS)
    def intervene_and_hear_nothing(self, pick: int, kept: str, by: str, moment: str) -> None:
        """The web process dies; its client sends the same again, now or later."""
        if self.world.need_question():
            DONE["web crash"] += 1
            job, answer = self.world.an_answer(pick, kept)
            before = job_body(job.pk)
            self.world.crashes_at(f"{moment}.intervene", lambda: send(self.world.house, job, answer, by=by))
            assert (job_body(job.pk) == before) == (moment == "before_commit")
            self.answers.append((job, answer, by, None))

    @precondition(lambda self: self.answers)
    @rule(pick=pick)
    def replay(self, pick: int) -> None:
        DONE["replay"] += 1
        place = pick % len(self.answers)
        job, answer, by, reply = self.answers[place]
        before = job_body(job.pk)
        try:
            again = send(self.world.house, job, answer, by=by)
        except Problem:
            # A 409: its first sending was lost with the process, and the job has gone on without it.
            again = None
        if again is None or reply is not None:
            assert again == reply
            assert job_body(job.pk) == before
        self.answers[place] = (job, answer, by, again)

    @precondition(lambda self: any(reply for *_, reply in self.answers))
    @rule(pick=pick)
    def reuse_an_id(self, pick: int) -> None:
        DONE["reused id"] += 1
        given = [each for each in self.answers if each[3] is not None]
        job, answer, by, _ = given[pick % len(given)]
        with pytest.raises(IdempotencyConflict):
            send(self.world.house, job, answer, by="rita" if by != "rita" else "anna")

    @precondition(lambda self: self.answers)
    @rule(pick=pick, by=who)
    def answer_with_a_stale_token(self, pick: int, by: str) -> None:
        DONE["stale token"] += 1
        job, old, *_ = self.answers[pick % len(self.answers)]
        body = job_body(job.pk)
        now = body["active_pause"] or {}
        if now.get("pause_token") == old.pause_token:
            stale = {"pause_token": "pause_of_nobody"}
        else:
            # The old token, as the old tab has it, or with a version read elsewhere.
            version = body["version"] if pick % 2 else old.base_version
            stale = {"pause_token": old.pause_token, "base_version": version}
        answer = replace(old, intervention_id=str(uuid4()), **stale)
        with pytest.raises(Problem) as refused:
            send(self.world.house, job, answer, by=by)
        assert refused.value.status == 409
        assert refused.value.fields["snapshot"] == job_body(job.pk) == body

    @rule(pick=pick, mercy=st.integers(0, 3))
    def cancel(self, pick: int, mercy: int) -> None:
        """Mostly a job that has ended already: a run of nothing but cancelled jobs would show little."""
        ended = [job for job in self.world.jobs if job.pk in self.ends]
        choice = ended if mercy and ended else self.world.jobs
        job = choice[pick % len(choice)]
        DONE["cancel"] += 1
        key = no_key(self.world.house.anna, Role.ANNOTATOR, "cancel_job")
        was = fresh(job).status
        try:
            cancel_job(actor=self.world.house.anna, job_id=job.pk, request=key, context=NOWHERE)
            assert fresh(job).status == JobStatus.CANCELLED
        except IllegalTransition:
            assert was in TERMINAL

    # What relays and brokers do.

    @rule()
    def relay(self) -> None:
        DONE["relay"] += 1
        self.world.relay()

    @rule(moment=st.sampled_from(RELAY_MOMENTS), is_late=st.booleans())
    def relay_crashes(self, moment: str, is_late: bool) -> None:
        DONE["relay crash"] += 1
        if is_late:
            self.world.let_time_pass()

        def turn() -> None:
            run_steps()
            publish_due(publish=self.world.publish)
            sweep_runs(messages_waiting=0)

        self.world.crashes_at(moment, turn)

    @rule(messages=st.integers(0, 2))
    def relay_crashes_while_publishing(self, messages: int) -> None:
        """Between two messages, or between the last one and their marks."""
        DONE["relay crash"] += 1
        most = len(self.world.broker) + messages

        def publish(task: str, payload: dict[str, Any]) -> None:
            if len(self.world.broker) >= most:
                raise Crash
            self.world.publish(task, payload)

        try:
            publish_due(publish=publish)
        except Crash:
            return

    @rule(is_late=st.booleans())
    def sweep(self, is_late: bool) -> None:
        DONE["sweep"] += 1
        if is_late:
            self.world.let_time_pass()
        sweep_runs(messages_waiting=0)

    @rule()
    def broker_is_emptied(self) -> None:
        if self.world.need_message():
            DONE["lost messages"] += 1
            self.world.broker.clear()

    @rule(pick=pick)
    def broker_doubles(self, pick: int) -> None:
        if self.world.need_message():
            DONE["duplicate message"] += 1
            self.world.broker.append(self.world.broker[pick % len(self.world.broker)])

    # What workers do.

    @rule(pick=pick)
    def take(self, pick: int) -> None:
        """Any message of the queue: reordered."""
        if self.world.need_message():
            DONE["take"] += 1
            self.world.take(pick)

    def a_hand(self, pick: int) -> Attempt:
        return self.world.hands.pop(pick % len(self.world.hands))

    @rule(pick=pick, how=st.sampled_from(["ok"] * 8 + ["retry", "fail", "broken"]))
    def report(self, pick: int, how: str) -> None:
        if self.world.need_work():
            DONE["report"] += 1
            attempt = self.a_hand(pick)
            self.world.deliver(attempt, words(attempt, how))

    @precondition(lambda self: self.world.said)
    @rule(pick=pick)
    def report_again(self, pick: int) -> None:
        DONE["duplicate report"] += 1
        attempt, said = self.world.said[pick % len(self.world.said)]
        run = NodeRun.objects.get(pk=attempt.run_id)
        before = job_body(run.job_id)
        receive_report(run_id=attempt.run_id, attempt=attempt.number, **said)
        assert job_body(run.job_id) == before

    @rule(pick=pick, how=st.sampled_from(["ok", "ok", "fail"]), is_replaced=st.booleans())
    def report_late(self, pick: int, how: str, is_replaced: bool) -> None:
        """A worker that was given up has lived on."""
        if not self.world.ghosts and self.world.need_work():
            self.world.lose_leases()
        if is_replaced:
            self.world.need_work()
        if self.world.ghosts:
            DONE["late report"] += 1
            attempt = self.world.ghosts.pop(pick % len(self.world.ghosts))
            self.world.deliver(attempt, words(attempt, how))

    @rule(pick=pick, is_redelivered=st.booleans())
    def kill_worker(self, pick: int, is_redelivered: bool) -> None:
        if self.world.need_work():
            DONE["worker kill"] += 1
            attempt = self.a_hand(pick)
            if is_redelivered:
                self.world.broker.append(str(attempt.run_id))

    @rule(pick=pick, moment=MOMENTS)
    def kill_worker_while_it_reports(self, pick: int, moment: str) -> None:
        if self.world.need_work():
            DONE["worker kill"] += 1
            attempt = self.a_hand(pick)
            said = words(attempt, "ok")
            self.world.crashes_at(f"{moment}.receive_report", lambda: self.world.deliver(attempt, said))
            self.world.broker.append(str(attempt.run_id))

    @rule()
    def leases_run_out(self) -> None:
        if self.world.need_work():
            DONE["lost lease"] += 1
            self.world.lose_leases()

    # What must hold after each of them.

    @invariant()
    def all_holds(self) -> None:
        # The many statements of the checker after every third step: a run's end has them all again.
        self.looks += 1
        if self.looks % 3 == 0:
            assert violations() == []
        assert effects() == [], "a node took effect twice"
        for end in ends():
            assert self.ends.setdefault(end[0], end) == end, "an end is an end"


@pytest.mark.slow
@pytest.mark.timeout(400)
@pytest.mark.usefixtures("django_db_setup", "valkey")
def test_whatever_the_order(
    django_db_blocker: DjangoDbBlocker, settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings.FAILPOINTS = str(tmp_path)
    monkeypatch.setitem(failpoints.ACTIONS, "crash", crash)
    monkeypatch.setattr(Pauses, "folder", tmp_path, raising=False)
    DONE.clear()
    with django_db_blocker.unblock():
        run_state_machine_as_test(Pauses, settings=HOW)
        while DONE.total() < LEAST_STEPS or ACTIONS - set(DONE):
            # Chance had it that too many steps found nothing to do.
            run_state_machine_as_test(Pauses, settings=SOME_MORE)
    assert DONE.total() >= LEAST_STEPS, DONE
    print("done:", dict(DONE))


HOW = settings(
    max_examples=EXAMPLES,
    stateful_step_count=STEPS,
    deadline=None,
    print_blob=True,
    database=DirectoryBasedExampleDatabase(RESULTS / "hypothesis"),
    suppress_health_check=list(HealthCheck),
    phases=(Phase.reuse, Phase.generate),
)
SOME_MORE = settings(HOW, max_examples=1)
