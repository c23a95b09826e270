"""Which server for plain HTTP: docs/adr/0003-serving.md. One process each, bounded, interleaved rounds.

DATABASE_URL=… .venv/bin/python -m tests.bench.serving [rounds]
"""

import os
import subprocess
import sys
import time

from config.embedded import ports
from config.embedded.stack import ROOT
from tests.bench.loader import Request, load, own_cost

PATHS = ("/plain", "/nothing", "/select")
REQUESTS = 3_000
CONNECTIONS = 32

_UVICORN = ["uvicorn", "--no-access-log", "--log-level", "error", "--port"]
_GRANIAN = ["granian", "--no-access-log", "--log-level", "error", "--workers", "1"]
SERVERS: dict[str, list[str]] = {
    "uvicorn, Django's ASGI handler": [*_UVICORN, "{port}", "tests.bench.serving_asgi:application"],
    "uvicorn, dispatcher": [*_UVICORN, "{port}", "config.asgi:application"],
    "granian ASGI, dispatcher": [
        *_GRANIAN, "--interface", "asgi", "--port", "{port}", "config.asgi:application",
    ],
    "granian WSGI, 4 threads": [
        *_GRANIAN, "--interface", "wsgi", "--blocking-threads", "4", "--port", "{port}",
        "config.wsgi:application",
    ],
    "granian WSGI, 16 threads": [
        *_GRANIAN, "--interface", "wsgi", "--blocking-threads", "16", "--port", "{port}",
        "config.wsgi:application",
    ],
}  # fmt: skip


def measure(command: list[str]) -> dict[str, float]:
    """Start the server, warm it up, and give the answers a second for each path."""
    port = ports.free_port()
    environ = os.environ | {
        "DJANGO_SETTINGS_MODULE": "tests.bench.serving_settings",
        "DATABASE_POOL": "1",
        "LOG_LEVEL": "ERROR",
    }
    server = subprocess.Popen(
        [sys.executable, "-m", *(part.format(port=port) for part in command)],
        cwd=ROOT, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        _wait(server, port)
        rates = {}
        for path in PATHS:
            load(port=port, csrf="", requests=[Request("GET", path)] * 300, connections=CONNECTIONS)
            result = load(
                port=port, csrf="", requests=[Request("GET", path)] * REQUESTS, connections=CONNECTIONS
            )
            assert result.statuses == {200: REQUESTS}, result.statuses
            rates[path] = result.rate
        return rates
    finally:
        server.terminate()
        server.wait(timeout=20)


def _wait(server: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + 30
    while True:
        try:
            load(port=port, csrf="", requests=[Request("GET", "/plain")], connections=1)
            return
        except OSError:
            assert server.poll() is None, "the server ended"
            assert time.monotonic() < deadline, "the server does not answer"
            time.sleep(0.1)


def main(rounds: int) -> None:
    """Print each server's best round: noise only ever makes it slower."""
    best: dict[str, dict[str, float]] = {name: dict.fromkeys(PATHS, 0.0) for name in SERVERS}
    for _ in range(rounds):
        for name, command in SERVERS.items():
            rates = measure(command)
            best[name] = {path: max(best[name][path], rates[path]) for path in PATHS}
    print(f"the loader alone: {own_cost(count=5_000, connections=CONNECTIONS).rate:,.0f} a second")
    print(f"{'':34}" + "".join(f"{path:>10}" for path in PATHS))
    for name, rates in best.items():
        print(f"{name:34}" + "".join(f"{rates[path]:>10,.0f}" for path in PATHS))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
