"""A task on somebody's desk, driven through the API as the workbench does it."""

import json
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from rest_framework.test import APIClient

from review.models import Annotation, CandidateSet, Decision, Draft, Pin, ReviewMarkChange
from review.operations.candidate_sets import add_set
from tasks.domain.matrix import Role
from tasks.models import AuditEntry, Event, IdempotentRequest, Membership, Task, User
from tests.support.pipeline import House, a_house, a_task

CUP_ITEM = {"id": "i1", "label": "cup", "geometry": {"type": "bbox", "bbox": [10, 10, 60, 60]}}
SPOON_ITEM = {"id": "i2", "label": "spoon", "geometry": {"type": "point", "x": 100, "y": 50}}


@dataclass
class Answer:
    """A response: `status`, and `body` parsed."""

    status: int
    body: Any
    raw: bytes = b""

    @property
    def code(self) -> str | None:
        """The problem's code."""
        return self.body.get("code") if isinstance(self.body, dict) else None

    @property
    def fields(self) -> list[str]:
        """The names of the fields that are wrong."""
        return [error["field"] for error in self.body.get("errors", [])]


@dataclass
class Desk:
    """A house with one task of 160×120 pixels and its people's calls on it."""

    house: House
    task: Task
    tokens: dict[str, int] = field(default_factory=dict)

    def call(self, who: str | None, method: str, path: str, body: Any = None) -> Answer:
        """`path` under /api/v1; `{task}` in it is the task's id. `who` None: nobody is signed in."""
        client = APIClient()
        if who is not None:
            client.force_authenticate(self.house.people[who])
        address = f"/api/v1/{path.format(task=self.task.pk)}"
        content = {} if body is None else {"data": json.dumps(body), "content_type": "application/json"}
        response = getattr(client, method)(address, **content)
        raw = b"".join(response.streaming_content) if response.streaming else response.content
        is_json = "json" in response.get("Content-Type", "") and "ndjson" not in response["Content-Type"]
        return Answer(response.status_code, json.loads(raw) if raw and is_json else None, raw)

    def detected(self, *boxes: tuple[str, list[float]]) -> CandidateSet:
        """An active set of the model's: (id, box) each."""
        items = [
            {
                "box_id": name,
                "label": "cup",
                "bbox": [x1, y1, x2, y2],
                "center": [(x1 + x2) / 2, (y1 + y2) / 2],
                "score": 0.9,
                "source": "model",
                "edited": False,
            }
            for name, (x1, y1, x2, y2) in boxes
        ]
        self.task.refresh_from_db()
        return add_set(task=self.task, source=CandidateSet.Source.MODEL, items=items, actor=None)

    def claim(self, who: str) -> None:
        """Claim the task."""
        answer = self.call(who, "post", "tasks/{task}/claim", {"client_id": f"page of {who}"})
        assert answer.status == 200, answer.body
        self.tokens[who] = answer.body["lock"]["token"]

    def editor(self, who: str) -> dict[str, Any]:
        """The editor as `who` sees it."""
        answer = self.call(who, "get", "tasks/{task}/editor")
        assert answer.status == 200, answer.body
        return dict(answer.body)

    def save(
        self, who: str, items: list[dict[str, Any]], *, version: int | None = None, **more: Any
    ) -> Answer:
        """Save the draft on the version that the server has, unless `version` says otherwise."""
        expected = self.draft_version if version is None else version
        body = {"request_id": str(uuid4()), "draft": {"expected_version": expected, "items": items}, **more}
        return self.call(who, "put", "tasks/{task}/editor", body)

    def confirm(self, who: str, **more: Any) -> Answer:
        """Confirm what the server has."""
        self.task.refresh_from_db()
        body = {
            "request_id": str(uuid4()),
            "expected_draft_version": self.draft_version,
            "expected_config_version": self.task.config_version,
            **more,
        }
        return self.call(who, "post", "tasks/{task}/confirm", body)

    def submit(self, who: str, **more: Any) -> Answer:
        """Submit."""
        return self.call(who, "post", "tasks/{task}/submit", {"request_id": str(uuid4()), **more})

    def in_review(self, by: str = "anna", items: list[dict[str, Any]] | None = None) -> "Desk":
        """Claimed, saved, confirmed and submitted by `by`."""
        self.claim(by)
        assert self.save(by, items or [CUP_ITEM]).status == 200
        assert self.confirm(by).status == 201
        answer = self.submit(by)
        assert answer.status == 200, answer.body
        return self

    def review_claim(self, who: str) -> Answer:
        """Claim the review."""
        answer = self.call(who, "post", "tasks/{task}/review-claim", {"client_id": f"page of {who}"})
        assert answer.status == 200, answer.body
        return answer

    def approve(self, who: str, revision: int = 1, **more: Any) -> Answer:
        """Approve a revision."""
        body = {"request_id": str(uuid4()), "annotation_revision": revision, **more}
        return self.call(who, "post", "tasks/{task}/approve", body)

    def reject(self, who: str, reason: str = "The box is too large.", **more: Any) -> Answer:
        """Send it back."""
        body = {"request_id": str(uuid4()), "reason": reason, **more}
        return self.call(who, "post", "tasks/{task}/reject", body)

    @property
    def draft_version(self) -> int:
        """As stored."""
        return Draft.objects.filter(pk=self.task.pk).values_list("version", flat=True).first() or 0

    def everything(self) -> dict[str, Any]:
        """All that a write on the task could change: equal before and after, nothing was written."""
        pk: UUID = self.task.pk
        return {
            "task": Task.objects.filter(pk=pk).values().get(),
            "draft": list(Draft.objects.filter(pk=pk).values()),
            "sets": list(CandidateSet.objects.filter(task=pk).order_by("pk").values("pk", "items")),
            "annotations": list(Annotation.objects.filter(task=pk).order_by("pk").values("pk", "items")),
            "decisions": list(Decision.objects.filter(task=pk).order_by("pk").values("pk", "verdict")),
            "pins": list(Pin.objects.filter(task=pk).order_by("pk").values()),
            "marks": list(ReviewMarkChange.objects.filter(task=pk).order_by("pk").values("pk", "mark")),
            "audit": AuditEntry.objects.filter(task_id=pk).count(),
            "events": Event.objects.filter(task=pk).count(),
            "replies": IdempotentRequest.objects.count(),
        }

    def refused(
        self, who: str | None, method: str, path: str, body: Any, *, status: int, code: str
    ) -> Answer:
        """The call is refused with that code, and nothing is written."""
        before = self.everything()
        answer = self.call(who, method, path, body)
        assert (answer.status, answer.code) == (status, code), answer.body
        assert self.everything() == before
        return answer

    def refuses_others(
        self, method: str, path: str, body: Any, *, forbidden: tuple[str, ...] = ("vera",)
    ) -> None:
        """Nobody, a stranger and the forbidden roles are refused; a broken body is too, before the right."""
        self.refused(None, method, path, body, status=401, code="NOT_AUTHENTICATED")
        self.refused("stranger", method, path, body, status=404, code="NOT_FOUND")
        self.refused("stranger", method, path, {"nonsense": 1}, status=404, code="NOT_FOUND")
        for who in forbidden:
            answer = self.refused(who, method, path, body, status=403, code="ROLE_FORBIDDEN")
            assert "super_admin" in answer.body["required_roles"]

    def events(self) -> list[str]:
        """The types of the task's events, in order."""
        return list(Event.objects.filter(task=self.task).order_by("seq").values_list("type", flat=True))

    def told(self) -> tuple[str, str]:
        """What the newest `task.status` tells: the action, and whose it was."""
        payload = Event.objects.filter(task=self.task, type="task.status").order_by("-seq").first().payload
        names = {person.username: who for who, person in self.house.people.items()}
        return payload["action"], names[payload["actor"]["username"]]

    def audited(self) -> list[str]:
        """The task's audit actions, in order."""
        rows = AuditEntry.objects.filter(task_id=self.task.pk).order_by("number")
        return list(rows.values_list("action", flat=True))


def a_desk(**project: Any) -> Desk:
    """A fresh project with its people, `ravi` (a second reviewer) among them, and one pending task."""
    house = a_house(**project)
    ravi = User.objects.create_user(username=f"ravi-{uuid4().hex[:6]}", password="x")
    house.people["ravi"] = ravi
    Membership.objects.create(project=house.project, user=ravi, role=Role.REVIEWER)
    return Desk(house, a_task(house))
