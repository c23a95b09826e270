"""A task from a stored picture."""

import random
from typing import Any
from uuid import UUID

from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.errors import FieldError, IllegalTransition, NotFound, ValidationFailed
from tasks.domain.matrix import UPLOAD_DONE, Role
from tasks.domain.question import check_question
from tasks.domain.statuses import BatchStatus, Status
from tasks.models import Asset, Batch, Project, Task, User
from tasks.operations.idempotency import Reply, keep_reply, known_reply, render_reply
from tasks.operations.move_task import count_move, move_task
from tasks.operations.store_asset import checked_picture, store_asset
from tasks.operations.task_created import tell_task_created
from tasks.operations.transactions import operation
from tasks.queries.access import check_manage, visible_project
from tasks.queries.default_batch import default_batch
from tasks.queries.task_body import task_body

NOT_TAKING = frozenset({BatchStatus.ARCHIVED})


def create_task(
    *,
    actor: User,
    project_id: UUID,
    batch_id: UUID | None,
    file_name: str,
    data: bytes,
    name: str,
    question: str,
    selection_mode: str,
    targets: list[str],
    request: RequestKey,
    context: RequestContext,
) -> Reply:
    """An admin's upload of one picture with its question; the reply is the task (201).

    The picture is decoded before the transaction begins. Raises NotFound, RoleForbidden,
    IdempotencyConflict, ValidationFailed (422: not a picture, targets that do not fit the mode), TooLarge.
    """
    project = visible_project(user=actor, project_id=project_id)
    check_manage(user=actor, project=project)
    if (reply := known_reply(request)) is not None:
        return reply
    check_asked(question=question, selection_mode=selection_mode, targets=targets)
    picture = checked_picture(data)

    @operation
    def create() -> Reply:
        role = check_manage(user=actor, project=project)
        if (known := known_reply(request)) is not None:
            return known
        batch = chosen_batch(project=project, batch_id=batch_id)
        asset = store_asset(project=project, name=file_name, data=data, picture=picture)
        task = create_task_within(
            project=project,
            batch=batch,
            asset=asset,
            name=name or asset.original_name,
            question=question,
            selection_mode=selection_mode,
            targets=targets,
            actor=actor,
            role=role,
            context=context,
        )
        tell_task_created(task=task, actor=actor, role=role, context=context)
        return keep_reply(request, render_reply(201, task_body(task.pk, viewer=actor)))

    return create()


def create_task_within(
    *,
    project: Project,
    batch: Batch,
    asset: Asset,
    name: str,
    question: str,
    selection_mode: str,
    targets: list[str],
    actor: User,
    role: Role,
    context: RequestContext,
) -> Task:
    """The task, pending, inside the caller's transaction; the caller has authorised.

    It begins as `uploading` and moves at once: the asset is stored and checked. Raises ValidationFailed.
    """
    check_asked(question=question, selection_mode=selection_mode, targets=targets)
    task = Task.objects.create(
        project=project,
        batch=batch,
        asset=asset,
        name=name[:300],
        question=question,
        selection_mode=selection_mode,
        targets=targets,
        random_key=random.random(),
        created_by=actor,
    )
    count_move(task=task, source=None, target=Status.UPLOADING)
    move_task(
        task=task,
        target=Status.PENDING,
        audit_action=UPLOAD_DONE.audit,
        actor=actor,
        role=role,
        context=context,
        after=_described(task, asset),
    )
    return task


def chosen_batch(*, project: Project, batch_id: UUID | None) -> Batch:
    """The named batch of this project, or the default one. Raises NotFound, IllegalTransition."""
    if batch_id is None:
        return default_batch(project)
    batch = Batch.objects.filter(project=project, pk=batch_id, archived_at=None).first()
    if batch is None:
        raise NotFound("There is no such batch in this project.")
    if batch.status in NOT_TAKING:
        raise IllegalTransition(f"The batch “{batch.name}” is archived. Bring it back before adding to it.")
    return batch


def check_asked(*, question: str, selection_mode: str, targets: list[str]) -> None:
    """The question is within its limits and the targets fit the mode. Raises ValidationFailed (422)."""
    found = check_question(question=question, targets=targets)
    if selection_mode == Task.SelectionMode.ORDERED and not targets:
        found.append(FieldError("targets", "The mode “ordered” needs at least one target.", "required"))
    if found:
        raise ValidationFailed(found, status=422)


def _described(task: Task, asset: Asset) -> dict[str, Any]:
    return {"name": task.name, "batch": str(task.batch_id), "asset": str(asset.pk), "sha256": asset.sha256}
