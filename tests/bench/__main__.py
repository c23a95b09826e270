"""`script/bench`: every figure beside its anchor, from one run on one server, as a table and as JSON.

Figures depend on the machine; only ratios within one run may be claimed. Nothing else should run meanwhile.
"""

import json
import os
import secrets
import shutil
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any
from uuid import uuid4

from tests.bench import frames
from tests.bench.loader import Request, Result, load, own_cost
from tests.bench.pgbench import transactions_per_second
from tests.bench.rows import Row, line
from tests.support.live_stack import LiveStack

ROOT = Path(__file__).resolve().parents[2]
PEOPLE = 1200
CONNECTIONS = 16
#: Figures of peers on this kind of machine, a second (the issue's): quoted, not measured here.
LABEL_STUDIO_NEXT = 15.0


class Bench:
    """One stack, one project, all rows."""

    def __init__(self, stack: LiveStack) -> None:
        self.stack = stack
        self.rows: list[Row] = []
        # Any 32 letters are a CSRF secret; cookie and header carry the same.
        self.csrf = secrets.token_hex(16)
        self.project = self.batch = ""
        self.sessions: list[str] = []

    def populate(self, tasks: int) -> None:
        """Fill the project up to `tasks` pending ones; nobody holds anything."""
        with self.stack.database() as database:
            database.execute("DELETE FROM task_locks")
        printed = self.stack.run_module("tests.bench.populate", str(PEOPLE), str(tasks))
        found = json.loads(printed.strip().splitlines()[-1])
        self.project, self.batch, self.sessions = found["project"], found["batch"], found["sessions"]

    def http(
        self, requests: list[Request], *, keep: bool = False, expect: tuple[int, ...] = (200,)
    ) -> Result:
        """Send them; every answer must have an expected status, or the figure would be of refusals."""
        result = load(
            port=self.stack.port, csrf=self.csrf, requests=requests, connections=CONNECTIONS, keep_bodies=keep
        )
        unexpected = {status: count for status, count in result.statuses.items() if status not in expect}
        if unexpected:
            raise RuntimeError(f"{requests[0].method} {requests[0].path}: {unexpected}")
        return result

    def pgbench(self, script: str, **variables: str) -> float:
        """The anchor's rate."""
        return transactions_per_second(
            database_url=self.stack.state["database_url"],
            script=script,
            clients=CONNECTIONS,
            variables={"people": str(PEOPLE), "batch": self.batch, "project": self.project, **variables},
        )

    def add(self, what: str, result: Result, anchor: str = "", anchor_rate: float | None = None) -> None:
        """Note a row and print it."""
        row = Row(what, result.rate, result.quantile(0.5), result.quantile(0.95), anchor, anchor_rate)
        self.rows.append(row)
        print(line(row), flush=True)

    def request(self, number: int, method: str, path: str, body: dict[str, Any] | None = None) -> Request:
        """A request of person `number`, signed in by session."""
        encoded = b"" if body is None else json.dumps(body).encode()
        return Request(method, f"/api/v1{path}", f"sessionid={self.sessions[number]}", encoded)

    def next_tasks(self, tasks: int, people: range) -> list[dict[str, Any]]:
        """Each of these people asks once for the next task; what they got."""
        requests = [
            self.request(n, "POST", f"/projects/{self.project}/next", {"client_id": f"bench-{n}", "request_id": str(uuid4())})
            for n in people
        ]  # fmt: skip
        result = self.http(requests, keep=True)
        given = [json.loads(body) for body in result.bodies]
        ids = {answer["task"]["id"] for answer in given if answer["task"]}
        if len(ids) != len(requests):
            raise RuntimeError(f"{len(requests)} people got {len(ids)} different tasks")
        self.add(f"next task, {tasks:,} pending", result, "pgbench, same statements", self.pgbench("next"))
        return given

    def locks(self, given: list[dict[str, Any]]) -> None:
        """Beats and releases of the locks just given, then acquires."""
        held = [
            (answer["task"]["id"], answer["lock"]["user"]["id"], answer["lock"]["client_id"])
            for answer in given
        ]
        with self.stack.database() as database:
            database.execute("DROP TABLE IF EXISTS bench_locks")
            database.execute("CREATE TABLE bench_locks (n bigint PRIMARY KEY, task_id uuid, user_id uuid)")
            for number, (task, user, _) in enumerate(held, start=1):
                database.execute("INSERT INTO bench_locks VALUES (%s, %s, %s)", [number, task, user])
        anchor = self.pgbench("beat", locks=str(len(held)))

        def of_holder(method: str, suffix: str, *, in_query: bool = False) -> list[Request]:
            return [
                self.request(
                    int(client.removeprefix("bench-")),
                    method,
                    f"/tasks/{task}/lock{suffix}" + (f"?client_id={client}" if in_query else ""),
                    None if in_query else {"client_id": client},
                )
                for task, _, client in held
            ]

        self.add(
            "heartbeat, HTTP",
            self.http(of_holder("POST", "/heartbeat") * 3),
            "pgbench, same statement",
            anchor,
        )
        self.coalesced(held, anchor)
        acquire_anchor = self.pgbench("acquire", tasks="2000")
        released = self.http(of_holder("DELETE", "", in_query=True), expect=(204,))
        self.add("release", released, "pgbench, acquire and release", acquire_anchor)
        self.add("acquire", self.http(of_holder("PUT", "")), "pgbench, acquire and release", acquire_anchor)

    def coalesced(self, held: list[tuple[str, str, str]], anchor: float) -> None:
        """The hub's form: a thousand beats, one statement."""
        pairs = [f"{task},{user}" for task, user, _ in held][:1000]
        printed = self.stack.run_module("tests.bench.coalesced", stdin="\n".join(pairs))
        row = Row("heartbeats, coalesced (1,000 a statement)", float(printed.split()[-1]), None, None, "pgbench, one by one", anchor)  # fmt: skip
        self.rows.append(row)
        print(line(row), flush=True)


def main() -> int:
    """Run every row; sizes as arguments (default 10,000 100,000 1,000,000)."""
    sizes = [int(word) for word in sys.argv[1:]] or [10_000, 100_000, 1_000_000]
    folder = ROOT / ".cache" / "bench-data"
    shutil.rmtree(folder, ignore_errors=True)
    stack = LiveStack(folder, COUNTERSIGN_NOT_DURABLE="", LOG_LEVEL="WARNING")
    print(
        f"{os.cpu_count()} cores, {CONNECTIONS} connections, loader, server and PostgreSQL on the same machine\n"
    )
    bench = Bench(stack)
    loader = own_cost()
    bench.add("the loader against a socket that does nothing", loader)
    try:
        stack.start()
        bench.populate(sizes[0])
        bench.add(
            "no-op view (/healthz)",
            bench.http([Request("GET", "/healthz")] * 3000),
            "the loader's ceiling",
            loader.rate,
        )
        bench.add("API view, session, one page of projects", bench.http([bench.request(n % PEOPLE, "GET", "/projects") for n in range(1000)]))  # fmt: skip
        given: list[dict[str, Any]] = []
        share = PEOPLE // len(sizes)
        for place, tasks in enumerate(sizes):
            bench.populate(tasks)
            given = bench.next_tasks(tasks, range(place * share, (place + 1) * share))
            if tasks == 100_000:
                rate = bench.rows[-1].rate
                print(
                    f"{'':<44} {rate / LABEL_STUDIO_NEXT:>10.1f} × Label Studio's figure in the issue ({LABEL_STUDIO_NEXT:.0f}/s)"
                )
        bench.locks(given)
        for row in frames.measure(stack):
            bench.rows.append(row)
            print(line(row), flush=True)
    finally:
        stack.stop()
    target = ROOT / ".cache" / f"bench-{int(time.time())}.json"
    target.write_text(json.dumps([asdict(row) | {"ratio": row.ratio} for row in bench.rows], indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
