"""Every environment variable that Countersign reads, in one place."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class MissingSetting(Exception):
    """A setting without which this process must not start; its message names it."""


def text(name: str, default: str = "") -> str:
    """The variable's value, or `default` where it is unset or empty."""
    return os.environ.get(name) or default


def required(name: str) -> str:
    """The variable's value. Raises MissingSetting, naming it, where it is unset."""
    value = os.environ.get(name)
    if not value:
        raise MissingSetting(f"Set {name}: production settings do not start without it.")
    return value


def flag(name: str, *, default: bool = False) -> bool:
    """Whether the variable says yes (1, true, yes, on)."""
    value = os.environ.get(name)
    if value is None:
        return default
    return value.strip().lower() in {"1", "true", "yes", "on"}


def number(name: str, default: int) -> int:
    """The variable as a whole number."""
    return int(os.environ.get(name) or default)


def data_dir() -> Path:
    """Where everything lives that is not code: database, pictures, model weights."""
    return Path(os.environ.get("DATA_DIR") or ROOT / "data").absolute()
