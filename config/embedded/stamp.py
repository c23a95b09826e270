"""Stamps: a step is skipped while what it was made from has not changed.

A stamp lies inside the thing that it vouches for, so it goes when the thing goes.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path


def fingerprint(paths: Iterable[Path], *extra: str) -> str:
    """A SHA-256 over names and contents of files, and over `extra`; missing files count as absent."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        if path.is_file():
            content = path.read_bytes()
            digest.update(f"{path}\0{len(content)}\0".encode())
            digest.update(content)
    for text in extra:
        digest.update(f"\0{text}".encode())
    return digest.hexdigest()


def is_current(stamp: Path, value: str) -> bool:
    """Whether the stamp says that the step was done for exactly this value."""
    try:
        return stamp.read_text() == value
    except OSError:
        return False


def write(stamp: Path, value: str) -> None:
    """Record that the step is done."""
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(value)
