"""The layers of tests: what each runs, and how its result is read."""

import json
import os
import re
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from subprocess import STDOUT, Popen, TimeoutExpired

from config.embedded.stack import ROOT
from tests.support import browser

RESULTS = ROOT / ".cache" / "test-results"
PYTEST_LAYERS = ("unit", "integration", "api", "contract", "realtime", "concurrency", "faults", "browser")
ALL = ("lint", "frontend", *PYTEST_LAYERS)
# Under two minutes on two cores.
FAST = ("frontend", "unit", "integration", "api", "contract")
SUITES = {"all": ALL, "fast": FAST, "browser": ("browser",), "faults": ("faults",)}
NO_TESTS = 5


@dataclass
class Outcome:
    """The result of one layer. `note` says why it did not run, where it did not."""

    layer: str
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    seconds: float = 0.0
    note: str = ""

    def line(self) -> str:
        """The layer's line of the summary."""
        if self.note:
            return f"{self.layer:<12} {self.note}"
        parts = [f"{self.passed} passed"]
        if self.failed:
            parts.append(f"{self.failed} failed")
        if self.skipped:
            parts.append(f"{self.skipped} skipped")
        return f"{self.layer:<12} {', '.join(parts)}  {self.seconds:.1f} s"


def run_layer(layer: str, *, env: dict[str, str], fast: bool, turn: Callable[[], None]) -> Outcome:
    """Run one layer; `turn` is called while it runs, to keep the servers supervised."""
    started = time.monotonic()
    if layer == "lint":
        outcome = run_lint(env, turn)
    elif layer == "frontend":
        outcome = run_vitest(env, turn)
    else:
        outcome = run_pytest(layer, env, turn, fast=fast)
    outcome.seconds = time.monotonic() - started
    return outcome


def run_command(
    command: list[str],
    env: dict[str, str],
    turn: Callable[[], None],
    *,
    cwd: Path = ROOT,
    log: Path | None = None,
) -> int:
    """Run a program to its end; its output goes to the terminal, or to `log`."""
    output = log.open("wb") if log else None
    process = Popen(command, cwd=cwd, env=env, stdout=output, stderr=STDOUT if output else None)
    try:
        while True:
            try:
                return process.wait(timeout=0.3)
            except TimeoutExpired:
                turn()
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(timeout=3)
            except TimeoutExpired:
                process.kill()
                process.wait()
        if output:
            output.close()


def run_lint(env: dict[str, str], turn: Callable[[], None]) -> Outcome:
    """The static checks."""
    log = RESULTS / "lint.log"
    code = run_command([sys.executable, "-m", "tests.support.lint"], env, turn, log=log)
    text = log.read_text(errors="replace")
    print(text, end="", flush=True)
    counts = re.search(r"^(\d+) checks passed, (\d+) failed", text, re.M)
    if counts is None:
        return Outcome("lint", failed=1)
    failed = int(counts[2])
    return Outcome("lint", passed=int(counts[1]), failed=max(failed, int(code != 0)))


def run_vitest(env: dict[str, str], turn: Callable[[], None]) -> Outcome:
    """The front end's own tests."""
    frontend = ROOT / "frontend"
    program = frontend / "node_modules" / "vitest" / "vitest.mjs"
    if not any(frontend.glob("**/[!.]*.test.ts*")):
        return Outcome("frontend", note="none yet")
    report = RESULTS / "frontend.json"
    report.unlink(missing_ok=True)
    command = [
        str(Path(sys.executable).parent / "node"),
        str(program),
        "run",
        "--reporter=dot",
        "--reporter=json",
    ]
    plain = env | {"NO_COLOR": "1"}
    code = run_command([*command, f"--outputFile.json={report}"], plain, turn, cwd=frontend)
    try:
        counts = json.loads(report.read_text())
    except (OSError, ValueError):
        return Outcome("frontend", failed=1)
    failed = int(counts["numFailedTests"])
    return Outcome(
        "frontend",
        passed=int(counts["numPassedTests"]),
        failed=max(failed, int(code != 0)),
        skipped=int(counts.get("numPendingTests", 0)),
    )


def run_pytest(layer: str, env: dict[str, str], turn: Callable[[], None], *, fast: bool) -> Outcome:
    """One folder of tests."""
    folder = ROOT / "tests" / layer
    if not any(folder.glob("**/test_*.py")):
        return Outcome(layer, note="none yet")
    if layer == "browser" and browser.executable() is None and env.get("CI") != "true":
        return Outcome(layer, skipped=1, note="skipped: there is no Chromium on this machine")
    report = RESULTS / f"{layer}.xml"
    report.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", f"tests/{layer}", "-q", f"--junitxml={report}"]
    if fast:
        command += ["-m", "not slow"]
    code = run_command(command, env, turn)
    if code == NO_TESTS:
        return Outcome(layer, note="none yet")
    try:
        suite = ElementTree.parse(report).getroot().find("testsuite")
    except (OSError, ElementTree.ParseError):
        suite = None
    if suite is None:
        return Outcome(layer, failed=1)
    total, skipped = int(suite.get("tests", "0")), int(suite.get("skipped", "0"))
    failed = int(suite.get("failures", "0")) + int(suite.get("errors", "0"))
    return Outcome(
        layer,
        passed=max(0, total - failed - skipped),
        failed=max(failed, int(code not in {0, NO_TESTS})),
        skipped=skipped,
    )


def has_chromium_or_installs_it(say: Callable[[str], None], run: Callable[[list[str]], None]) -> bool:
    """Chromium from this machine, or Debian's where we are root on Debian."""
    if browser.executable() is not None:
        return True
    if os.geteuid() == 0 and Path("/usr/bin/apt-get").exists():
        say("      Installing Debian's Chromium …")
        run(["apt-get", "update", "-q"])
        run(["apt-get", "install", "-q", "-y", "--no-install-recommends", "chromium"])
    return browser.executable() is not None
