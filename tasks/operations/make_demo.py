"""The demo: people, a project, pictures; all of it or nothing."""

from collections.abc import Mapping

from django.contrib.auth.hashers import make_password

from tasks.domain import demo
from tasks.domain.actor import RequestContext
from tasks.domain.matrix import Role
from tasks.domain.statuses import BatchStatus
from tasks.models import Batch, BatchAssignee, Project, User
from tasks.operations.audit import audit_project
from tasks.operations.create_project import create_project_within
from tasks.operations.create_task import create_task_within
from tasks.operations.members import add_member_within
from tasks.operations.pictures import NormalisedPicture
from tasks.operations.row_locks import lock_project
from tasks.operations.store_asset import store_asset
from tasks.operations.transactions import operation
from tasks.queries.default_batch import default_batch

_CONTEXT = RequestContext(device="make_demo")


@operation
def make_demo(*, password: str, pictures: Mapping[str, tuple[bytes, NormalisedPicture]]) -> Project | None:
    """The project, or None where there are people already: then nothing is touched.

    `pictures`: file name → (upload, decoded). Those that are missing are left out.
    """
    if User.objects.exists():
        return None
    people = _people(password)
    owner = people[demo.OWNER]
    project = create_project_within(
        actor=owner,
        values={"name": demo.PROJECT, "description": demo.DESCRIPTION, "labels": demo.LABELS},
        context=_CONTEXT,
    )
    for person in demo.PEOPLE:
        if person.role is not None and person.username != demo.OWNER:
            add_member_within(
                project=project,
                user=people[person.username],
                member_role=person.role,
                actor=owner,
                role=Role.PROJECT_ADMIN,
                context=_CONTEXT,
            )
    batch = _batch(project, owner, [people[name] for name in demo.ASSIGNEES])
    inbox = default_batch(project)
    for name, is_assigned in demo.PICTURES:
        if name not in pictures:
            continue
        data, picture = pictures[name]
        create_task_within(
            project=project,
            batch=batch if is_assigned else inbox,
            asset=store_asset(project=project, name=name, data=data, is_demo=True, picture=picture),
            name=name,
            question=demo.QUESTION,
            selection_mode="free",
            targets=[],
            actor=owner,
            role=Role.PROJECT_ADMIN,
            context=_CONTEXT,
        )
    return project


def _people(password: str) -> dict[str, User]:
    # Hashed once: eight hashes would take seconds, and everybody knows the password anyway.
    hashed = make_password(password)
    people = {}
    for person in demo.PEOPLE:
        user = User.objects.create(
            username=person.username,
            first_name=person.first_name,
            last_name=person.last_name,
            password=hashed,
            is_superuser=person.role is None,
            is_staff=person.role is None,
        )
        people[person.username] = user
    return people


def _batch(project: Project, owner: User, assignees: list[User]) -> Batch:
    batch = Batch.objects.create(project=project, name=demo.BATCH, status=BatchStatus.ACTIVE, priority=10)
    BatchAssignee.objects.bulk_create([BatchAssignee(batch=batch, user=user) for user in assignees])
    audit_project(
        project=lock_project(project.pk),
        action="batch.create",
        actor=owner,
        role=Role.PROJECT_ADMIN,
        after={
            "batch": str(batch.pk),
            "name": batch.name,
            "assignees": [user.username for user in assignees],
        },
        context=_CONTEXT,
    )
    return batch
