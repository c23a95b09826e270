"""What a project may declare to happen without a person (page 04, Waiting): kinds, terms, and their rules.

Nothing is declared from the start. A declaration is a version, and acts only on what was made under it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from tasks.domain.errors import FieldError, ValidationFailed

SHORTEST_WAIT_SECONDS: Final = 60
LONGEST_WAIT_SECONDS: Final = 90 * 24 * 3600
LONGEST_TEXT: Final = 4000


class PolicyKind(StrEnum):
    """What is declared."""

    #: Detection goes on to the cut-out without a person, for boxes above a calibrated threshold.
    ROUTING = "routing"
    #: A pause that nobody answered is answered with the declared default.
    TIMEOUT_DEFAULT = "timeout_default"
    #: A pause that nobody answered is put to another group; nothing else of it changes.
    TIMEOUT_TO_QUEUE = "timeout_to_queue"


class Below(StrEnum):
    """What routing does about boxes below the threshold."""

    #: One of them, and a person is asked about the whole picture.
    ASK = "ask"
    #: They are left out, and what is above goes on.
    LEAVE_OUT = "leave_out"


class DefaultAnswer(StrEnum):
    """What a timeout answers."""

    #: The boxes as they were shown, without those that were not recognised.
    KEEP_SHOWN = "keep_shown"
    #: No box.
    KEEP_NONE = "keep_none"


class AskedGroup(StrEnum):
    """Who is asked by a pause."""

    ANNOTATORS = "annotators"
    REVIEWERS = "reviewers"
    ADMINS = "admins"


#: The terms of each kind; all of them are needed while it is on.
TERMS: Final[dict[PolicyKind, tuple[str, ...]]] = {
    PolicyKind.ROUTING: ("threshold", "calibration", "below"),
    PolicyKind.TIMEOUT_DEFAULT: ("after_seconds", "answer", "authorisation"),
    PolicyKind.TIMEOUT_TO_QUEUE: ("after_seconds", "group"),
}
#: What a version may say besides, whatever its kind.
ALWAYS: Final = ("authorisation",)
#: The value of a term that is not said.
UNSAID: Final[dict[str, Any]] = {
    "threshold": None,
    "calibration": "",
    "below": "",
    "after_seconds": None,
    "answer": "",
    "group": "",
    "authorisation": "",
}
_WRITTEN: Final = {
    "calibration": "Say on which pictures the threshold was measured, and how often it was wrong.",
    "authorisation": "Write who authorises this default, and on what ground.",
}


def version_name(kind: str, version: int) -> str:
    """How a version is written where it acted: `timeout_default@2`."""
    return f"{kind}@{version}"


def check_shape(kind: PolicyKind, values: Mapping[str, Any]) -> None:
    """Which terms the kind has, and which it needs while it is on. Raises ValidationFailed (400)."""
    known = {*TERMS[kind], *ALWAYS}
    errors = [
        FieldError(name, f"The policy {kind} has no such term.", "unknown_field")
        for name in UNSAID
        if name in values and name not in known
    ]
    if values["is_on"]:
        errors += [
            FieldError(name, "Needed while the policy is on.", "required")
            for name in TERMS[kind]
            if values.get(name) is None
        ]
    if errors:
        raise ValidationFailed(errors)


def checked_terms(kind: PolicyKind, values: Mapping[str, Any]) -> dict[str, Any]:
    """Every term ready to store. Raises ValidationFailed (422) where a text that is needed says nothing."""
    said = {name: values.get(name) for name in UNSAID}
    terms = {name: UNSAID[name] if value is None else value for name, value in said.items()}
    for name in _WRITTEN:
        terms[name] = terms[name].strip()
    if values["is_on"]:
        blank = [name for name in TERMS[kind] if name in _WRITTEN and not terms[name]]
        if blank:
            raise ValidationFailed([FieldError(name, _WRITTEN[name], "blank") for name in blank], status=422)
    return {"is_on": values["is_on"], **terms}
