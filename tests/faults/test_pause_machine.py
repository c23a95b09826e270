"""Whatever happens in whatever order, the invariants hold after each step, and when the trouble is over
everything has come to its end or waits for a person (I3, I4, I6, I8, I9).

A run that fails is printed with its blob, and kept in `.cache/test-results/hypothesis`: the next run begins
with it.
"""

from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, replace
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

EXAMPLES, LENGTH = 20, 105
LEAST_STEPS = 2000
#: How often each thing was done, over all runs.
DONE: Counter[str] = Counter()


@dataclass(frozen=True)
class Drawn:
    """Chance's part in a step."""

    pick: int
    number: int
    flag: bool
    kept: str
    by: str
    how: str
    moment: str
    relay_moment: str


KEPT = st.sampled_from(["all", "one", "drawn", "drawn", "skip", "none"])
DRAWN = st.builds(
    Drawn,
    pick=st.integers(0, 1000),
    number=st.integers(0, 3),
    flag=st.booleans(),
    kept=KEPT,
    by=st.sampled_from(["anna", "abel"]),
    how=st.sampled_from(["ok"] * 8 + ["retry", "fail", "broken"]),
    moment=st.sampled_from(["before_commit", "before_hint", "after_commit"]),
    relay_moment=st.sampled_from(
        [
            f"{moment}.{operation}"
            for moment in ("before_commit", "after_commit")
            for operation in ("publish_due", "run_step", "send_again")
        ]
    ),
)
STEPS: list[str] = []


def step(method: Any) -> Any:
    """One of the things that may happen."""
    STEPS.append(method.__name__)
    return method


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

    @initialize(head_start=st.integers(0, 3), kept=KEPT)
    def begin_somewhere(self, head_start: int, kept: str) -> None:
        """So that late stages are met as often as early ones."""
        self.world.create_one()
        for _ in range(head_start):
            if self.world.asking():
                job, answer = self.world.an_answer(0, kept)
                send(self.world.house, job, answer)
            self.world.need_question()

    # What people do.

    @step
    def create(self, _: Drawn) -> None:
        DONE["create"] += 1
        if self.world.live() < MOST_JOBS:
            self.world.create_one()
            return
        with pytest.raises(JobActive):
            a_job(self.world.house, task=Job.objects.exclude(status__in=TERMINAL)[0].task)

    @step
    def intervene(self, drawn: Drawn) -> None:
        if self.world.need_question():
            DONE["intervene"] += 1
            job, answer = self.world.an_answer(drawn.pick, drawn.kept)
            self.answers.append((job, answer, drawn.by, send(self.world.house, job, answer, by=drawn.by)))

    @step
    def intervene_and_hear_nothing(self, drawn: Drawn) -> None:
        """The web process dies; its client sends the same again, now or later."""
        if self.world.need_question():
            DONE["web crash"] += 1
            job, answer = self.world.an_answer(drawn.pick, drawn.kept)
            before = job_body(job.pk)
            self.world.crashes_at(
                f"{drawn.moment}.intervene", lambda: send(self.world.house, job, answer, by=drawn.by)
            )
            assert (job_body(job.pk) == before) == (drawn.moment == "before_commit")
            self.answers.append((job, answer, drawn.by, None))

    @step
    def replay(self, drawn: Drawn) -> None:
        if not self.answers:
            return
        DONE["replay"] += 1
        place = drawn.pick % len(self.answers)
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

    @step
    def reuse_an_id(self, drawn: Drawn) -> None:
        if not any(reply for *_, reply in self.answers):
            return
        DONE["reused id"] += 1
        given = [each for each in self.answers if each[3] is not None]
        job, answer, by, _ = given[drawn.pick % len(given)]
        with pytest.raises(IdempotencyConflict):
            send(self.world.house, job, answer, by="rita" if by != "rita" else "anna")

    @step
    def answer_with_a_stale_token(self, drawn: Drawn) -> None:
        if not self.answers:
            return
        DONE["stale token"] += 1
        job, old, *_ = self.answers[drawn.pick % len(self.answers)]
        body = job_body(job.pk)
        now = body["active_pause"] or {}
        if now.get("pause_token") == old.pause_token:
            stale = {"pause_token": "pause_of_nobody"}
        else:
            # The old token, as the old tab has it, or with a version read elsewhere.
            version = body["version"] if drawn.pick % 2 else old.base_version
            stale = {"pause_token": old.pause_token, "base_version": version}
        answer = replace(old, intervention_id=str(uuid4()), **stale)
        with pytest.raises(Problem) as refused:
            send(self.world.house, job, answer, by=drawn.by)
        assert refused.value.status == 409
        assert refused.value.fields["snapshot"] == job_body(job.pk) == body

    @step
    def cancel(self, drawn: Drawn) -> None:
        """Mostly a job that has ended already: a run of nothing but cancelled jobs would show little."""
        ended = [job for job in self.world.jobs if job.pk in self.ends]
        choice = ended if drawn.number and ended else self.world.jobs
        job = choice[drawn.pick % len(choice)]
        DONE["cancel"] += 1
        key = no_key(self.world.house.anna, Role.ANNOTATOR, "cancel_job")
        was = fresh(job).status
        try:
            cancel_job(actor=self.world.house.anna, job_id=job.pk, request=key, context=NOWHERE)
            assert fresh(job).status == JobStatus.CANCELLED
        except IllegalTransition:
            assert was in TERMINAL

    # What relays and brokers do.

    @step
    def relay(self, _: Drawn) -> None:
        DONE["relay"] += 1
        self.world.relay()

    @step
    def relay_crashes(self, drawn: Drawn) -> None:
        DONE["relay crash"] += 1
        if drawn.flag:
            self.world.let_time_pass()

        def turn() -> None:
            run_steps()
            publish_due(publish=self.world.publish)
            sweep_runs(messages_waiting=0)

        self.world.crashes_at(drawn.relay_moment, turn)

    @step
    def relay_crashes_while_publishing(self, drawn: Drawn) -> None:
        """Between two messages, or between the last one and their marks."""
        DONE["relay crash"] += 1
        most = len(self.world.broker) + drawn.number

        def publish(task: str, payload: dict[str, Any]) -> None:
            if len(self.world.broker) >= most:
                raise Crash
            self.world.publish(task, payload)

        try:
            publish_due(publish=publish)
        except Crash:
            return

    @step
    def sweep(self, drawn: Drawn) -> None:
        DONE["sweep"] += 1
        if drawn.flag:
            self.world.let_time_pass()
        sweep_runs(messages_waiting=0)

    @step
    def broker_is_emptied(self, _: Drawn) -> None:
        if self.world.need_message():
            DONE["lost messages"] += 1
            self.world.broker.clear()

    @step
    def broker_doubles(self, drawn: Drawn) -> None:
        if self.world.need_message():
            DONE["duplicate message"] += 1
            self.world.broker.append(self.world.broker[drawn.pick % len(self.world.broker)])

    # What workers do.

    @step
    def take(self, drawn: Drawn) -> None:
        """Any message of the queue: reordered."""
        if self.world.need_message():
            DONE["take"] += 1
            self.world.take(drawn.pick)

    def a_hand(self, pick: int) -> Attempt:
        return self.world.hands.pop(pick % len(self.world.hands))

    @step
    def report(self, drawn: Drawn) -> None:
        if self.world.need_work():
            DONE["report"] += 1
            attempt = self.a_hand(drawn.pick)
            self.world.deliver(attempt, words(attempt, drawn.how))

    @step
    def report_again(self, drawn: Drawn) -> None:
        if not self.world.said:
            return
        DONE["duplicate report"] += 1
        attempt, said = self.world.said[drawn.pick % len(self.world.said)]
        run = NodeRun.objects.get(pk=attempt.run_id)
        before = job_body(run.job_id)
        receive_report(run_id=attempt.run_id, attempt=attempt.number, **said)
        assert job_body(run.job_id) == before

    @step
    def report_late(self, drawn: Drawn) -> None:
        """A worker that was given up has lived on."""
        if not self.world.ghosts and self.world.need_work():
            self.world.lose_leases()
        if drawn.flag:
            self.world.need_work()
        if self.world.ghosts:
            DONE["late report"] += 1
            attempt = self.world.ghosts.pop(drawn.pick % len(self.world.ghosts))
            self.world.deliver(attempt, words(attempt, drawn.how))

    @step
    def kill_worker(self, drawn: Drawn) -> None:
        if self.world.need_work():
            DONE["worker kill"] += 1
            attempt = self.a_hand(drawn.pick)
            if drawn.flag:
                self.world.broker.append(str(attempt.run_id))

    @step
    def kill_worker_while_it_reports(self, drawn: Drawn) -> None:
        if self.world.need_work():
            DONE["worker kill"] += 1
            attempt = self.a_hand(drawn.pick)
            said = words(attempt, "ok")
            self.world.crashes_at(f"{drawn.moment}.receive_report", lambda: self.world.deliver(attempt, said))
            self.world.broker.append(str(attempt.run_id))

    @step
    def leases_run_out(self, _: Drawn) -> None:
        if self.world.need_work():
            DONE["lost lease"] += 1
            self.world.lose_leases()

    @rule(step=st.sampled_from(STEPS), drawn=DRAWN)
    def do(self, step: str, drawn: Drawn) -> None:
        """One of them. Rules of their own would be left out of many runs, by Hypothesis's swarm testing."""
        getattr(self, step)(drawn)

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
@pytest.mark.timeout(600)
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


HOW = settings(
    max_examples=EXAMPLES,
    stateful_step_count=LENGTH,
    deadline=None,
    print_blob=True,
    database=DirectoryBasedExampleDatabase(RESULTS / "hypothesis"),
    suppress_health_check=list(HealthCheck),
    phases=(Phase.reuse, Phase.generate),
)
SOME_MORE = settings(HOW, max_examples=1)
