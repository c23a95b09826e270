"""What Django needs before the first request: models, tables, static files, the demo.

Each is skipped while what it is made from has not changed.
"""

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from config.embedded import stamp
from config.embedded.folder import DataFolder
from config.embedded.progress import Progress

ROOT = Path(__file__).resolve().parent.parent.parent
APPS = ("locks", "tasks", "review")
# Downloads and compiled code, alike in every data folder of a checkout.
WEIGHTS_SOURCES = ("weights.py", "fetching.py", "warming.py", "matting.py")
DOWNLOADS = ("models", "pictures", "numba")


class Preparation:
    """The steps of one data folder. Each runs as a Django command of its own, its output in `logs/`."""

    def __init__(
        self,
        folder: DataFolder,
        progress: Progress,
        environ: Mapping[str, str],
        *,
        embedded_database: bool,
        stop_requested: Callable[[], bool] = lambda: False,
    ) -> None:
        self.folder = folder
        self.progress = progress
        self.environ = environ
        self.embedded_database = embedded_database
        self.stop_requested = stop_requested

    def command(self, what: str, *arguments: str) -> str:
        """Run one management command and return its output. Raises PlainFailure."""
        return self.progress.run(
            what,
            [sys.executable, "manage.py", *arguments],
            log=self.folder.logs / f"{arguments[0]}.log",
            env=self.environ,
            cwd=ROOT,
            stop_requested=self.stop_requested,
        )

    def models(self) -> None:
        """Fetch the model weights and compile what compiles at first use."""
        if self.environ.get("COUNTERSIGN_MODELS_DIR"):
            self.progress.step("Using the model weights in COUNTERSIGN_MODELS_DIR.")
            return
        mark = self.folder.stamps / "models"
        wanted = stamp.fingerprint(
            [
                *(ROOT / "review" / "providers" / "local" / name for name in WEIGHTS_SOURCES),
                ROOT / "requirements.txt",
            ],
            sys.version,
        )
        if stamp.is_current(mark, wanted) and (self.folder.path / "models").is_dir():
            self.progress.step("Model weights are in place.")
            return
        self.progress.step("Fetching and preparing model weights (first time: one to two minutes) …")
        for name in DOWNLOADS:
            adopt(self.folder.path / name)
        self.command("Fetching the model weights", "fetch_models")
        self.command("Preparing the models", "warm_models")
        stamp.write(mark, wanted)

    def database(self) -> None:
        """Tables, static files and, on an empty local database, the demo."""
        schema = self.folder.stamps / "schema"
        wanted = stamp.fingerprint(
            [
                *(path for app in APPS for path in (ROOT / app / "migrations").glob("*.py")),
                ROOT / "requirements.txt",
            ],
            str(self.environ.get("DATABASE_URL", "").rpartition("/")[2]),
        )
        # A database elsewhere may have been replaced since: only our own can be vouched for.
        migrated = self.embedded_database and stamp.is_current(schema, wanted)
        static = self.folder.path / "static" / ".collected"
        wanted_static = stamp.fingerprint(static_sources())
        collected = stamp.is_current(static, wanted_static)
        if migrated and collected:
            self.progress.step("The database is up to date.")
            return
        self.progress.step("Preparing the database and static files …")
        if not migrated:
            self.command("Migrating the database", "migrate", "--no-input", "-v", "1")
        if not collected:
            self.command("Collecting static files", "collectstatic", "--no-input", "--clear", "-v", "0")
            stamp.write(static, wanted_static)
        if not migrated:
            if is_demo_wanted(self.environ):
                self.command("Making the demo", "make_demo")
            stamp.write(schema, wanted)


def adopt(folder: Path) -> None:
    """Take downloads over from the checkout's other data folder (server and tests each have one).

    `fetch_models` checks every hash afterwards, so what is taken over need not be trusted.
    """
    if folder.exists():
        return
    for other in (ROOT / "data", ROOT / ".cache" / "test-data"):
        source = other / folder.name
        if source.is_dir() and source != folder:
            shutil.copytree(source, folder, copy_function=link_or_copy)
            return


def link_or_copy(source: str, target: str) -> str:
    """A hard link where the file system has them: these files are replaced, never written into."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
    return target


def is_demo_wanted(environ: Mapping[str, str]) -> bool:
    """Whether demo accounts may exist at all: never under production settings."""
    return "production" not in environ.get("DJANGO_SETTINGS_MODULE", "")


def static_sources() -> list[Path]:
    """What `collectstatic` copies, by what changes: the build, the apps' static folders, the packages."""
    found = [
        ROOT / "requirements.txt",
        ROOT / "frontend" / "dist" / ".built",
        ROOT / "config" / "settings" / "base.py",
    ]
    for app in (*APPS, "config"):
        for place, _, names in os.walk(ROOT / app / "static"):
            found += [Path(place) / name for name in names]
    return found
