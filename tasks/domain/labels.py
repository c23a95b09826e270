"""A project's labels: filled up, and checked."""

import re
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


def filled_labels(given: list[Any], *, field: str = "labels") -> list[dict[str, Any]]:
    """`[{id, name, color, key, aliases}]` from names or objects that have at least a name.

    Raises ValidationFailed (422) naming each label that is not acceptable: empty, twice, unknown keys.
    """
    errors: list[FieldError] = []
    if len(given) > MOST_LABELS:
        errors.append(FieldError(field, f"At most {MOST_LABELS} labels.", "max_length"))
    labels: list[dict[str, Any]] = []
    seen: dict[str, set[str]] = {"name": set(), "key": set(), "id": set()}
    for place, one in enumerate(given[:MOST_LABELS]):
        label = {"name": one} if isinstance(one, str) else one
        fault = _fault(label)
        if fault is not None:
            errors.append(FieldError(f"{field}.{place}", fault, "invalid"))
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


def _fault(label: Any) -> str | None:
    """What is wrong with one label by itself."""
    if not isinstance(label, dict):
        return "A label is a name, or an object with a name."
    unknown = sorted(set(label) - {"id", "name", "color", "key", "aliases"})
    if unknown:
        return f"A label has no field “{unknown[0]}”."
    if not _is_name(label.get("name")):
        return f"A label needs a name of 1 to {MOST_CHARACTERS} characters."
    texts = {name: label.get(name) for name in ("id", "color", "key")}
    if any(value is not None and not isinstance(value, str) for value in texts.values()):
        return "The fields id, color and key are texts."
    if texts["id"] and len(texts["id"]) > MOST_CHARACTERS:
        return f"An id has at most {MOST_CHARACTERS} characters."
    if texts["color"] and not _COLOUR.fullmatch(texts["color"]):
        return "A colour is written like #1a2b3c."
    if texts["key"] and len(texts["key"]) > 1:
        return "A key is one character."
    aliases = label.get("aliases")
    if aliases is None:
        return None
    if not isinstance(aliases, list) or len(aliases) > MOST_ALIASES or not all(map(_is_name, aliases)):
        return f"Aliases are a list of at most {MOST_ALIASES} names."
    return None


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value.strip()) <= MOST_CHARACTERS
