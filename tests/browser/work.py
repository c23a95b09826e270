"""Tasks to work on, and what the server has of the work."""

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import httpx

from tests.browser.people import session
from tests.support import jobs
from tests.support.live_stack import LiveStack

#: A page that nobody looks at: what works through the API.
AWAY = "no page"
#: Whom a project of one's own takes in, besides Olga who owns it.
MEMBERS = {"anna": "annotator", "abel": "annotator", "rita": "reviewer", "vera": "viewer"}
Box = tuple[str, tuple[float, float, float, float]]


def demo_batch(stack: LiveStack) -> tuple[str, str]:
    """The demo's project, and the batch of its annotators."""
    olga = session(stack, "olga")
    project = jobs.project_id(olga)
    batches = olga.get(f"/api/v1/projects/{project}/batches").raise_for_status().json()["items"]
    return project, next(batch["id"] for batch in batches if batch["name"] == "First pictures")


def open_batch(stack: LiveStack, project: str, name: str) -> str:
    """A batch of one's own that everybody in the project may work in."""
    olga = session(stack, "olga")
    made = olga.post(f"/api/v1/projects/{project}/batches", json={"name": name, "open": True})
    batch = str(made.raise_for_status().json()["id"])
    olga.patch(f"/api/v1/batches/{batch}", json={"status": "active"}).raise_for_status()
    return batch


def new_project(stack: LiveStack, name: str, **settings: Any) -> tuple[str, str]:
    """A project whose settings disturb nobody, with the demo's people, and its one batch."""
    olga = session(stack, "olga")
    made = olga.post("/api/v1/projects", json={"name": name, "start_jobs": False, **settings})
    project = str(made.raise_for_status().json()["id"])
    for user, role in MEMBERS.items():
        member = {"user": user, "role": role}
        olga.post(f"/api/v1/projects/{project}/members", json=member).raise_for_status()
    return project, open_batch(stack, project, "Pictures")


def new_task(
    stack: LiveStack,
    name: str,
    *,
    picture: str = "coffee.png",
    where: tuple[str, str] | None = None,
    **question: str,
) -> str:
    """A pending task; its id. `where`: project and batch, those of the demo's annotators unless given."""
    project, batch = where or demo_batch(stack)
    file = jobs.picture(stack, picture)
    answer = session(stack, "olga").post(
        f"/api/v1/projects/{project}/tasks",
        data={"batch": batch, "name": name, "request_id": str(uuid4()), **question},
        files={"image": (picture, file.read_bytes(), "image/png")},
    )
    return str(answer.raise_for_status().json()["id"])


def task_with(
    stack: LiveStack,
    name: str,
    boxes: Sequence[Box],
    *,
    by: str = "anna",
    where: tuple[str, str] | None = None,
) -> str:
    """A task in progress with these boxes, left by its annotator; its id. Items' ids are their labels."""
    task = new_task(stack, name, where=where)
    client = session(stack, by)
    client.post(f"/api/v1/tasks/{task}/claim", json={"client_id": AWAY}).raise_for_status()
    items = [
        {"id": label, "label": label, "geometry": {"type": "bbox", "bbox": list(box)}} for label, box in boxes
    ]
    save_and_leave(client, task, items)
    return task


def save_and_leave(client: httpx.Client, task: str, items: list[dict[str, Any]]) -> None:
    """Whoever holds the task as `AWAY` saves these items and gives the lock back."""
    before = client.get(f"/api/v1/tasks/{task}/editor").raise_for_status().json()["draft"]
    change = {"expected_version": before["version"], "items": items}
    save = {"request_id": str(uuid4()), "client_id": AWAY, "draft": change}
    client.put(f"/api/v1/tasks/{task}/editor", json=save).raise_for_status()
    client.delete(f"/api/v1/tasks/{task}/lock", params={"client_id": AWAY}).raise_for_status()


def hand_in(stack: LiveStack, task: str, *, by: str = "anna") -> None:
    """Confirm the task as it stands and submit it."""
    client = session(stack, by)
    client.put(f"/api/v1/tasks/{task}/lock", json={"client_id": AWAY}).raise_for_status()
    now = client.get(f"/api/v1/tasks/{task}/editor").raise_for_status().json()
    versions = {
        "expected_draft_version": now["draft"]["version"],
        "expected_config_version": now["config"]["version"],
    }
    client.post(f"/api/v1/tasks/{task}/confirm", json=versions).raise_for_status()
    client.post(f"/api/v1/tasks/{task}/submit", json={}).raise_for_status()


def draft(stack: LiveStack, task_id: str) -> tuple[int, list[dict[str, Any]]]:
    """What the server has: the draft's version and its items."""
    with stack.database() as database:
        row = database.execute("SELECT version, items FROM drafts WHERE task_id = %s", [task_id]).fetchone()
    return (row[0], row[1]) if row else (0, [])


def labels(stack: LiveStack, task_id: str) -> list[str | None]:
    """The labels of the server's draft, in its order."""
    return [item["label"] for item in draft(stack, task_id)[1]]


def lock_goes_stale(stack: LiveStack, task_id: str) -> None:
    """As if the holder's page had been silent for more than half of the lock's TTL."""
    with stack.database() as database:
        database.execute(
            "UPDATE task_locks SET heartbeat_at ="
            " clock_timestamp() - make_interval(secs => ttl_seconds * 0.6) WHERE task_id = %s",
            [task_id],
        )


def audited(stack: LiveStack, task_id: str) -> list[str]:
    """The actions of the task's audit chain, in order."""
    with stack.database() as database:
        rows = database.execute("SELECT action FROM audit WHERE task_id = %s ORDER BY number", [task_id])
        return [row[0] for row in rows]
