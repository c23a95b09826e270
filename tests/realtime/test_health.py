"""What machines ask: alive, ready, figures."""

from collections.abc import Iterator

import httpx
import pytest

from config.embedded import ports
from locks.operations import acquire
from tasks.operations import relay_heartbeat
from tests.realtime.web_process import WebProcess
from tests.realtime.world import World


@pytest.fixture
def no_relay() -> Iterator[None]:
    """No relay has given a sign of life."""
    client = relay_heartbeat._client()
    client.delete(relay_heartbeat.KEY)
    yield
    client.delete(relay_heartbeat.KEY)


@pytest.fixture(scope="module")
def cut_off(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebProcess]:
    """A web process that reaches nothing, and whose figures need a token."""
    nobody = f"{ports.LOOPBACK}:{ports.free_port()}"
    process = WebProcess(
        tmp_path_factory.mktemp("cut") / "web.log",
        database=database,
        DATABASE_URL=f"postgresql://nobody@{nobody}/nothing",
        BROKER_URL=f"redis://{nobody}/0",
        CHANNEL_URL=f"redis://{nobody}/1",
        METRICS_TOKEN="a token of the test",
    )
    process.start()
    yield process
    process.kill()


def test_ready_only_with_a_relay(web: WebProcess, no_relay: None) -> None:
    answer = httpx.get(f"{web.base_url}/readyz")
    assert answer.status_code == 503
    assert answer.json()["failing"] == ["relay"]
    relay_heartbeat.beat()
    answer = httpx.get(f"{web.base_url}/readyz")
    assert (answer.status_code, answer.json()["failing"]) == (200, [])


def test_not_ready_names_all_that_is_away_and_alive_stays_alive(cut_off: WebProcess) -> None:
    answer = httpx.get(f"{cut_off.base_url}/readyz", timeout=15)
    assert answer.status_code == 503
    assert answer.json()["failing"] == ["broker", "database", "relay"]
    assert httpx.get(f"{cut_off.base_url}/healthz").status_code == 200


def test_streams_say_503_and_1013_without_a_database(cut_off: WebProcess, world: World) -> None:
    job = world.new_job(world.new_task())
    answer = httpx.get(
        f"{cut_off.base_url}/api/v1/jobs/{job.pk}/events", headers=world.headers("anna"), timeout=20
    )
    assert (answer.status_code, answer.json()["code"]) == (503, "BUSY")
    assert answer.headers["retry-after"] == "2"


def test_figures(web: WebProcess, world: World) -> None:
    acquire(task_id=world.new_task().pk, user_id=world.people["anna"].pk, client_id="figures", ttl_seconds=60)
    text = httpx.get(f"{web.base_url}/metrics").raise_for_status().text
    figures = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert float(figures["countersign_live_locks"]) >= 1
    assert float(figures["countersign_outbox_age_seconds"]) == 0
    for stage in ("WAITING_USER_SELECTION", "WAITING_BOX_BATCH_REVISION"):
        assert float(figures[f'countersign_pause_age_seconds{{stage="{stage}"}}']) == 0
    assert 'countersign_stream_subscribers{kind="job"}' in figures


def test_figures_are_not_public(web: WebProcess, cut_off: WebProcess) -> None:
    forwarded = httpx.get(f"{web.base_url}/metrics", headers={"X-Forwarded-For": "192.0.2.7"})
    assert forwarded.status_code == 403
    assert "countersign_" not in forwarded.text
    for headers in ({}, {"Authorization": "Bearer wrong"}):
        answer = httpx.get(f"{cut_off.base_url}/metrics", headers=headers)
        assert answer.status_code == 403
    right = {"Authorization": "Bearer a token of the test"}
    # The database is away: what the process knows itself is told all the same.
    answer = httpx.get(f"{cut_off.base_url}/metrics", headers=right, timeout=20)
    assert answer.status_code == 200
    assert "countersign_stream_subscribers" in answer.text
