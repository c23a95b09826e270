"""What the hub tells Prometheus."""

from prometheus_client import Gauge

SUBSCRIBERS = Gauge(
    "countersign_stream_subscribers", "Open streams of this process, by kind.", labelnames=["kind"]
)
for _kind in ("job", "task", "project"):
    SUBSCRIBERS.labels(kind=_kind)
