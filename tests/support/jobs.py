"""Jobs over HTTP, as an integrator drives them."""

import time
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx

from tests.support.live_stack import LiveStack

ENDED = {"SUCCEEDED", "PARTIAL_SUCCEEDED", "FAILED", "EMPTY_SELECTION", "CANCELLED"}


def picture(stack: LiveStack, name: str) -> Path:
    """One of the demo's pictures."""
    return Path(stack.environ["COUNTERSIGN_PICTURES_DIR"]) / name


def project_id(client: httpx.Client, name: str = "Demo") -> str:
    """The id of the project with that name."""
    projects = client.get("/api/v1/projects").raise_for_status().json()["items"]
    return str(next(project["id"] for project in projects if project["name"] == name))


def start_job(client: httpx.Client, file: Path) -> str:
    """Upload `file` and start a job; its id."""
    with file.open("rb") as content:
        answer = client.post(
            "/api/v1/jobs",
            data={"project": project_id(client), "request_id": str(uuid4())},
            files={"image": (file.name, content, "image/png")},
        )
    assert answer.status_code == 202, answer.text
    assert answer.json()["accepted"] is True
    return str(answer.json()["job_id"])


def job(client: httpx.Client, job_id: str) -> dict[str, Any]:
    """The job as it is now."""
    answer = client.get(f"/api/v1/jobs/{job_id}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def wait_for_status(
    client: httpx.Client, job_id: str, *statuses: str, seconds: float = 60, every: float = 0.1
) -> dict[str, Any]:
    """The job once it has one of `statuses`, asked `every` so many seconds.

    AssertionError where it ends otherwise or takes too long.
    """
    deadline = time.monotonic() + seconds
    while True:
        now = job(client, job_id)
        if now["status"] in statuses:
            return now
        assert now["status"] not in ENDED, now
        assert time.monotonic() < deadline, now
        time.sleep(every)


def answer_body(now: dict[str, Any], keep: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """An intervention on the job's active pause that keeps `keep`."""
    pause = now["active_pause"]
    kept = {box.get("box_id") for box in keep}
    return {
        "intervention_id": str(uuid4()),
        "pause_token": pause["pause_token"],
        "base_version": pause["base_version"],
        "subjects": keep,
        "deleted_box_ids": [box["box_id"] for box in now["box_list"]["boxes"] if box["box_id"] not in kept],
        **more,
    }
