"""The words that pages use for statuses, roles, marks and actions."""

from typing import Any

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tasks.domain.matrix import Role
from tasks.domain.statuses import BatchStatus, Mark, Status
from tasks.domain.system_reasons import SystemReason, split_reason

register = template.Library()

STATUS: dict[str, tuple[Any, str]] = {
    Status.UPLOADING: (_("uploading"), ""),
    Status.PENDING: (_("to do"), ""),
    Status.IN_PROGRESS: (_("in work"), "tag-warn"),
    Status.REVIEW: (_("in review"), "tag-info"),
    Status.COMPLETED: (_("done"), "tag-ok"),
}
BATCH_STATUS: dict[str, Any] = {
    BatchStatus.DRAFT: _("Draft"),
    BatchStatus.ACTIVE: _("Active"),
    BatchStatus.ANNOTATING: _("Annotating"),
    BatchStatus.REVIEWING: _("Reviewing"),
    BatchStatus.COMPLETED: _("Completed"),
    BatchStatus.ARCHIVED: _("Archived"),
}
ROLE: dict[str, Any] = {
    Role.SUPER_ADMIN: _("super admin"),
    Role.PROJECT_ADMIN: _("project admin"),
    Role.REVIEWER: _("reviewer"),
    Role.ANNOTATOR: _("annotator"),
    Role.VIEWER: _("viewer"),
}
MARK: dict[str, tuple[Any, str]] = {
    Mark.NORMAL: (_("normal"), ""),
    Mark.DIFFICULT: (_("marked difficult"), "tag-seal"),
    Mark.LATER: (_("put off"), "tag-warn"),
    Mark.INVALID: (_("not usable"), ""),
}
REASON: dict[SystemReason, Any] = {
    SystemReason.NO_MEMBER: _("no longer a member"),
    SystemReason.OTHER_ROLE: _("role changed"),
    SystemReason.GIVEN_AWAY: _("the batch was given to others"),
    SystemReason.BY_ITSELF: _("by itself, after its tasks"),
    SystemReason.DECIDED: _("the review was decided"),
    SystemReason.ON_HOLD: _("batch on hold"),
    SystemReason.ARCHIVED: _("task archived"),
}
#: What follows a name: "Anna claimed · coffee.png".
ACTION: dict[str, Any] = {
    "task.uploaded": _("uploaded"),
    "task.create": _("created"),
    "task.claim": _("claimed"),
    "task.takeover": _("took over"),
    "task.submit": _("handed in"),
    "task.withdraw": _("gave back"),
    "task.recall": _("recalled"),
    "task.review_claim": _("began to review"),
    "task.approve": _("approved"),
    "task.reject": _("sent back"),
    "task.reopen": _("reopened"),
    "task.archive": _("archived"),
    "task.restore": _("restored"),
    "lock.acquire": _("took the lock"),
    "lock.takeover": _("took the lock over"),
    "lock.release": _("let the lock go"),
    "lock.force_release": _("released the lock by hand"),
    "lock.expire": _("lost the lock"),
    "annotation.confirm": _("confirmed"),
    "draft.save": _("edited"),
    "job.create": _("started a job"),
    "job.pause": _("asks a person"),
    "job.intervention": _("answered the panel"),
    "job.end": _("ended the job"),
    "job.cancel": _("cancelled the job"),
    "job.policy": _("followed a policy"),
    "run.start": _("ran a model"),
    "run.cancel": _("cancelled a run"),
    "run.ignored": _("ignored a report that came too late"),
    "prediction.apply": _("applied a suggestion"),
    "region.apply": _("applied a local detection"),
    "pin.answer": _("answered a remark"),
    "task.config": _("changed the question"),
    "mark": _("marked"),
    "batch.create": _("created a batch"),
    "batch.change": _("changed a batch"),
    "batch.hold": _("put a batch on hold"),
    "batch.release": _("ended the hold of a batch"),
    "batch.status": _("moved a batch"),
    "batch.archive": _("archived a batch"),
    "batch.restore": _("restored a batch"),
    "project.create": _("created the project"),
    "project.change": _("changed the settings"),
    "policy.change": _("declared a policy"),
    "project.archive": _("archived the project"),
    "project.restore": _("restored the project"),
    "member.add": _("added a member"),
    "member.role": _("changed a role"),
    "member.remove": _("removed a member"),
}


@register.filter
def status_word(status: str) -> Any:
    """A task's status in words."""
    return STATUS[status][0] if status in STATUS else status


@register.filter
def status_tag(status: str) -> str:
    """The colour class of a task's status."""
    return STATUS[status][1] if status in STATUS else ""


@register.filter
def batch_word(status: str) -> Any:
    """A batch's status in words."""
    return BATCH_STATUS.get(status, status)


@register.filter
def role_word(role: str) -> Any:
    """A role in words."""
    return ROLE.get(role, role)


@register.filter
def mark_word(mark: str) -> Any:
    """A mark in words."""
    return MARK[mark][0] if mark in MARK else mark


@register.filter
def mark_tag(mark: str) -> str:
    """The colour class of a mark."""
    return MARK[mark][1] if mark in MARK else ""


@register.filter
def action_word(action: str) -> str | Promise:
    """An audit action in words; its own name where it has none, made readable."""
    known: str | Promise = ACTION.get(action, action.replace(".", " ").replace("_", " "))
    return known


@register.filter
def reason_words(reason: str) -> str:
    """A reason of the audit: the system's own in words, a person's as typed."""
    system, more = split_reason(reason)
    if system is None:
        return more
    if system is SystemReason.OTHER_ROLE:
        more = str(role_word(more))
    return _("%(why)s: %(more)s") % {"why": REASON[system], "more": more} if more else str(REASON[system])
