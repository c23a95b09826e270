"""Confirm: the person says that the draft is the answer; an immutable revision is made of it."""

from uuid import UUID

from review.domain.confirm_rules import check_meaning
from review.models import Annotation, Draft
from review.operations.drafts import allowed_geometries, picture_of
from review.operations.lock_for_edit import lock_for_edit
from review.queries.annotation_body import annotation_body
from review.queries.confirmation import confirmation_of
from review.queries.editor_body import editor_body
from tasks.domain.actor import RequestContext, RequestKey
from tasks.domain.errors import ValidationFailed, VersionConflict
from tasks.domain.event_types import AnnotationConfirmed
from tasks.domain.matrix import Operation
from tasks.models import Task, User
from tasks.operations.audit import audit_task
from tasks.operations.events import append_event
from tasks.operations.idempotency import Reply, keep_reply, known_reply, render_reply
from tasks.operations.row_locks import lock_task
from tasks.operations.transactions import db_now, operation
from tasks.queries.access import check_operation, visible_task
from tasks.queries.user_body import user_body


@operation
def confirm(
    *,
    actor: User,
    task_id: UUID,
    expected_draft_version: int,
    expected_config_version: int,
    lock_token: int | None,
    request: RequestKey,
    context: RequestContext,
) -> Reply:
    """Confirm the draft; the reply is 201 {annotation}, or 200 with the revision that already says the same.

    Raises NotFound, RoleForbidden, IdempotencyConflict, LockLost, LockHeld, IllegalTransition,
    VersionConflict (with the editor), ValidationFailed (422; items with a missing label are named).
    """
    role = check_operation(
        user=actor, task=visible_task(user=actor, task_id=task_id), operation=Operation.EDIT
    )
    if (reply := known_reply(request)) is not None:
        return reply
    task = lock_task(task_id)
    if (reply := known_reply(request)) is not None:
        return reply
    lock_for_edit(task=task, actor=actor, role=role, lock_token=lock_token)
    draft = Draft.objects.filter(pk=task.pk).first() or Draft(task_id=task.pk, version=0, items=[])
    if (expected_draft_version, expected_config_version) != (draft.version, task.config_version):
        raise VersionConflict(
            "The draft or the question changed since you looked. Look at the snapshot, then confirm again.",
            snapshot=editor_body(task.pk, viewer=actor),
        )
    confirmation = confirmation_of(task)
    if confirmation.is_confirmed and confirmation.newest is not None:
        body = {"annotation": annotation_body(confirmation.newest)}
        return keep_reply(request, render_reply(200, body))
    errors = check_meaning(
        draft.items,
        selection_mode=task.selection_mode,
        targets=task.targets,
        labels=[label["name"] for label in task.project.labels],
        geometries=allowed_geometries(task),
        picture=picture_of(task),
    )
    if errors:
        raise ValidationFailed(errors, status=422)
    newest = confirmation.newest.revision if confirmation.newest else 0
    annotation = _write(task, draft, revision=newest + 1, actor=actor)
    audit_task(
        task=task,
        action="annotation.confirm",
        actor=actor,
        role=role,
        before={"revision": newest or None},
        after={
            "revision": annotation.revision,
            "draft_version": annotation.draft_version,
            "config_version": annotation.config_version,
            "items": len(annotation.items),
        },
        context=context,
    )
    append_event(task=task, data=AnnotationConfirmed(revision=annotation.revision, by=user_body(actor)))
    return keep_reply(request, render_reply(201, {"annotation": annotation_body(annotation)}))


def _write(task: Task, draft: Draft, *, revision: int, actor: User) -> Annotation:
    now = db_now()
    annotation = Annotation.objects.create(
        task=task,
        revision=revision,
        question=task.question,
        selection_mode=task.selection_mode,
        targets=task.targets,
        config_version=task.config_version,
        draft_version=draft.version,
        candidate_set_id=task.active_candidate_set_id,
        items=draft.items,
        confirmed_by=actor,
        confirmed_at=now,
    )
    Task.objects.filter(pk=task.pk).update(annotation_revision=revision, last_worked_at=now, updated_at=now)
    task.annotation_revision, task.last_worked_at, task.updated_at = revision, now, now
    return annotation
