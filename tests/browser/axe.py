"""axe-core (npm, pinned in frontend/package.json) on a page as it stands."""

from functools import cache
from typing import Any

from config.embedded.frontend_build import FRONTEND
from tests.browser.states import THEMES, wear

#: What axe calls a finding that keeps somebody out.
HEAVY = ("serious", "critical")
#: Level A and AA of WCAG up to 2.2, and what axe counts as good practice.
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


@cache
def source() -> str:
    """The script."""
    return (FRONTEND / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


def findings(page: Any) -> list[str]:
    """Each serious or critical finding as a line: rule, place, what to do."""
    # Evaluated, not added as a script: the Content-Security-Policy allows no script of ours.
    page.evaluate(source())
    result = page.evaluate("rules => axe.run(document, rules)", RULES)
    return [
        f"{found['id']} ({found['impact']}) at {node['target']}: {node['failureSummary']}"
        for found in result["violations"]
        if found["impact"] in HEAVY
        for node in found["nodes"]
    ]


def in_both_themes(page: Any) -> list[str]:
    """The findings light and dark."""
    found = []
    for theme in THEMES:
        wear(page, theme)
        found += [f"{theme}: {line}" for line in findings(page)]
    return found
