"""The alerting rules speak of figures that exist."""

import re
from typing import Any

import yaml

from config.env import ROOT
from config.gauges import DatabaseGauges
from tasks.realtime.gauges import SUBSCRIBERS

FIGURE = re.compile(r"countersign_\w+")


def rules() -> list[dict[str, Any]]:
    document = yaml.safe_load((ROOT / "docs" / "alerts.yml").read_text(encoding="utf-8"))
    (group,) = document["groups"]
    found: list[dict[str, Any]] = group["rules"]
    return found


def figures() -> set[str]:
    """What /metrics exports, by name."""
    return set(DatabaseGauges.NAMES) | {metric.name for metric in SUBSCRIBERS.collect()}


def test_each_rule_speaks_of_figures_that_exist() -> None:
    spoken = {name for rule in rules() for name in FIGURE.findall(rule["expr"])}
    assert spoken == figures()


def test_each_rule_says_what_to_do() -> None:
    for rule in rules():
        assert rule["alert"].startswith("Countersign")
        assert rule["labels"]["severity"] in {"info", "warning", "critical"}
        assert set(rule["annotations"]) == {"summary", "what_to_do"}
