"""The commands of the workflow: demo, tokens, audit, generated pages."""

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tasks.api.authentication import token_digest
from tasks.domain import demo
from tasks.models import ApiToken, Batch, BatchCount, Membership, Project, Task, User
from tasks.operations.fold_counts import fold_counts
from tests.support.pipeline import a_house, png
from tests.support.unchanged import database_digest, unchanged
from tests.support.workflow import call, task_in

pytestmark = pytest.mark.django_db


def said(name: str, *arguments: str) -> str:
    """What the command wrote."""
    out = io.StringIO()
    call_command(name, *arguments, stdout=out, stderr=out)
    return out.getvalue()


@pytest.fixture
def pictures(tmp_path: Path, settings: Any) -> Path:
    """A folder with pictures under the demo's names; one of them is missing."""
    settings.PICTURES_DIR = tmp_path
    for name in ("coffee.png", "chelsea.png", "astronaut.png"):
        (tmp_path / name).write_bytes(png())
    return tmp_path


def test_the_demo_is_made_once(pictures: Path) -> None:
    text = said("make_demo")
    assert "rocket.jpg is not in" in text
    assert all(person.username in text for person in demo.PEOPLE)
    project = Project.objects.get()
    roles = dict(Membership.objects.values_list("user__username", "role"))
    assert roles == {person.username: person.role for person in demo.PEOPLE if person.role}
    assert project.owner.username == "olga"
    assert User.objects.get(is_superuser=True).username == "root"
    assert User.objects.get(username="anna").check_password("countersign-demo")
    assert User.objects.get(username="anna").name == "Anna Weber"
    assert project.labels[0]["aliases"] == ["mug", "coffee cup", "coffee mug"]
    first = Batch.objects.get(name="First pictures")
    assert (first.status, first.open) == ("active", False)
    assert set(first.assignments.values_list("user__username", flat=True)) == {"anna", "abel"}
    assert Task.objects.filter(batch=first, status="pending", question=demo.QUESTION).count() == 3
    assert all(task.asset is not None and task.asset.is_demo for task in Task.objects.select_related("asset"))
    anna = User.objects.get(username="anna")
    answer = call(anna, "post", f"projects/{project.pk}/next", {"client_id": "a"})
    assert answer.body["task"]["name"] == "coffee.png"
    with unchanged("a second make_demo"):
        assert "left as it is" in said("make_demo")
    assert "all as they were written" in said("verify_audit")


def test_there_is_no_demo_where_settings_forbid_it(pictures: Path, settings: Any) -> None:
    settings.IS_DEMO_ALLOWED = False
    with unchanged():
        assert "allow no demo" in said("make_demo")


def test_a_demo_that_fails_half_way_leaves_nothing(pictures: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: Any) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("tasks.operations.make_demo.create_task_within", fail)
    before = database_digest()
    with pytest.raises(OSError, match="disk full"):
        call_command("make_demo", stdout=io.StringIO(), stderr=io.StringIO())
    assert database_digest() == before


def test_a_token_from_the_command_line() -> None:
    house = a_house()
    text = said("create_token", house.anna.username).strip()
    assert ApiToken.objects.get(user=house.anna).digest == token_digest(text)
    with pytest.raises(CommandError, match="no active person"):
        said("create_token", "nobody")


def test_generated_pages_are_compared(settings: Any, tmp_path: Path) -> None:
    said("write_docs", "--check")
    settings.BASE_DIR = tmp_path
    with pytest.raises(CommandError, match="out of date"):
        said("write_docs", "--check")
    assert "wrote docs/reference/workflow.md" in said("write_docs")
    said("write_docs", "--check")
    page = tmp_path / "docs/reference/workflow.md"
    page.write_text(page.read_text().replace("own batch", "any batch"))
    with pytest.raises(CommandError, match="out of date"):
        said("write_docs", "--check")


def test_folding_keeps_the_sums() -> None:
    house = a_house()
    for _ in range(30):
        task_in(house.inbox)
    BatchCount.objects.create(batch=house.inbox, status="pending", delta=-7)
    before = call(house.olga, "get", f"batches/{house.inbox.pk}").body["counts"]
    assert fold_counts(most=10) == 1
    assert BatchCount.objects.filter(batch=house.inbox).count() == 1
    assert call(house.olga, "get", f"batches/{house.inbox.pk}").body["counts"] == before
    assert before["pending"] == 23
