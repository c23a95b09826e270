"""`/healthz`, `/readyz` and `/metrics`: for machines, without a session and without the pool."""

import hmac
import ipaddress
import os
from collections.abc import Callable
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe
from kombu import connection as broker_connection
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from config.gauges import DatabaseGauges
from tasks.operations import relay_heartbeat

# kombu carries no types.
_connect_broker: Any = broker_connection.Connection

#: A probe that takes longer than this has failed.
PROBE_SECONDS = 2

REGISTRY.register(DatabaseGauges())


def _figures() -> CollectorRegistry:
    """The process's own registry, or where several share the port, one that reads what all of them keep."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    registry.register(DatabaseGauges())
    return registry


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """This process answers. Looks at nothing else: a database that is away is no reason to kill it."""
    return JsonResponse({"status": "ok"})


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """200 when database, broker and relay work; 503 says which do not."""
    checks: dict[str, Callable[[], str]] = {
        "database": _database_problem,
        "broker": _broker_problem,
        "relay": _relay_problem,
    }
    found = {name: check() for name, check in checks.items()}
    failing = sorted(name for name, problem in found.items() if problem)
    body = {
        "status": "unavailable" if failing else "ok",
        "failing": failing,
        "checks": {name: problem or "ok" for name, problem in found.items()},
    }
    return JsonResponse(body, status=503 if failing else 200)


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Prometheus text, for this machine or for who knows METRICS_TOKEN."""
    if not _may_read_metrics(request):
        return HttpResponse("Metrics are not public.\n", content_type="text/plain", status=403)
    return HttpResponse(generate_latest(_figures()), content_type=CONTENT_TYPE_LATEST)


def _database_problem() -> str:
    # A connection of its own: waiting in the pool's queue would say that the pool is busy.
    parameters = connection.get_connection_params()
    names = {"dbname", "user", "password", "host", "port"} & parameters.keys()
    wanted = {name: parameters[name] for name in names}
    try:
        with psycopg.connect(**wanted, connect_timeout=PROBE_SECONDS, autocommit=True) as probe:
            probe.execute("SELECT 1")
    except psycopg.Error:
        return "does not answer"
    return ""


def _broker_problem() -> str:
    timeouts = {"socket_connect_timeout": PROBE_SECONDS, "socket_timeout": PROBE_SECONDS}
    is_redis = settings.BROKER_URL.startswith(("redis", "valkey"))
    try:
        with _connect_broker(
            settings.BROKER_URL,
            connect_timeout=PROBE_SECONDS,
            transport_options=timeouts if is_redis else {},
        ) as broker:
            broker.ensure_connection(max_retries=1, timeout=PROBE_SECONDS)
            if is_redis:
                broker.default_channel.client.ping()
    except Exception:
        # Each transport has errors of its own; whichever it is, the broker is not to be had.
        return "does not answer"
    return ""


def _relay_problem() -> str:
    try:
        return "" if relay_heartbeat.is_alive() else "has given no sign of life"
    except Exception:
        return "cannot be asked: the channel server does not answer"


def _may_read_metrics(request: HttpRequest) -> bool:
    token: str = settings.METRICS_TOKEN
    if token:
        sent = request.headers.get("Authorization", "").removeprefix("Bearer ").removeprefix("Token ")
        return hmac.compare_digest(sent.encode(), token.encode())
    # A proxy on this machine forwards for others: then only the token counts.
    if "X-Forwarded-For" in request.headers or "Forwarded" in request.headers:
        return False
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
