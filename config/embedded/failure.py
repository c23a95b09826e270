"""A failure that a person can do something about, told in one plain message."""

import errno
import re
from pathlib import Path


class PlainFailure(Exception):
    """What went wrong and what to do next, in whole sentences; shown without a traceback."""


NO_SPACE = re.compile(r"ENOSPC|No space left on device|Disk quota exceeded", re.I)
NO_WRITE = re.compile(r"EACCES|EROFS|Permission denied|Read-only file system", re.I)
NO_NETWORK = re.compile(
    r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|name resolution|Could not resolve"
    r"|NewConnectionError|ConnectTimeout|Max retries exceeded|Connection refused|Network is unreachable"
    r"|\(from versions: none\)|Name or service not known",
    re.I,
)


def port_taken(port: int) -> PlainFailure:
    """The plain message for a web port that another program listens on."""
    return PlainFailure(
        f"Port {port} is taken by another program. Stop that one, or choose another port: "
        f"PORT={port + 1} script/server"
    )


def from_output(what: str, output: str, *, log: Path | None = None) -> PlainFailure:
    """The plain message for a program that failed while `what` was being done, judged by its output."""
    if NO_SPACE.search(output):
        return PlainFailure(f"{what} failed: the disk is full. Free some space and start again.")
    if NO_NETWORK.search(output):
        return PlainFailure(
            f"{what} failed: the package registry cannot be reached. The first set-up downloads packages. "
            "Check the network (or the proxy and index settings of pip and npm) and start again; what "
            "is already there is kept."
        )
    if NO_WRITE.search(output):
        return PlainFailure(
            f"{what} failed: a folder may not be written. Check who owns this checkout and the data folder."
            f"\n{tail(output, 3)}"
        )
    where = f"\nThe whole output is in {log}." if log else ""
    # npm says the cause first and its usage afterwards.
    told = tail(head(output, 4), 4) if output.startswith("npm error") else tail(output, 12)
    return PlainFailure(f"{what} failed. It said:\n{told}{where}")


def from_os_error(error: OSError) -> PlainFailure:
    """The plain message for what the operating system refused."""
    name = error.filename or "a file"
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return PlainFailure(f"The disk is full: {name} was not written. Free some space and start again.")
    if error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
        return PlainFailure(
            f"{name} may not be written or used by this user. "
            "Change its owner, or set DATA_DIR to a folder of your own."
        )
    return PlainFailure(f"{error.strerror or error}: {name}. Nothing was started.")


def head(text: str, count: int) -> str:
    """The first `count` lines that say something."""
    return "\n".join([line for line in text.splitlines() if line.removeprefix("npm error").strip()][:count])


def tail(text: str, count: int) -> str:
    """The last `count` lines that are not empty, indented."""
    lines = [line for line in text.splitlines() if line.strip()]
    return "\n".join("  " + line for line in lines[-count:])
