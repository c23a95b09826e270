"""A project's policies: what is declared now, and as the API shows it."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from tasks.domain.policies import PolicyKind
from tasks.domain.times import iso
from tasks.models import ProjectPolicy
from tasks.queries.user_body import user_body


def newest_policies(project_id: UUID) -> dict[PolicyKind, ProjectPolicy]:
    """The newest version of each kind that was ever declared, on or off. One statement."""
    found = ProjectPolicy.objects.filter(project_id=project_id).newest().select_related("created_by")
    return {PolicyKind(policy.kind): policy for policy in found}


def policies_in_force(project_id: UUID) -> dict[PolicyKind, ProjectPolicy]:
    """Those that are on. One statement."""
    return {kind: policy for kind, policy in newest_policies(project_id).items() if policy.is_on}


def policy_body(policy: ProjectPolicy) -> dict[str, Any]:
    """A version; terms that it does not have are null. It comes with its author."""
    return {
        "kind": policy.kind,
        "version": policy.version,
        "is_on": policy.is_on,
        "threshold": policy.threshold,
        "calibration": policy.calibration or None,
        "below": policy.below or None,
        "after_seconds": policy.after_seconds,
        "answer": policy.answer or None,
        "group": policy.group or None,
        "authorisation": policy.authorisation or None,
        "by": user_body(policy.created_by),
        "at": iso(policy.created_at),
    }


def policy_bodies(project_id: UUID) -> list[dict[str, Any]]:
    """One for each kind; a kind that was never declared is off, at version 0."""
    found = newest_policies(project_id)
    return [policy_body(found[kind]) if kind in found else undeclared(kind) for kind in PolicyKind]


def undeclared(kind: PolicyKind) -> dict[str, Any]:
    """What a kind is before its first version."""
    terms = ("threshold", "calibration", "below", "after_seconds", "answer", "group", "authorisation")
    return {
        "kind": kind.value,
        "version": 0,
        "is_on": False,
        **dict.fromkeys(terms),
        "by": None,
        "at": None,
    }


def projects_with_policies_on(kinds: Collection[PolicyKind]) -> int:
    """In how many projects one of these kinds is on."""
    newest = ProjectPolicy.objects.filter(kind__in=kinds).newest()
    return len({policy.project_id for policy in newest if policy.is_on})
