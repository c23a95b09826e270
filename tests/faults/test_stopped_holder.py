"""A holder is stopped in the middle of a save and goes on after somebody else has taken the task over."""

import json
import os
import signal
import subprocess
import sys
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.support.live_stack import LiveStack

# Sends a request's head and half of its body, says so, and a moment later the rest: the moment to stop it.
SLOW_SAVER = """
import socket, sys, time
port, half = int(sys.argv[1]), int(sys.argv[2])
request = sys.stdin.buffer.read()
connection = socket.create_connection(("127.0.0.1", port))
connection.sendall(request[:-half])
print("half", flush=True)
time.sleep(1)
connection.sendall(request[-half:])
answer = b""
while chunk := connection.recv(65536):
    answer += chunk
print(answer.decode(), flush=True)
"""


def box(left: float) -> dict[str, Any]:
    return {
        "id": str(uuid4()),
        "label": "cup",
        "geometry": {"type": "bbox", "bbox": [left, 10, left + 30, 40]},
    }


def save_body(lock: dict[str, Any], version: int, items: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "request_id": str(uuid4()),
        "client_id": lock["client_id"],
        "lock_token": lock["token"],
        "draft": {"expected_version": version, "items": items},
    }


def raw_put(client: httpx.Client, path: str, body: dict[str, Any]) -> tuple[bytes, int]:
    """The whole request as bytes, and how many of them are the second half of its body."""
    content = json.dumps(body).encode()
    request = client.build_request(
        "PUT", path, content=content, headers={"Content-Type": "application/json", "Connection": "close"}
    )
    head = "".join(f"{name}: {value}\r\n" for name, value in request.headers.items())
    return f"PUT {path} HTTP/1.1\r\n{head}\r\n".encode() + content, len(content) // 2


def claim(client: httpx.Client, task_id: str, client_id: str) -> dict[str, Any]:
    answer = client.post(f"/api/v1/tasks/{task_id}/claim", json={"client_id": client_id})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()["lock"]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("share_of_ttl", [151 / 300, 301 / 300])
def test_stopped_in_the_middle_of_a_save(live_stack: LiveStack, share_of_ttl: float) -> None:
    anna, abel = live_stack.login("anna"), live_stack.login("abel")
    name = "rocket.jpg" if share_of_ttl < 1 else "astronaut.png"
    tasks = anna.get("/api/v1/tasks").json()["items"]
    task_id = next(task["id"] for task in tasks if task["name"] == name)
    path = f"/api/v1/tasks/{task_id}/editor"
    hers = claim(anna, task_id, "anna-page")
    request, half = raw_put(anna, path, save_body(hers, 0, [box(10)]))
    saver = subprocess.Popen(
        [sys.executable, "-c", SLOW_SAVER, str(live_stack.port), str(half)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=False,
    )
    try:
        assert saver.stdin is not None
        assert saver.stdout is not None
        saver.stdin.write(request)
        saver.stdin.close()
        assert saver.stdout.readline() == b"half\n"
        os.kill(saver.pid, signal.SIGSTOP)
        with live_stack.database() as database:
            # The time that she is stopped for, without waiting for it.
            database.execute(
                "UPDATE task_locks SET heartbeat_at = heartbeat_at - %(gone)s * interval '1 second',"
                " expire_at = expire_at - %(gone)s * interval '1 second'"
                " WHERE task_id = %(task)s",
                {"gone": share_of_ttl * hers["ttl_seconds"], "task": task_id},
            )
        his = claim(abel, task_id, "abel-page")
        assert his["token"] > hers["token"]
        saved = abel.put(path, json=save_body(his, 0, [box(100), box(200)]))
        assert saved.status_code == 200, saved.text
        before = draft_bytes(live_stack, task_id)
        os.kill(saver.pid, signal.SIGCONT)
        answer = saver.stdout.read().decode()
    finally:
        saver.kill()
        saver.wait()
    assert " 409 " in answer.split("\r\n")[0], answer
    problem = json.loads(answer.split("\r\n\r\n", 1)[1])
    assert problem["code"] == "LOCK_LOST"
    assert problem["holder"]["username"] == "abel"
    assert draft_bytes(live_stack, task_id) == before


def draft_bytes(stack: LiveStack, task_id: str) -> tuple[Any, ...]:
    with stack.database() as database:
        row = database.execute(
            "SELECT version, items::text FROM drafts WHERE task_id = %s", [task_id]
        ).fetchone()
    assert row is not None
    return tuple(row)
