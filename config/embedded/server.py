"""`script/server`: set up what is missing, start everything, keep it running until a signal.

    .venv/bin/python -m config.embedded.server

Reads PORT, DATA_DIR, DATABASE_URL, BROKER_URL, CHANNEL_URL, DEMO_PASSWORD. `--set-up-only` stops after the
preparation (`script/bootstrap`).
"""

import os
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from config.embedded import failure, frontend_build, ports
from config.embedded.folder import DataFolder
from config.embedded.packages import STEPS
from config.embedded.preparation import Preparation, is_demo_wanted
from config.embedded.progress import Progress, say
from config.embedded.stack import ROOT, Stack

READY_SECONDS = 90.0
ACCOUNTS = (
    ("root", "super admin"),
    ("olga", "project admin, owner"),
    ("otto", "project admin"),
    ("rita, ravi", "reviewers"),
    ("anna, abel", "annotators"),
    ("vera", "viewer"),
)


class Stopped(Exception):
    """A signal asked for the stop."""


def web_port() -> int:
    """PORT as a number. Raises PlainFailure."""
    text = os.environ.get("PORT") or "8000"
    if not text.isdigit() or not 0 < int(text) < 65536:
        raise failure.PlainFailure(f"PORT is {text!r}; it must be a number from 1 to 65535.")
    return int(text)


def prepare(stack: Stack, progress: Progress) -> None:
    """Front end, servers, models, database: all that the first request needs."""
    folder, env = stack.folder, stack.child_environment()

    def stopping() -> bool:
        return stack.stopping

    if (frontend_build.FRONTEND / "package.json").exists():
        frontend_build.install(progress, env, folder.logs / "npm.log", stopping)
        frontend_build.build(progress, env, folder.logs / "frontend-build.log", stopping)
    else:
        progress.skip_to(3)
    names = [
        name
        for name, server in (("PostgreSQL", stack.postgres), ("Valkey", stack.valkey))
        if server is not None
    ]
    progress.step(
        f"Starting {' and '.join(names)} …" if names else "Using the servers given by the environment."
    )
    stack.start_servers()
    preparation = Preparation(
        folder,
        progress,
        stack.child_environment(),
        embedded_database=stack.postgres is not None,
        stop_requested=stopping,
    )
    preparation.models()
    preparation.database()


def wait_ready(stack: Stack) -> None:
    """Supervise until the web process says that it is ready. Raises PlainFailure or Stopped."""
    deadline = time.monotonic() + READY_SECONDS
    answer = "no answer"
    while time.monotonic() < deadline:
        stack.turn(say, timeout=0.1)
        if stack.stopping:
            raise Stopped
        try:
            with urllib.request.urlopen(f"{stack.url}/readyz", timeout=5) as response:
                if response.status == 200:
                    return
        except urllib.error.HTTPError as error:
            answer = f"{error.code} {error.read(500).decode(errors='replace')}"
        except OSError as error:
            answer = str(error)
        web = stack.processes[0]
        if web.failures >= 3:
            # Somebody was quicker than the long set-up.
            if not ports.is_free(stack.port):
                raise failure.port_taken(stack.port)
            raise failure.from_output("Starting the web process", web.last_output(), log=web.log)
    raise failure.PlainFailure(
        f"The web process did not become ready within {READY_SECONDS:.0f} s ({answer}). "
        f"See {stack.folder.logs / 'web.log'}."
    )


def announce(stack: Stack, seconds: float) -> None:
    """Say where it answers, who may sign in, and how to stop it."""
    say(f"\nCountersign is ready: {stack.url}   (after {seconds:.1f} s)\n")
    if is_demo_wanted(stack.child_environment()):
        password = os.environ.get("DEMO_PASSWORD") or "countersign-demo"
        say(f"Demo accounts, all with the password {password}:")
        for names, role in ACCOUNTS:
            say(f"  {names:<12}{role}")
    say(f"\nLogs: {stack.folder.logs}   Stop with Ctrl-C.")


def serve(*, set_up_only: bool) -> None:
    """The whole command. Raises PlainFailure, OSError or Stopped."""
    started = float((os.environ.get("COUNTERSIGN_STARTED") or str(time.time())).replace(",", "."))
    port = web_port()
    folder = DataFolder(Path(os.environ.get("DATA_DIR") or ROOT / "data").absolute()).open()
    folder.lock()
    stack = Stack(
        folder, environ=os.environ, port=port, durable=os.environ.get("COUNTERSIGN_NOT_DURABLE") != "1"
    )
    stack.catch_signals()
    stack.clear_leftovers()
    if not set_up_only and not ports.is_free(port):
        raise failure.port_taken(port)
    progress = Progress(STEPS)
    progress.skip_to(1)
    try:
        prepare(stack, progress)
        if set_up_only:
            return
        progress.step("Starting web, worker and relay …")
        stack.start_processes()
        wait_ready(stack)
        announce(stack, time.time() - started)
        while not stack.stopping:
            stack.turn(say)
    except KeyboardInterrupt:
        raise Stopped from None
    finally:
        if not set_up_only:
            say("Stopping …")
        stack.stop()


def main() -> int:
    try:
        serve(set_up_only="--set-up-only" in sys.argv[1:])
    except failure.PlainFailure as plain:
        say(f"\n{plain}")
        return 1
    except OSError as error:
        say(f"\n{failure.from_os_error(error)}")
        return 1
    except (Stopped, KeyboardInterrupt):
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
