"""The workbench's socket: snapshot or resume, live events, people, heartbeats, and its ends."""

import time

import httpx
import pytest
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.test import Client

from locks.models import TaskLock
from locks.operations import acquire, force_release
from tasks.domain.event_types import AnnotationConfirmed, DraftSaved
from tasks.domain.matrix import Role
from tasks.models import ApiToken, Membership, Task
from tasks.operations.hints import hint_membership
from tasks.operations.transactions import db_now
from tests.realtime.sockets import opened
from tests.realtime.web_process import WebProcess
from tests.realtime.world import World, add_event, add_events


def path_of(task: Task) -> str:
    return f"/ws/tasks/{task.pk}/"


def test_new_page_gets_a_snapshot_then_live_events(web: WebProcess, world: World) -> None:
    task = world.new_task()
    add_events(task, 2)
    with opened(web, path_of(task), world.headers("anna")) as socket:
        snapshot = socket.receive("snapshot")
        assert snapshot["last_event_id"] == 2
        assert snapshot["editor"]["task"]["id"] == str(task.pk)
        add_events(task, 3)
        assert socket.events(3) == [3, 4, 5]


def test_resume_gives_what_was_missed_then_live_events(web: WebProcess, world: World) -> None:
    task = world.new_task()
    add_events(task, 250)
    with opened(web, path_of(task), world.headers("anna"), resume=7) as socket:
        assert socket.events(243) == list(range(8, 251))
        add_events(task, 2)
        assert socket.events(2) == [251, 252]
        # A page that noticed a gap asks again on the same line.
        socket.send(type="resume", after=250)
        assert socket.events(2) == [251, 252]
        assert not any(message["type"] == "snapshot" for message in socket.kept)


@pytest.mark.parametrize("after", [99, -1, "3", None, True])
def test_resume_from_nowhere_gets_a_snapshot(web: WebProcess, world: World, after: object) -> None:
    task = world.new_task()
    add_events(task, 3)
    with opened(web, path_of(task), world.headers("anna")) as socket:
        socket.send(type="resume", after=after)
        assert socket.receive("snapshot")["last_event_id"] == 3


def test_presence_follows_who_is_there(web: WebProcess, world: World) -> None:
    task = world.new_task()
    with opened(web, path_of(task), world.headers("anna")) as anna:
        assert [user["username"] for user in anna.receive("presence")["users"]] == ["anna"]
        with opened(web, path_of(task), world.headers("olga")):
            assert [user["username"] for user in anna.receive("presence")["users"]] == ["anna", "olga"]
        assert [user["username"] for user in anna.receive("presence")["users"]] == ["anna"]


def test_heartbeat_extends_the_lock_and_says_when_it_is_lost(web: WebProcess, world: World) -> None:
    task = world.new_task()
    anna = world.people["anna"]
    held = acquire(task_id=task.pk, user_id=anna.pk, client_id="page-1", ttl_seconds=60).lock
    with opened(web, path_of(task), world.headers("anna")) as socket:
        socket.send(type="heartbeat", client_id="page-1")
        answer = socket.receive("lock")
        assert answer["state"] == "held"
        now = TaskLock.objects.get(task_id=task.pk)
        assert now.expire_at > held.expire_at
        assert now.token == held.token
        assert answer["expire_at"] == now.expire_at.isoformat(timespec="microseconds").replace("+00:00", "Z")

        force_release(task_id=task.pk)
        acquire(task_id=task.pk, user_id=world.people["olga"].pk, client_id="other", ttl_seconds=60)
        before = TaskLock.objects.get(task_id=task.pk)
        socket.send(type="heartbeat", client_id="page-1")
        assert socket.receive("lock") == {"type": "lock", "state": "lost", "expire_at": None}
        after = TaskLock.objects.get(task_id=task.pk)
        assert (after.user_id, after.expire_at) == (before.user_id, before.expire_at), (
            "nothing changed for olga"
        )


def test_viewer_sees_numbers_without_content_of_drafts(web: WebProcess, world: World) -> None:
    task = world.new_task()
    with opened(web, path_of(task), world.headers("vera"), resume=0) as socket:
        add_event(task, DraftSaved(draft_version=1, by=None))
        add_event(task, AnnotationConfirmed(revision=1, by=None))
        first, second = (socket.receive("event")["event"] for _ in range(2))
    assert (first["seq"], first["type"]) == (1, "withheld")
    assert "draft_version" not in first
    assert (second["seq"], second["type"], second["revision"]) == (2, "annotation.confirmed", 1)


def test_close_codes(web: WebProcess, world: World) -> None:
    task = world.new_task()
    cases = [
        (path_of(task), {}, None, 4401),
        (path_of(task), {"Authorization": "Token wrong"}, None, 4401),
        (path_of(task), world.headers("sten"), None, 4404),
        (f"/ws/tasks/{world.project.pk}/", world.headers("anna"), None, 4404),
        ("/ws/tasks/nonsense/", world.headers("anna"), None, 4404),
        ("/ws/nothing/", world.headers("anna"), None, 4404),
        (path_of(task), world.headers("anna"), "https://elsewhere.example", 4403),
        (f"/ws/projects/{world.project.pk}/", world.headers("sten"), None, 4404),
        (f"/ws/projects/{world.project.pk}/", {}, None, 4401),
    ]
    for path, headers, origin, code in cases:
        with opened(web, path, headers, origin=origin) as socket:
            assert socket.close_code() == code, path


def test_own_origin_is_let_in(web: WebProcess, world: World) -> None:
    task = world.new_task()
    with opened(web, path_of(task), world.headers("anna"), origin=web.base_url) as socket:
        assert socket.receive("snapshot")


def test_removed_member_is_closed_with_4403(web: WebProcess, world: World) -> None:
    task = world.new_task()
    with (
        opened(web, path_of(task), world.headers("anna")) as socket,
        opened(web, f"/ws/projects/{world.project.pk}/", world.headers("anna")) as project,
        opened(web, path_of(task), world.headers("olga")) as other,
    ):
        socket.receive("snapshot")
        project.receive("snapshot")
        other.receive("snapshot")
        Membership.objects.filter(project=world.project, user=world.people["anna"]).delete()
        hint_membership(world.people["anna"].pk, world.project.pk)
        assert socket.close_code() == 4403
        assert project.close_code() == 4403
        add_events(task, 1)
        assert other.events(1) == [1], "others stay"


def test_another_role_begins_anew_with_what_it_sees(web: WebProcess, world: World) -> None:
    task = world.new_task()
    place = path_of(task)
    with (
        opened(web, place, world.headers("anna")) as demoted,
        opened(web, place, world.headers("vera")) as promoted,
        opened(web, place, world.headers("olga")) as other,
    ):
        for socket in (demoted, promoted, other):
            socket.receive("snapshot")
        for name, role in (("anna", Role.VIEWER), ("vera", Role.REVIEWER)):
            Membership.objects.filter(project=world.project, user=world.people[name]).update(role=role)
            hint_membership(world.people[name].pk, world.project.pk)
        assert demoted.close_code() == 1012
        assert promoted.close_code() == 1012
        add_events(task, 1)
        assert other.events(1) == [1], "others stay"
    for name, seen in (("anna", "withheld"), ("vera", "run.progress")):
        with opened(web, place, world.headers(name), resume=0) as socket:
            assert socket.receive("event")["event"]["type"] == seen


def test_session_cookie_opens_it_and_signing_out_ends_it(web: WebProcess, world: World) -> None:
    task = world.new_task()
    anna = world.people["anna"]
    client = Client()
    client.force_login(anna, backend="django.contrib.auth.backends.ModelBackend")
    cookie = client.cookies["sessionid"].value
    assert Session.objects.get(pk=cookie).get_decoded()[SESSION_KEY] == str(anna.pk)
    with opened(web, path_of(task), {"Cookie": f"a=b; sessionid={cookie}"}) as socket:
        assert socket.receive("snapshot")
        Session.objects.filter(pk=cookie).delete()
        hint_membership(anna.pk, world.project.pk)
        assert socket.close_code() == 4401


def test_revoked_token_is_closed_with_4401(web: WebProcess, world: World) -> None:
    task = world.new_task()
    olga = world.people["olga"]
    with opened(web, path_of(task), world.headers("olga")) as socket:
        assert socket.receive("snapshot")
        ApiToken.objects.filter(user=olga).update(revoked_at=db_now())
        try:
            hint_membership(olga.pk, world.project.pk)
            assert socket.close_code() == 4401
        finally:
            ApiToken.objects.filter(user=olga).update(revoked_at=None)


def test_nonsense_is_closed(web: WebProcess, world: World) -> None:
    task = world.new_task()
    for text, code in (("no json", 1003), ("[" * 4000, 1003), ("x" * 5000, 1009)):
        with opened(web, path_of(task), world.headers("anna")) as socket:
            socket.connection.send(text)
            assert socket.close_code() == code


def test_project_summary_at_once_and_on_change(web: WebProcess, world: World) -> None:
    task = world.new_task()
    with opened(web, f"/ws/projects/{world.project.pk}/", world.headers("anna")) as socket:
        first = socket.receive("snapshot")
        assert first["project_id"] == str(world.project.pk)
        assert set(first) == {"type", "project_id", "progress", "queue", "holders"}
        assert first["holders"] == []
        acquire(task_id=task.pk, user_id=world.people["olga"].pk, client_id="page", ttl_seconds=60)
        add_events(task, 1)
        holders = socket.receive("snapshot")["holders"]
        assert [(holder["task_id"], holder["user"]["username"]) for holder in holders] == [
            (str(task.pk), "olga")
        ]


def test_subscribers_are_counted(web: WebProcess, world: World) -> None:
    task = world.new_task()

    def count() -> float:
        text = httpx.get(f"{web.base_url}/metrics").raise_for_status().text
        wanted = 'countersign_stream_subscribers{kind="task"}'
        return float(next(row for row in text.splitlines() if row.startswith(wanted)).split()[-1])

    def settled(number: float) -> bool:
        deadline = time.monotonic() + 5
        while count() != number and time.monotonic() < deadline:
            time.sleep(0.05)
        return count() == number

    # Sockets of earlier tests may still be closing.
    assert settled(0)
    with opened(web, path_of(task), world.headers("anna")) as socket:
        socket.receive("snapshot")
        assert count() == 1
    assert settled(0)
