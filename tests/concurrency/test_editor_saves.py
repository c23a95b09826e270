"""Saves, confirmations and decisions under real commits: one writer, one effect, no former holder."""

import functools
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import pytest
from django.db import connection

from config.embedded.stack import ROOT
from review.models import Annotation, Decision
from tasks.models import AuditEntry, Event
from tests.support.editing import CUP_ITEM, SPOON_ITEM, a_desk
from tests.support.racing import at_once
from tests.support.workflow import let_pass


def stored_draft(task):
    """The draft's row as PostgreSQL has it, to the byte."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT d::text, md5(d::text) FROM drafts d WHERE task_id = %s", [task.pk])
        return cursor.fetchone()


def is_gapless(task):
    numbers = list(Event.objects.filter(task=task).order_by("seq").values_list("seq", flat=True))
    return numbers == list(range(1, len(numbers) + 1))


def test_two_pages_of_one_person_save_on_the_same_version_and_one_wins(committed_db):
    desk = a_desk()
    desk.claim("anna")
    for version in range(5):
        names = (f"left {version}", f"right {version}")
        answers = at_once(
            [
                functools.partial(desk.save, "anna", [{**CUP_ITEM, "id": name}], version=version)
                for name in names
            ]
        )
        assert sorted(answer.status for answer in answers) == [200, 409]
        loser = next(answer for answer in answers if answer.status == 409)
        winner = names[[answer.status for answer in answers].index(200)]
        assert loser.code == "VERSION_CONFLICT"
        assert loser.body["snapshot"]["draft"]["items"][0]["id"] == winner
        assert desk.editor("anna")["draft"]["items"][0]["id"] == winner
        assert desk.draft_version == version + 1
    assert is_gapless(desk.task)


def test_one_save_sent_twenty_times_at_once_is_one_save(committed_db):
    desk = a_desk()
    desk.claim("anna")
    body = {"request_id": str(uuid4()), "draft": {"expected_version": 0, "items": [CUP_ITEM]}}
    send = functools.partial(desk.call, "anna", "put", "tasks/{task}/editor", body)
    answers = at_once([send] * 20)
    assert {(answer.status, answer.raw) for answer in answers} == {(200, answers[0].raw)}
    assert desk.draft_version == 1
    assert desk.events().count("draft.saved") == 1


def test_confirming_at_once_from_several_pages_is_one_revision(committed_db):
    desk = a_desk()
    desk.claim("anna")
    desk.save("anna", [CUP_ITEM])
    answers = at_once([functools.partial(desk.confirm, "anna")] * 8)
    assert Counter(answer.status for answer in answers) == {201: 1, 200: 7}
    assert {answer.body["annotation"]["revision"] for answer in answers} == {1}
    assert Annotation.objects.filter(task=desk.task).count() == 1


@pytest.mark.parametrize("seconds", [151, 301])
def test_a_late_save_of_a_former_holder_is_lost_and_leaves_the_draft_to_the_byte(committed_db, seconds):
    desk = a_desk()
    desk.claim("anna")
    desk.save("anna", [CUP_ITEM])
    let_pass(desk.task, seconds)
    desk.claim("abel")
    assert desk.save("abel", [SPOON_ITEM]).status == 200
    before, everything = stored_draft(desk.task), desk.everything()
    for version in (1, 2):
        for token in ({"lock_token": desk.tokens["anna"]}, {}):
            late = desk.save("anna", [CUP_ITEM], version=version, **token)
            assert (late.status, late.code) == (409, "LOCK_LOST")
            assert late.body["holder"]["id"] == str(desk.house.abel.pk)
    assert stored_draft(desk.task) == before
    assert desk.everything() == everything


def test_a_takeover_and_a_save_at_once_never_both_count_for_the_old_holder(committed_db):
    for _ in range(5):
        desk = a_desk()
        desk.claim("anna")
        let_pass(desk.task, 151)
        token = desk.tokens["anna"]
        save = functools.partial(desk.save, "anna", [CUP_ITEM], version=0, lock_token=token)
        claim = {"client_id": "page of abel"}
        take = functools.partial(desk.call, "abel", "post", "tasks/{task}/claim", claim)
        saved, taken = at_once([save, take])
        assert taken.status == 200
        rows = AuditEntry.objects.filter(task_id=desk.task.pk, action="lock.takeover")
        assert rows.count() == 1
        # Either the save came first, and abel goes on with it, or it was refused and nothing is there.
        assert saved.status == 200 or saved.code == "LOCK_LOST"
        assert desk.draft_version == (1 if saved.status == 200 else 0)
        again = desk.save("anna", [SPOON_ITEM], lock_token=token)
        assert again.code == "LOCK_LOST"


def test_reviewers_of_a_quorum_decide_at_once_and_the_task_moves_once(committed_db):
    desk = a_desk(required_approvals=2, review_rule="all").in_review()
    for who in ("rita", "ravi"):
        desk.review_claim(who)
    answers = at_once([functools.partial(desk.approve, who) for who in ("rita", "ravi")])
    assert [answer.status for answer in answers] == [200, 200]
    assert sorted(answer.body["task"]["status"] for answer in answers) == ["completed", "review"]
    assert Decision.objects.filter(task=desk.task).count() == 2
    assert is_gapless(desk.task)


KILLED = """
import os, signal, sys
import django
django.setup()
from django.db import transaction
import review.operations.confirm as module
from tasks.models import Task, User
from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.matrix import Role

keep = module.keep_reply
def keep_and_die(request, reply):
    kept = keep(request, reply)
    if sys.argv[3] == "before the commit":
        os.kill(os.getpid(), signal.SIGKILL)
    transaction.on_commit(lambda: os.kill(os.getpid(), signal.SIGKILL))
    return kept
module.keep_reply = keep_and_die
actor, task = User.objects.get(pk=sys.argv[1]), Task.objects.get(pk=sys.argv[2])
import json
from tasks.domain.canonical import canonical_json, sha256_hex
body = json.loads(sys.argv[4])
content = {"method": "POST", "path": f"/api/v1/tasks/{task.pk}/confirm", "body": body}
module.confirm(
    actor=actor, task_id=task.pk, lock_token=None,
    expected_draft_version=body["expected_draft_version"],
    expected_config_version=body["expected_config_version"],
    request=RequestKey(
        key=body["request_id"], scope="request", actor_id=actor.pk, role=Role.ANNOTATOR,
        operation="annotation.confirm", payload_hash=sha256_hex(canonical_json(content)),
    ),
    context=RequestContext(),
)
"""


@pytest.mark.parametrize("moment", ["before the commit", "after the commit"])
def test_a_confirmation_whose_process_was_killed_is_one_revision_when_sent_again(committed_db, moment):
    desk = a_desk()
    desk.claim("anna")
    desk.save("anna", [CUP_ITEM])
    body = {"request_id": str(uuid4()), "expected_draft_version": 1, "expected_config_version": 1}
    address = urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{committed_db}"))
    environ = {**os.environ, "DATABASE_URL": address, "DJANGO_SETTINGS_MODULE": "config.settings.test"}
    content = json.dumps(body)
    arguments = [str(desk.house.anna.pk), str(desk.task.pk), moment, content]
    died = subprocess.run(
        [sys.executable, "-c", KILLED, *arguments], cwd=ROOT, env=environ, capture_output=True, check=False
    )
    assert died.returncode == -signal.SIGKILL, died.stderr.decode()[-2000:]
    assert Annotation.objects.filter(task=desk.task).count() == (1 if moment == "after the commit" else 0)
    again = desk.call("anna", "post", "tasks/{task}/confirm", body)
    assert (again.status, again.body["annotation"]["revision"]) == (201, 1)
    assert Annotation.objects.filter(task=desk.task).count() == 1
    assert desk.audited().count("annotation.confirm") == 1
