"""Progress in words: one line a step, and a sign of life while a step takes long."""

import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from subprocess import STDOUT, Popen, TimeoutExpired

from config.embedded import failure

REMINDER_SECONDS = 15.0
#: How a library begins a remark, which says nothing about how far a step is.
REMARK = "INFO:"


class Progress:
    """Numbers the steps of a set-up and says what each is doing."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.number = 0

    def skip_to(self, number: int) -> None:
        """Continue after step `number`, which another process has done."""
        self.number = number

    def step(self, text: str) -> None:
        """Begin the next step."""
        self.number += 1
        say(f"[{self.number}/{self.total}] {text}")

    def run(
        self,
        what: str,
        command: list[str],
        *,
        log: Path,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        stop_requested: Callable[[], bool] = lambda: False,
    ) -> str:
        """Run one program to its end, its output going to `log`, and return the output.

        Raises PlainFailure with the last lines where it fails.
        """
        started = time.monotonic()
        reminded = started
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("wb") as output:
            process = Popen(command, stdout=output, stderr=STDOUT, env=env, cwd=cwd, start_new_session=False)
            try:
                while True:
                    try:
                        code = process.wait(timeout=1 if sys.stdout.isatty() else 0.5)
                        break
                    except TimeoutExpired:
                        if stop_requested():
                            raise KeyboardInterrupt from None
                        reminded = sign_of_life(started, reminded, log)
            except BaseException:
                process.kill()
                process.wait()
                raise
        clear_sign()
        text = log.read_text(errors="replace")
        if code != 0:
            raise failure.from_output(what, text, log=log)
        return text


def say(text: str) -> None:
    """One line for the person at the terminal, at once."""
    clear_sign()
    print(text, flush=True)


def sign_of_life(started: float, reminded: float, log: Path) -> float:
    """Show the seconds that passed and the program's last line: on a terminal always, else now and then."""
    now = time.monotonic()
    text = f"      … {int(now - started)} s  {last_line(log)}"
    if sys.stdout.isatty():
        print(f"\r\x1b[2K{text}", end="", flush=True)
        return now
    if now - reminded >= REMINDER_SECONDS:
        print(text.rstrip(), flush=True)
        return now
    return reminded


def last_line(log: Path) -> str:
    """The last line of a growing log that tells of progress, cut to fit a terminal."""
    try:
        with log.open("rb") as handle:
            handle.seek(max(0, handle.seek(0, 2) - 2000))
            lines = handle.read().decode(errors="replace").split("\n")
    except OSError:
        return ""
    told = (line.strip() for line in reversed(lines))
    return next((line[:70] for line in told if line and not line.startswith(REMARK)), "")


def clear_sign() -> None:
    """Remove the counting line from a terminal."""
    if sys.stdout.isatty():
        print("\r\x1b[2K", end="", flush=True)
