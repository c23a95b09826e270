"""`script/test`: sets up what the tests need, runs the layers in order, and says how many passed.

.venv/bin/python -m tests.support.run [fast|all|browser|faults|bench | names of layers]
"""

import os
import sys

from config.embedded import failure, frontend_build
from config.embedded.folder import DataFolder
from config.embedded.preparation import Preparation
from config.embedded.progress import Progress, say
from config.embedded.stack import ROOT, Stack
from tests.support import layers
from tests.support.servers import TEST_DATA

STEPS = 5
NEEDS_FRONTEND = {"lint", "frontend", "realtime", "faults", "browser", "api", "contract", "integration"}
NEEDS_DATABASE = set(layers.PYTEST_LAYERS) - {"unit"}
NEEDS_MODELS = {"integration", "realtime", "faults", "browser", "concurrency", "unit"}


class Interrupted(Exception):
    """A signal asked for the stop."""


def chosen_layers(arguments: list[str]) -> list[str]:
    """The layers that the command line names, in their order. Raises PlainFailure."""
    wanted: set[str] = set()
    for name in arguments or ["all"]:
        if name in layers.SUITES:
            wanted.update(layers.SUITES[name])
        elif name in layers.ALL:
            wanted.add(name)
        else:
            raise failure.PlainFailure(
                f"There is no layer named {name}. Known: {', '.join((*layers.SUITES, 'bench', *layers.ALL))}."
            )
    return [name for name in layers.ALL if name in wanted]


def set_up(stack: Stack, wanted: set[str], progress: Progress) -> None:
    """Front end, servers, models and Chromium, as far as the wanted layers need them."""

    def stopping() -> bool:
        return stack.stopping

    env, logs = stack.child_environment(), stack.folder.logs
    if wanted & NEEDS_FRONTEND and (frontend_build.FRONTEND / "package.json").exists():
        frontend_build.install(progress, env, logs / "npm.log", stopping)
        frontend_build.build(progress, env, logs / "frontend-build.log", stopping)
    else:
        progress.skip_to(3)
    if wanted & NEEDS_DATABASE:
        progress.step("Starting the tests' own PostgreSQL and Valkey …")
        stack.start_servers()
    else:
        progress.skip_to(4)
    if wanted & NEEDS_MODELS:
        preparation = Preparation(
            stack.folder,
            progress,
            stack.child_environment(),
            embedded_database=False,
            stop_requested=stopping,
        )
        preparation.models()
    if "browser" in wanted:

        def run(command: list[str]) -> None:
            try:
                progress.run("Installing Chromium", command, log=logs / "apt.log", stop_requested=stopping)
            except failure.PlainFailure as plain:
                say(str(plain))

        layers.has_chromium_or_installs_it(say, run)


def layer_environment(stack: Stack, wanted: set[str]) -> dict[str, str]:
    """What the layers run under."""
    env = stack.child_environment()
    env["DJANGO_SETTINGS_MODULE"] = "config.settings.test"
    env.setdefault("COUNTERSIGN_MODELS_DIR", str(stack.folder.path / "models"))
    env.setdefault("COUNTERSIGN_PICTURES_DIR", str(stack.folder.path / "pictures"))
    # The mark is for what the supervisor must end; a layer's own stacks set theirs.
    env.pop("COUNTERSIGN_STACK", None)
    if not wanted & NEEDS_DATABASE:
        for name in ("DATABASE_URL", "BROKER_URL", "CHANNEL_URL"):
            env[name] = os.environ.get(name, "")
    return env


def run_layers(stack: Stack, names: list[str], *, fast: bool) -> list[layers.Outcome]:
    """Run each layer. Raises Interrupted."""
    env = layer_environment(stack, set(names))
    layers.RESULTS.mkdir(parents=True, exist_ok=True)

    def turn() -> None:
        stack.turn(say, timeout=0)
        if stack.stopping:
            raise Interrupted

    outcomes = []
    for name in names:
        say(f"\n== {name}")
        outcomes.append(layers.run_layer(name, env=env, fast=fast, turn=turn))
    return outcomes


def summarise(outcomes: list[layers.Outcome]) -> int:
    """Print a line a layer and the total; the exit code."""
    say("")
    for outcome in outcomes:
        say(outcome.line())
    passed = sum(outcome.passed for outcome in outcomes)
    failed = sum(outcome.failed for outcome in outcomes)
    say(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def run_tests(arguments: list[str]) -> int:
    """Set up, run, stop. Raises PlainFailure, OSError or Interrupted."""
    names = chosen_layers(arguments)
    folder = DataFolder(TEST_DATA).open()
    if not folder.try_lock():
        folder = DataFolder(ROOT / ".cache" / f"test-data-{os.getpid()}").open()
        folder.lock()
    environ = dict(os.environ)
    if folder.path != TEST_DATA:
        # A second run beside another one: it shares the downloads and nothing else.
        environ.setdefault("COUNTERSIGN_MODELS_DIR", str(TEST_DATA / "models"))
        environ.setdefault("COUNTERSIGN_PICTURES_DIR", str(TEST_DATA / "pictures"))
        environ.setdefault("NUMBA_CACHE_DIR", str(TEST_DATA / "numba"))
    stack = Stack(folder, environ=environ, durable=False)
    stack.catch_signals()
    stack.clear_leftovers()
    progress = Progress(STEPS)
    progress.skip_to(1)
    try:
        set_up(stack, set(names), progress)
        return summarise(run_layers(stack, names, fast=arguments == ["fast"]))
    finally:
        stack.stop()


def main() -> int:
    arguments = sys.argv[1:]
    if arguments == ["bench"]:
        os.execv(sys.executable, [sys.executable, "-m", "tests.bench"])
    try:
        return run_tests(arguments)
    except failure.PlainFailure as plain:
        say(f"\n{plain}")
        return 1
    except OSError as error:
        say(f"\n{failure.from_os_error(error)}")
        return 1
    except (Interrupted, KeyboardInterrupt):
        say("\nStopped before the end.")
        return 130


if __name__ == "__main__":
    sys.exit(main())
