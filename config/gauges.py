"""Figures that are read from the database when Prometheus asks."""

from collections.abc import Iterator

from django.db import Error
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from review.queries.pause_ages import oldest_pause_ages
from tasks.queries.workload import dead_outbox_messages, live_locks, outbox_age_seconds


class DatabaseGauges(Collector):
    """Ages and counts. All web processes say the same: whichever is asked will do."""

    def collect(self) -> Iterator[Metric]:
        """The gauges now; none while the database is away, which is its own alert."""
        try:
            ages = oldest_pause_ages()
            outbox_age, dead, locks = outbox_age_seconds(), dead_outbox_messages(), live_locks()
        except Error:
            return
        pauses = GaugeMetricFamily(
            "countersign_pause_age_seconds", "Age of the oldest waiting pause, by stage.", labels=["stage"]
        )
        for stage, age in ages.items():
            pauses.add_metric([stage], age)
        yield pauses
        yield GaugeMetricFamily(
            "countersign_outbox_age_seconds", "How long the oldest due message waits.", outbox_age
        )
        yield GaugeMetricFamily("countersign_outbox_dead", "Messages that were given up.", dead)
        yield GaugeMetricFamily("countersign_live_locks", "Tasks that somebody holds.", locks)

    def describe(self) -> Iterator[Metric]:
        """Nothing: registering must not ask the database."""
        return iter(())
