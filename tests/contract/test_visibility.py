"""Page 03, "Who sees what", written out: each person, each task, on every way to it.

The sets below are the page's table in a small world, not what `visible_to` computes.
"""

from dataclasses import dataclass

import pytest
from django.test import Client

from review.models import Job
from review.queries.job_stream import open_job_stream
from tasks.domain.errors import NotFound
from tasks.domain.statuses import Status
from tasks.models import Batch, Task, User
from tasks.operations.store_asset import store_asset
from tasks.operations.transactions import db_now
from tasks.queries.stream_access import visible_pairs
from tasks.queries.stream_opening import open_project, open_task
from tests.support.pipeline import House, a_house, png
from tests.support.unchanged import unchanged
from tests.support.workflow import a_batch, call, task_in

pytestmark = pytest.mark.django_db

#: The tasks, named after where they are; `draft` and `hers` are in batches of anna's, `handed_in` was
#: handed in by abel in a batch that is nobody's, `elsewhere` is in the stranger's project.
ALL = {"draft", "open", "hers", "nobodys", "handed_in", "archived", "elsewhere"}
SEES = {
    "root": {"draft", "open", "hers", "nobodys", "handed_in", "elsewhere"},
    "olga": {"draft", "open", "hers", "nobodys", "handed_in"},
    "otto": {"draft", "open", "hers", "nobodys", "handed_in"},
    "rita": {"open", "hers", "nobodys", "handed_in"},
    "vera": {"open", "hers", "nobodys", "handed_in"},
    "anna": {"open", "hers"},
    "abel": {"open", "handed_in"},
    "stranger": {"elsewhere"},
}
#: A viewer sees confirmed revisions only, no jobs.
READS_JOBS = SEES | {"vera": set()}
SEES_BATCHES = {
    "root": {"Inbox", "Draft", "Hers", "Nobody's"},
    "olga": {"Inbox", "Draft", "Hers", "Nobody's"},
    "otto": {"Inbox", "Draft", "Hers", "Nobody's"},
    "rita": {"Inbox", "Hers", "Nobody's"},
    "vera": {"Inbox", "Hers", "Nobody's"},
    "anna": {"Inbox", "Hers"},
    "abel": {"Inbox"},
}
SEES_PROJECTS = {person: {"ours"} for person in SEES_BATCHES} | {
    "root": {"ours", "theirs"},
    "stranger": {"theirs"},
}
#: The figures are the whole project's for every member; what is archived counts nowhere.
COUNTS = {"uploading": 0, "pending": 4, "in_progress": 0, "review": 1, "completed": 0}


@dataclass
class World:
    """Two projects, and one task with a picture and a job for each name in `ALL`."""

    house: House
    theirs: House
    tasks: dict[str, Task]
    jobs: dict[str, Job]

    def names(self, ids: set[str]) -> set[str]:
        """The names of the tasks with these ids."""
        return {name for name, task in self.tasks.items() if str(task.pk) in ids}


@pytest.fixture
def world() -> World:
    """Written by rows, but for the archiving."""
    house, theirs = a_house(), a_house()
    theirs.project.memberships.all().delete()
    theirs.project.memberships.create(user=house.stranger, role="project_admin")
    nobodys = a_batch(house.project, name="Nobody's")
    batches = {
        "draft": a_batch(house.project, house.anna, name="Draft", status="draft"),
        "open": house.inbox,
        "hers": a_batch(house.project, house.anna, name="Hers"),
        "nobodys": nobodys,
        "handed_in": nobodys,
        "archived": house.inbox,
        "elsewhere": theirs.inbox,
    }
    assert set(batches) == ALL
    tasks, jobs = {}, {}
    for name, batch in batches.items():
        asset = store_asset(project=batch.project, name="cup.png", data=png())
        is_handed_in = name == "handed_in"
        tasks[name] = task_in(
            batch,
            Status.REVIEW if is_handed_in else Status.PENDING,
            asset=asset,
            submitted_by=house.abel if is_handed_in else None,
        )
        now = db_now()
        jobs[name] = Job.objects.create(task=tasks[name], created_at=now, updated_at=now)
    gone = call(house.olga, "delete", f"tasks/{tasks['archived'].pk}", {"reason": "Twice the same."})
    assert gone.status == 204
    return World(house, theirs, tasks, jobs)


def readable(user: User, paths: dict[str, str]) -> set[str]:
    """The names whose path answers 200; every other must answer 404 and say nothing."""
    found = set()
    for name, path in paths.items():
        answer = call(user, "get", path)
        if answer.status == 200:
            found.add(name)
        else:
            assert (answer.status, answer.code) == (404, "NOT_FOUND"), (path, answer.body)
    return found


@pytest.mark.parametrize("person", SEES)
def test_a_person_sees_these_tasks_and_no_others(world: World, person: str) -> None:
    user = getattr(world.house, person)
    with unchanged(person):
        listed = {row["id"] for row in call(user, "get", "tasks").body["items"]}
        assert world.names(listed) == SEES[person]
        assert len(listed) == len(SEES[person])
        for path in ("tasks/{}", "tasks/{}/editor", "tasks/{}/annotations"):
            paths = {name: path.format(task.pk) for name, task in world.tasks.items()}
            assert readable(user, paths) == SEES[person], path
        beats = {name: f"tasks/{task.pk}/lock/heartbeat" for name, task in world.tasks.items()}
        answers = {name: call(user, "post", path, {"client_id": "c"}).code for name, path in beats.items()}
        assert {name for name, code in answers.items() if code == "LOCK_LOST"} == SEES[person]
        assert set(answers.values()) <= {"LOCK_LOST", "NOT_FOUND"}
        pictures = {name: f"assets/{task.asset_id}/image" for name, task in world.tasks.items()}
        assert readable(user, pictures) == SEES[person]
        for path in ("jobs/{}", "jobs/{}/results", "jobs/{}/pauses"):
            paths = {name: path.format(job.pk) for name, job in world.jobs.items()}
            assert readable(user, paths) == READS_JOBS[person], path


@pytest.mark.parametrize("person", SEES)
def test_a_tasks_job_is_shown_to_who_may_read_jobs(world: World, person: str) -> None:
    user = getattr(world.house, person)
    for name, task in world.tasks.items():
        Task.objects.filter(pk=task.pk).update(
            job_id=world.jobs[name].pk, job_status="WAITING_USER_SELECTION"
        )
    listed = call(user, "get", "tasks").body["items"]
    bodies = listed + [call(user, "get", f"tasks/{row['id']}").body for row in listed]
    bodies += [call(user, "get", f"tasks/{row['id']}/editor").body["task"] for row in listed]
    assert len(bodies) == 3 * len(SEES[person])
    for body in bodies:
        name = world.names({body["id"]}).pop()
        shown = {"job_id": str(world.jobs[name].pk), "status": "WAITING_USER_SELECTION"}
        assert body["job"] == (shown if name in READS_JOBS[person] else None)


def test_the_tasks_page_says_nothing_of_jobs_to_a_viewer(world: World) -> None:
    Task.objects.filter(pk=world.tasks["open"].pk).update(job_status="WAITING_USER_SELECTION")

    def seen(person: str, asked: str = "") -> tuple[bool, bool, bool]:
        browser = Client()
        browser.force_login(getattr(world.house, person))
        html = browser.get(f"/projects/{world.house.project.pk}/tasks/{asked}").content.decode()
        return (
            'name="job"' in html,
            html.count("waiting for an answer") > 1,
            str(world.tasks["open"].pk) in html,
        )

    assert seen("rita") == (True, True, True)
    assert seen("rita", "?job=failed") == (True, False, False)
    assert seen("vera") == (False, False, True)
    assert seen("vera", "?job=failed") == (False, False, True)


@pytest.mark.parametrize("person", SEES)
def test_a_list_narrowed_to_a_project_or_a_batch_shows_nothing_more(world: World, person: str) -> None:
    user = getattr(world.house, person)
    filters = {f"project={world.house.project.pk}", f"project={world.theirs.project.pk}", "q=picture"}
    filters |= {f"batch={task.batch_id}" for task in world.tasks.values()} | {"mine=true", "status=review"}
    for each in filters:
        listed = {row["id"] for row in call(user, "get", f"tasks?{each}").body["items"]}
        assert world.names(listed) <= SEES[person], each
        assert len(listed) == len(world.names(listed)), each


@pytest.mark.parametrize("person", SEES)
def test_a_person_may_open_and_keep_the_streams_of_what_they_see(world: World, person: str) -> None:
    user = getattr(world.house, person)
    ids = {task.pk: name for name, task in world.tasks.items()}
    projects = {world.house.project.pk: "ours", world.theirs.project.pk: "theirs"}
    kept = visible_pairs(people={user.pk: user}, tasks={user.pk: set(ids)}, projects={user.pk: set(projects)})
    assert {ids[pk] for _, pk in kept if pk in ids} == SEES[person]
    assert {projects[pk] for _, pk in kept if pk in projects} == SEES_PROJECTS[person]
    opened: dict[str, set[str]] = {"task": set(), "job": set(), "project": set()}
    for pk, name in ids.items():
        try:
            open_task(user_id=user.pk, task_id=pk)
            opened["task"].add(name)
            open_job_stream(user_id=user.pk, job_id=world.jobs[name].pk)
            opened["job"].add(name)
        except NotFound:
            continue
    for pk, name in projects.items():
        try:
            open_project(user_id=user.pk, project_id=pk)
            opened["project"].add(name)
        except NotFound:
            continue
    assert opened == {"task": SEES[person], "job": READS_JOBS[person], "project": SEES_PROJECTS[person]}


@pytest.mark.parametrize("person", SEES)
def test_a_member_sees_the_whole_projects_figures_and_the_batches_of_their_own(
    world: World, person: str
) -> None:
    user = getattr(world.house, person)
    project = world.house.project
    projects = {str(project.pk): "ours", str(world.theirs.project.pk): "theirs"}
    listed = {row["id"]: row for row in call(user, "get", "projects").body["items"]}
    assert {projects[pk] for pk in listed} == SEES_PROJECTS[person]
    addresses = [f"projects/{project.pk}{more}" for more in ("", "/progress", "/batches", "/members")]
    if person not in SEES_BATCHES:
        assert {call(user, "get", path).code for path in addresses} == {"NOT_FOUND"}
        return
    one, progress, batches, members = (call(user, "get", path).body for path in addresses)
    assert one["labels"] == project.labels
    assert one["counts"] == listed[str(project.pk)]["counts"] == progress["counts"] == COUNTS
    assert {row["name"] for row in batches["items"]} == SEES_BATCHES[person]
    assert len(members["items"]) == 6


def test_a_reviewers_audit_says_nothing_of_a_batch_that_is_a_draft():
    house = a_house()
    made = call(house.olga, "post", f"projects/{house.project.pk}/batches", {"name": "Not yet"}).body
    batch = Batch.objects.get(pk=made["id"])
    hidden = task_in(batch)
    assert call(house.olga, "put", f"tasks/{hidden.pk}/lock", {"client_id": "o"}).status == 200
    seen = task_in(house.inbox)
    assert call(house.anna, "put", f"tasks/{seen.pk}/lock", {"client_id": "a"}).status == 200
    api, page = f"projects/{house.project.pk}/audit", f"/projects/{house.project.pk}/audit/"

    def rows(person):
        items = call(house.people[person], "get", api).body["items"]
        browser = Client()
        browser.force_login(house.people[person])
        html = browser.get(page).content.decode()
        return [(item["action"], item["task_id"]) for item in items], "batch.create" in html

    expected = [("lock.acquire", str(seen.pk)), ("lock.acquire", str(hidden.pk)), ("batch.create", None)]
    assert rows("otto") == (expected, True)
    assert rows("rita") == (expected[:1], False)
    assert call(house.olga, "patch", f"batches/{batch.pk}", {"status": "active"}).status == 200
    assert rows("rita") == ([("batch.change", None), *expected], True)
