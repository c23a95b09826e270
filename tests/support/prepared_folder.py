"""A data folder that was set up once, and copies of it: what a live stack starts from.

Its name changes with everything that set-up depends on, so a copy is never stale.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

from config.embedded import stamp
from config.embedded.stack import ROOT
from tests.support.servers import TEST_DATA

PLACE = TEST_DATA / "prepared"
LEFT_OUT = {"server.json", "server.lock", "logs", "postmaster.pid"}


def fingerprint() -> str:
    """Changes with the code, the packages and the front end's build."""
    sources = [ROOT / "requirements.txt", ROOT / "frontend" / "dist" / ".built", ROOT / "manage.py"]
    for app in ("config", "locks", "tasks", "review"):
        sources += (ROOT / app).rglob("*.py")
        sources += (ROOT / app).rglob("static/**/*")
    return stamp.fingerprint(sources)[:16]


def copy_to(folder: Path, environ: dict[str, str]) -> None:
    """Make `folder` a copy of the set-up folder, which is made first where there is none."""
    PLACE.mkdir(parents=True, exist_ok=True)
    with (PLACE.parent / "prepared.lock").open("w") as lock:
        # Two runs at once: the second waits, instead of clearing away what the first is making or copying.
        fcntl.flock(lock, fcntl.LOCK_EX)
        source = PLACE / fingerprint()
        if not source.is_dir():
            make(source, environ)
        shutil.copytree(source, folder, ignore=lambda _, names: LEFT_OUT.intersection(names), symlinks=True)


def make(target: Path, environ: dict[str, str]) -> None:
    """Set up a folder and give it its name when it is whole. Raises AssertionError with the output."""
    for old in PLACE.iterdir():
        shutil.rmtree(old, ignore_errors=True)
    building = PLACE / f"building-{os.getpid()}"
    done = subprocess.run(
        [sys.executable, "-m", "config.embedded.server", "--set-up-only"],
        cwd=ROOT,
        env=environ | {"DATA_DIR": str(building)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    building.rename(target)
