"""The hub's heartbeat statement on pairs from standard input ("task,user" a line); prints beats a second."""

import sys
import time
from uuid import UUID

import django

django.setup()

from locks.operations import heartbeat_many  # noqa: E402

REPEATS = 20


def main() -> None:
    """Beat them all, `REPEATS` times."""
    pairs = [
        (UUID(task), UUID(user))
        for task, user in (line.strip().split(",") for line in sys.stdin if line.strip())
    ]
    heartbeat_many(pairs)
    started = time.perf_counter()
    for _ in range(REPEATS):
        beats = heartbeat_many(pairs)
        if len(beats.renewed) != len(pairs):
            raise SystemExit(f"{len(pairs) - len(beats.renewed)} of {len(pairs)} beats were not taken")
    print(REPEATS * len(pairs) / (time.perf_counter() - started))


main()
