"""A job's event stream: every event once and in order, from wherever the client is."""

import httpx
import pytest

from review.domain.job_states import JobStatus
from tasks.domain.matrix import Role
from tasks.models import Membership, Task
from tasks.operations.hints import hint_membership
from tests.realtime.event_source import Block, opened
from tests.realtime.web_process import WebProcess
from tests.realtime.world import World, add_events, end_job


def seqs(blocks: list[Block]) -> list[int]:
    return [int(block.id) for block in blocks if block.id is not None]


def test_snapshot_first_then_every_event_since_the_job_began(web: WebProcess, world: World) -> None:
    task = world.new_task()
    add_events(task, 3)
    job = world.new_job(task)
    add_events(task, 4, job_id=job.pk)
    with opened(web.base_url, job.pk, world.headers("anna")) as stream:
        blocks = stream.take(5)
        snapshot, events = blocks[0], blocks[1:]
        assert stream.response.headers["content-type"].startswith("text/event-stream")
        assert "no-cache" in stream.response.headers["cache-control"]
        assert stream.response.headers["x-accel-buffering"] == "no"
        assert "content-encoding" not in stream.response.headers
    assert (snapshot.id, snapshot.event) == (None, "snapshot")
    assert snapshot.data is not None
    assert snapshot.data["job"]["job_id"] == str(job.pk)
    assert snapshot.data["job"]["last_event_id"] == 7
    assert seqs(events) == [4, 5, 6, 7]
    for block in events:
        assert block.data is not None
        assert block.event == block.data["type"] == "run.progress"
        assert block.data["task_id"] == str(task.pk)


def test_live_events_come_by_hint_at_once(web: WebProcess, world: World) -> None:
    job = world.new_job(world.new_task())
    with opened(web.base_url, job.pk, world.headers("anna"), seconds=2) as stream:
        arrived = stream.events()
        assert next(arrived).event == "snapshot"
        add_events(Task.objects.get(pk=job.task_id), 3, job_id=job.pk)
        assert seqs([next(arrived) for _ in range(3)]) == [1, 2, 3]


def test_stream_ends_after_the_terminal_event_and_then_204(web: WebProcess, world: World) -> None:
    task = world.new_task()
    job = world.new_job(task)
    add_events(task, 2, job_id=job.pk)
    with opened(web.base_url, job.pk, world.headers("anna"), cursor=0) as stream:
        arrived = stream.events()
        assert seqs([next(arrived), next(arrived)]) == [1, 2]
        end_job(job, JobStatus.CANCELLED)
        last = next(arrived)
        assert last.data is not None
        assert (last.event, last.data["status"]) == ("job.status", "CANCELLED")
        assert next(arrived, None) is None, "the server ends the stream"
    add_events(task, 2)
    # Opened for the first time after the end: everything of the job, and nothing after it.
    with opened(web.base_url, job.pk, world.headers("anna")) as stream:
        blocks = list(stream.events())
    assert [block.event for block in blocks] == ["snapshot", "run.progress", "run.progress", "job.status"]
    for cursor in (3, 4):
        answer = httpx.get(
            f"{web.base_url}/api/v1/jobs/{job.pk}/events",
            headers={**world.headers("anna"), "Last-Event-ID": str(cursor)},
        )
        assert (answer.status_code, answer.content) == (204, b"")


@pytest.mark.parametrize("cursor", ["999", "-1", "x", "1.5", "2"])
def test_unknown_cursor_gets_a_snapshot_and_everything(web: WebProcess, world: World, cursor: str) -> None:
    task = world.new_task()
    add_events(task, 3)
    job = world.new_job(task)
    add_events(task, 1, job_id=job.pk)
    with opened(web.base_url, job.pk, world.headers("anna"), cursor=cursor) as stream:
        blocks = stream.take(2)
    assert blocks[0].event == "snapshot"
    assert seqs(blocks[1:]) == [4]


def test_cursor_in_the_address(web: WebProcess, world: World) -> None:
    task = world.new_task()
    job = world.new_job(task)
    add_events(task, 3, job_id=job.pk)
    with opened(web.base_url, job.pk, world.headers("anna"), query="?last_event_id=1") as stream:
        assert seqs(stream.take(2)) == [2, 3]
    # The header of a client that comes back wins over the address that it was opened with.
    with opened(web.base_url, job.pk, world.headers("anna"), query="?last_event_id=1", cursor=2) as stream:
        assert seqs(stream.take(1)) == [3]


def test_events_no_longer_kept(web: WebProcess, world: World) -> None:
    task = world.new_task()
    job = world.new_job(task)
    add_events(task, 5, job_id=job.pk)
    task.events.filter(seq__lte=3).delete()
    with opened(web.base_url, job.pk, world.headers("anna"), cursor=1) as stream:
        blocks = stream.take(3)
    assert [block.event for block in blocks] == ["snapshot", "run.progress", "run.progress"]
    assert seqs(blocks) == [4, 5]
    end_job(job)
    task.events.all().delete()
    with opened(web.base_url, job.pk, world.headers("anna"), cursor=1) as stream:
        blocks = list(stream.blocks())
    assert [block.event for block in blocks if block.data] == ["snapshot"]
    assert blocks[-1].id == "6", "the client learns the end, so that it is answered 204"


def test_who_may_not(web: WebProcess, world: World) -> None:
    job = world.new_job(world.new_task())
    address = f"{web.base_url}/api/v1/jobs/{job.pk}/events"
    cases = [
        (address, {}, 401, "NOT_AUTHENTICATED"),
        (address, {"Authorization": "Token wrong"}, 401, "NOT_AUTHENTICATED"),
        (address, world.headers("sten"), 404, "NOT_FOUND"),
        (address, world.headers("vera"), 404, "NOT_FOUND"),
        (f"{web.base_url}/api/v1/jobs/{world.project.pk}/events", world.headers("anna"), 404, "NOT_FOUND"),
        (f"{web.base_url}/api/v1/jobs/nonsense/events", world.headers("anna"), 404, "NOT_FOUND"),
    ]
    for url, headers, status, code in cases:
        answer = httpx.get(url, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (status, code)
        assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("becomes", [None, Role.VIEWER])
def test_removed_member_and_new_viewer_are_sent_away(
    web: WebProcess, world: World, becomes: Role | None
) -> None:
    task = world.new_task()
    job = world.new_job(task)
    with opened(web.base_url, job.pk, world.headers("anna")) as stream:
        arrived = stream.events()
        assert next(arrived).event == "snapshot"
        membership = Membership.objects.filter(project=world.project, user=world.people["anna"])
        if becomes is None:
            membership.delete()
        else:
            membership.update(role=becomes)
        hint_membership(world.people["anna"].pk, world.project.pk)
        assert next(arrived, None) is None
    add_events(task, 1, job_id=job.pk)
    answer = httpx.get(f"{web.base_url}/api/v1/jobs/{job.pk}/events", headers=world.headers("anna"))
    assert answer.status_code == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "HEAD", "OPTIONS"])
def test_a_stream_is_only_read(web: WebProcess, world: World, method: str) -> None:
    job = world.new_job(world.new_task())
    address = f"{web.base_url}/api/v1/jobs/{job.pk}/events"
    answer = httpx.request(method, address, headers=world.headers("anna"))
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET")
    assert answer.headers["content-type"] == "application/problem+json"
    if method != "HEAD":
        assert answer.json()["code"] == "METHOD_NOT_ALLOWED"


def test_revoked_token_ends_the_stream(web: WebProcess, world: World) -> None:
    job = world.new_job(world.new_task())
    anna = world.people["anna"]
    with opened(web.base_url, job.pk, world.headers("anna")) as stream:
        arrived = stream.events()
        assert next(arrived).event == "snapshot"
        anna.is_active = False
        anna.save()
        try:
            hint_membership(anna.pk, world.project.pk)
            assert next(arrived, None) is None
        finally:
            anna.is_active = True
            anna.save()


@pytest.mark.slow
def test_quiet_stream_says_that_it_lives(web: WebProcess, world: World) -> None:
    job = world.new_job(world.new_task())
    with opened(web.base_url, job.pk, world.headers("anna"), cursor=0, seconds=18) as stream:
        blocks = stream.blocks()
        assert 500 <= (next(blocks).retry or 0) <= 10_000
        quiet = next(blocks)
    assert quiet.comments
    assert quiet.data is None
