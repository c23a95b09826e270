"""A project's labels: filled up, and checked."""

import re
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

from tasks.domain.errors import FieldError, ValidationFailed

MOST_LABELS, MOST_ALIASES, MOST_CHARACTERS = 500, 50, 100
#: Readable on white and on dark, told apart by people who see colours differently.
PALETTE = (
    "#0072b2",
    "#e69f00",
    "#009e73",
    "#cc79a7",
    "#d55e00",
    "#56b4e9",
    "#8a6d00",
    "#7a4fbf",
    "#3f8f29",
    "#b3404a",
)
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


def names_of(labels: list[dict[str, Any]]) -> set[str]:
    """What of the labels a task asks for: their names. Colours, keys and aliases only help to choose."""
    return {str(label["name"]) for label in labels}


def filled_labels(given: Sequence[str | Mapping[str, Any]], *, field: str = "labels") -> list[dict[str, Any]]:
    """`[{id, name, color, key, aliases}]` from names or objects that have at least a name.

    Raises ValidationFailed (422) naming what of which label is not acceptable: empty, too long, twice.
    """
    errors: list[FieldError] = []
    if len(given) > MOST_LABELS:
        errors.append(FieldError(field, f"At most {MOST_LABELS} labels.", "max_length"))
    labels: list[dict[str, Any]] = []
    seen: dict[str, set[str]] = {"name": set(), "key": set(), "id": set()}
    for place, one in enumerate(given[:MOST_LABELS]):
        label = {"name": one} if isinstance(one, str) else one
        faults = _faults(label)
        if faults:
            errors += [FieldError(f"{field}.{place}.{part}", fault, "invalid") for part, fault in faults]
            continue
        filled: dict[str, Any] = {
            "id": label.get("id") or str(uuid4()),
            "name": label["name"].strip(),
            "color": label.get("color") or PALETTE[place % len(PALETTE)],
            "key": label.get("key") or "",
            "aliases": [alias.strip() for alias in label.get("aliases") or []],
        }
        for what, known in seen.items():
            value = filled[what].casefold()
            if value and value in known:
                errors.append(
                    FieldError(f"{field}.{place}.{what}", f"“{filled[what]}” is there twice.", "unique")
                )
            known.add(value)
        labels.append(filled)
    if errors:
        raise ValidationFailed(errors, status=422)
    return labels


def _faults(label: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What is wrong with which part of one label by itself."""
    found = []
    if not _is_name(label["name"]):
        found.append(("name", f"A label needs a name of 1 to {MOST_CHARACTERS} characters."))
    if len(label.get("id") or "") > MOST_CHARACTERS:
        found.append(("id", f"An id has at most {MOST_CHARACTERS} characters."))
    if (colour := label.get("color")) and not _COLOUR.fullmatch(colour):
        found.append(("color", "A colour is written like #1a2b3c."))
    if len(label.get("key") or "") > 1:
        found.append(("key", "A key is one character."))
    aliases = label.get("aliases") or []
    if len(aliases) > MOST_ALIASES or not all(map(_is_name, aliases)):
        message = f"Aliases are at most {MOST_ALIASES} names of 1 to {MOST_CHARACTERS} characters."
        found.append(("aliases", message))
    return found


def _is_name(value: str) -> bool:
    return 0 < len(value.strip()) <= MOST_CHARACTERS
