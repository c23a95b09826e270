"""Two web processes beside each other: what one's people do, the other's see."""

from collections.abc import Iterator

import pytest

from tests.realtime.sockets import TestSocket, opened
from tests.realtime.web_process import WebProcess
from tests.realtime.world import World, add_events


@pytest.fixture(scope="module")
def second(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebProcess]:
    """Another web process on the same servers, that repeats its presence each second."""
    process = WebProcess(
        tmp_path_factory.mktemp("second") / "web.log", database=database, HUB_SWEEP_SECONDS="1"
    )
    process.start()
    yield process
    process.kill()


def names(socket: TestSocket) -> list[str]:
    return [user["username"] for user in socket.receive("presence")["users"]]


def test_presence_and_events_reach_both(web: WebProcess, second: WebProcess, world: World) -> None:
    task = world.new_task()
    path = f"/ws/tasks/{task.pk}/"
    with opened(web, path, world.headers("anna")) as anna:
        assert names(anna) == ["anna"]
        with opened(second, path, world.headers("olga")) as olga:
            assert names(anna) == ["anna", "olga"]
            anna.receive("snapshot")
            olga.receive("snapshot")
            add_events(task, 2)
            assert anna.events(2) == olga.events(2) == [1, 2]
        assert names(anna) == ["anna"], "olga's process told that she left"
