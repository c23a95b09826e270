"""What a client is told when the database goes away under its request: to send it again."""

import psycopg
import pytest
from django.db import InterfaceError, OperationalError
from psycopg import errors
from psycopg_pool import PoolTimeout

from config.problems import as_problem
from tasks.domain.errors import Busy


def raised(kind: type[Exception], cause: Exception) -> Exception:
    """As Django's wrapper raises it."""
    error = kind(*cause.args)
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    "error",
    [
        PoolTimeout("couldn't get a connection"),
        raised(OperationalError, PoolTimeout("couldn't get a connection")),
        raised(OperationalError, psycopg.OperationalError("consuming input failed")),
        raised(OperationalError, errors.AdminShutdown("terminating connection")),
        raised(OperationalError, errors.CrashShutdown("terminating connection")),
        raised(OperationalError, errors.CannotConnectNow("the database system is starting up")),
        raised(OperationalError, errors.TooManyConnections("too many clients")),
        raised(InterfaceError, psycopg.InterfaceError("the connection is closed")),
    ],
)
def test_lost_connections_are_busy(error: Exception) -> None:
    problem = as_problem(error)
    assert isinstance(problem, Busy)
    assert problem.retry_after


@pytest.mark.parametrize(
    "error",
    [
        raised(OperationalError, errors.DiskFull("could not extend file")),
        raised(OperationalError, errors.DeadlockDetected("deadlock detected")),
        raised(OperationalError, errors.QueryCanceled("statement timeout")),
        OperationalError("of our own making"),
        RuntimeError("a fault of ours"),
    ],
)
def test_other_errors_stay_faults(error: Exception) -> None:
    assert as_problem(error) is None
