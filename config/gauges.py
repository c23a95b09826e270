"""Figures that are read from the database when Prometheus asks."""

from collections.abc import Iterator

from django.db import Error
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from review.queries.pause_ages import oldest_pause_ages
from tasks.queries.workload import dead_outbox_messages, live_locks, outbox_age_seconds

PAUSE_AGE = "countersign_pause_age_seconds"
OUTBOX_AGE = "countersign_outbox_age_seconds"
OUTBOX_DEAD = "countersign_outbox_dead"
LIVE_LOCKS = "countersign_live_locks"


class DatabaseGauges(Collector):
    """Ages and counts. All web processes say the same: whichever is asked will do."""

    NAMES = (PAUSE_AGE, OUTBOX_AGE, OUTBOX_DEAD, LIVE_LOCKS)

    def collect(self) -> Iterator[Metric]:
        """The gauges now; none while the database is away, which is its own alert."""
        try:
            ages = oldest_pause_ages()
            outbox_age, dead, locks = outbox_age_seconds(), dead_outbox_messages(), live_locks()
        except Error:
            return
        pauses = GaugeMetricFamily(PAUSE_AGE, "Age of the oldest waiting pause, by stage.", labels=["stage"])
        for stage, age in ages.items():
            pauses.add_metric([stage], age)
        yield pauses
        yield GaugeMetricFamily(OUTBOX_AGE, "How long the oldest due message waits.", outbox_age)
        yield GaugeMetricFamily(OUTBOX_DEAD, "Messages that were given up.", dead)
        yield GaugeMetricFamily(LIVE_LOCKS, "Tasks that somebody holds.", locks)

    def describe(self) -> Iterator[Metric]:
        """Nothing: registering must not ask the database."""
        return iter(())
