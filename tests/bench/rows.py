"""The table's lines."""

from dataclasses import dataclass


@dataclass
class Row:
    """One line of the table."""

    what: str
    rate: float
    p50_ms: float | None = None
    p95_ms: float | None = None
    anchor: str = ""
    anchor_rate: float | None = None

    @property
    def ratio(self) -> float | None:
        """This row's rate over its anchor's."""
        return None if not self.anchor_rate else self.rate / self.anchor_rate


def line(row: Row) -> str:
    """The row as text."""
    latency = f"p50 {row.p50_ms:7.1f} ms  p95 {row.p95_ms:7.1f} ms" if row.p50_ms is not None and row.p95_ms is not None else " " * 33  # fmt: skip
    anchor = (
        f"{row.ratio:7.3f} × {row.anchor} ({row.anchor_rate:,.0f}/s)" if row.ratio and row.anchor_rate else ""
    )
    return f"{row.what:<44} {row.rate:>10,.0f}/s  {latency}  {anchor}"
