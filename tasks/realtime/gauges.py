"""What the hub tells Prometheus."""

from prometheus_client import Gauge

SUBSCRIBERS = Gauge(
    "countersign_stream_subscribers",
    "Open streams of this machine's web processes, by kind.",
    labelnames=["kind"],
    # Of the living ones: what a killed process had is gone with it.
    multiprocess_mode="livesum",
)
for _kind in ("job", "task", "project"):
    SUBSCRIBERS.labels(kind=_kind)
