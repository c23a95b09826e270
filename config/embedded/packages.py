"""The virtual environment and the pinned packages: runs on any Python ≥ 3.11, standard library only.

python3 -m config.embedded.packages [--dev]
"""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from config.embedded import stamp
from config.embedded.failure import PlainFailure, from_os_error
from config.embedded.progress import Progress

ROOT = Path(__file__).resolve().parent.parent.parent
VENV = ROOT / ".venv"
STEPS = 7


def requirement_files(*, dev: bool) -> list[Path]:
    """The compiled files that are installed."""
    return [ROOT / "requirements.txt"] + ([ROOT / "requirements-dev.txt"] if dev else [])


def install(*, dev: bool, total: int = STEPS) -> None:
    """Make `.venv` hold exactly the pinned packages. Raises PlainFailure."""
    progress = Progress(total)
    files = requirement_files(dev=dev)
    mark = VENV / (".packages-dev" if dev else ".packages")
    wanted = stamp.fingerprint(files)
    # The test set-up installs all that the server needs as well, so either stamp serves the server.
    all_wanted = stamp.fingerprint(requirement_files(dev=True))
    python = VENV / "bin" / "python"
    if python.exists() and (
        stamp.is_current(mark, wanted) or stamp.is_current(VENV / ".packages-dev", all_wanted)
    ):
        progress.step("Python packages are in place.")
        return
    progress.step("Installing Python packages (first time: one to two minutes) …")
    log = ROOT / ".cache" / "packages.log"
    if python.exists() and not runs(python):
        shutil.rmtree(VENV)
    if not python.exists():
        progress.run("Making the virtual environment", [sys.executable, "-m", "venv", str(VENV)], log=log)
    command = [str(python), "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
    # What is imported compiles itself at its first import; compiling all of it takes twenty seconds more.
    command.append("--no-compile")
    for file in files:
        command += ["-r", str(file)]
    progress.run("Installing the Python packages", command, log=log, env=environment())
    put_on_path()
    stamp.write(mark, wanted)


def put_on_path() -> None:
    """Make the checkout importable in its environment, so that a bare `pytest` finds it."""
    for folder in (VENV / "lib").glob("python3*/site-packages"):
        (folder / "countersign.pth").write_text(f"{ROOT}\n")


def environment() -> dict[str, str]:
    """The caller's environment, with compiled Python allowed: without it each start compiles everything."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def runs(python: Path) -> bool:
    """Whether the interpreter of an existing environment still works (a moved folder breaks it)."""
    try:
        return (
            subprocess.run([str(python), "-c", "import pip"], capture_output=True, check=False).returncode
            == 0
        )
    except OSError:
        return False


@contextmanager
def alone() -> Iterator[None]:
    """One set-up at a time in a checkout: two installs into one environment break each other."""
    folder = ROOT / ".cache"
    folder.mkdir(exist_ok=True)
    with (folder / "packages.lock").open("a") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("Another command is setting up this checkout; waiting for it …", flush=True)
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def main() -> int:
    try:
        with alone():
            install(dev="--dev" in sys.argv[1:])
    except PlainFailure as plain:
        print(plain, file=sys.stderr)
        return 1
    except OSError as error:
        print(from_os_error(error), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
