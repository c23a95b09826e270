"""Two web processes on one port: both answer, and one that is killed takes nobody else's requests with it."""

from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import psutil
import pytest

from tests.support import jobs
from tests.support.live_stack import LiveStack

NAMES = ("web", "web-2")
STREAMS = 24


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveStack]:
    """A server with two web processes, whatever this machine's cores."""
    stack = LiveStack(tmp_path_factory.mktemp("pair") / "data", WEB_PROCESSES="2")
    try:
        stack.start()
        yield stack
    finally:
        stack.stop()


def answered_by(stack: LiveStack) -> dict[str, int]:
    """How many connections of clients each web process has."""
    counts = {}
    for name in NAMES:
        process = psutil.Process(stack.pid(name))
        here = [each for each in process.net_connections("tcp") if each.laddr.port == stack.port]
        counts[name] = len([each for each in here if each.status == psutil.CONN_ESTABLISHED])
    return counts


def subscribers(stack: LiveStack) -> float:
    """The open job streams that /metrics tells, from whichever process answers."""
    text = httpx.get(f"{stack.base_url}/metrics").raise_for_status().text
    wanted = 'countersign_stream_subscribers{kind="job"}'
    return float(next(line for line in text.splitlines() if line.startswith(wanted)).split()[-1])


def test_both_answer_and_the_other_goes_on(pair: LiveStack) -> None:
    client = pair.login("anna")
    job_id = jobs.start_job(client, jobs.picture(pair, "coffee.png"))
    # Its kept connection would be counted with the streams'.
    client.close()
    headers = {"Authorization": f"Token {pair.token('anna')}"}
    with ExitStack() as open_streams:
        for _ in range(STREAMS):
            stream = httpx.stream(
                "GET", f"{pair.base_url}/api/v1/jobs/{job_id}/events", headers=headers, timeout=30
            )
            open_streams.enter_context(stream).raise_for_status()
        held = answered_by(pair)
        assert min(held.values()) > 0
        assert sum(held.values()) == STREAMS
        # Each asks on a connection of its own, so that both processes are asked.
        assert {subscribers(pair) for _ in range(12)} == {STREAMS}

        old = pair.kill("web-2")
        for _ in range(40):
            assert httpx.get(f"{pair.base_url}/api/v1/jobs/{job_id}", headers=headers).status_code == 200
        pair.wait_restarted("web-2", old)
        pair.wait_for(lambda: subscribers(pair) == held["web"], "the dead one's streams were still counted")
