"""The words that pages use for the states of a job."""

from typing import Any

from django import template
from django.utils.translation import gettext_lazy as _

from review.domain.job_states import JobStatus
from tasks.domain.policies import AskedGroup

register = template.Library()

WORDS: dict[str, tuple[Any, str]] = {
    JobStatus.CREATED: (_("job accepted"), ""),
    JobStatus.DETECTING: (_("the model is looking"), "tag-info"),
    JobStatus.WAITING_USER_SELECTION: (_("waiting for an answer"), "tag-seal"),
    JobStatus.VALIDATING_MANUAL_BOXES: (_("checking drawn boxes"), "tag-info"),
    JobStatus.WAITING_BOX_BATCH_REVISION: (_("some boxes need another look"), "tag-seal"),
    JobStatus.PROCESSING_APPROVED_SUBJECTS: (_("cutting out"), "tag-info"),
    JobStatus.FINALIZING_RESULTS: (_("storing results"), "tag-info"),
    JobStatus.SUCCEEDED: (_("cut out"), "tag-ok"),
    JobStatus.PARTIAL_SUCCEEDED: (_("partly cut out"), "tag-warn"),
    JobStatus.FAILED: (_("failed"), "tag-seal"),
    JobStatus.EMPTY_SELECTION: (_("nothing chosen"), ""),
    JobStatus.CANCELLED: (_("cancelled"), ""),
}


GROUPS: dict[str, Any] = {
    AskedGroup.ANNOTATORS: _("the annotators"),
    AskedGroup.REVIEWERS: _("the reviewers"),
    AskedGroup.ADMINS: _("the project admins"),
}


@register.filter
def group_word(group: str) -> Any:
    """Whom a pause asks, in words."""
    return GROUPS.get(group, group)


@register.filter
def job_word(status: str) -> Any:
    """A job's state in words."""
    return WORDS[status][0] if status in WORDS else status


@register.filter
def job_tag(status: str) -> str:
    """The colour class of a job's state."""
    return WORDS[status][1] if status in WORDS else ""
