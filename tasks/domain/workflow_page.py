"""The reference page of the workflow, written from the literals themselves."""

from tasks.domain.matrix import OPERATIONS, TRANSITIONS, UPLOAD_DONE, LockNeed, Role, Scope
from tasks.domain.statuses import BATCH_MOVES_BY_HAND, WORKABLE, BatchStatus, Status

_SCOPES = {
    Scope.ANY: "yes",
    Scope.OWN_BATCH: "own batch",
    Scope.HOLDS_LOCK: "holds the lock",
    Scope.OWN_SUBMISSION: "own submission",
    Scope.OWNER: "owner only",
}
_LOCKS = {
    LockNeed.TAKES: "takes it",
    LockNeed.TAKES_AND_RELEASES: "takes it, lets it go",
    LockNeed.CLAIMED_AND_RELEASES: "has claimed it, lets it go",
    LockNeed.NONE: "none",
}
_CONDITIONS = {
    "BATCH_ON_HOLD": "the batch is workable and not on hold",
    "JOB_ACTIVE": "no live job",
    "NOT_CONFIRMED": "the draft is confirmed",
    "PINS_OPEN": "the pins of the last rejection are answered",
    "STALE_REVISION": "names the newest annotation revision",
    "FOUR_EYES": "did not confirm it themselves",
}
_NOTICE = "<!-- Written by `manage.py write_docs` from the literals in tasks/domain. Do not edit. -->"
_INTRODUCTION = (
    "Every change of a task's status is one row of the table below. Nothing else assigns a status: the "
    "database refuses any other move, and these tables, that trigger and the tests come from one literal."
)
_REACH = (
    "A role's cell says how far it reaches: *own batch* means that the batch is given to the person or "
    "open to everyone. “Holds the lock” binds everybody: where an action takes the lock, it answers "
    "`LOCK_HELD` while somebody else is live in it. A wrong source status is `ILLEGAL_TRANSITION`."
)


def workflow_page() -> str:
    """The page in Markdown."""
    parts = [
        _NOTICE,
        "# Workflow",
        _INTRODUCTION,
        "## Statuses",
        _diagram(),
        "## Actions",
        _actions(),
        _REACH,
        "## Conditions",
        _conditions(),
        "## Other operations",
        _operations(),
        "## Batches",
        _batches(),
    ]
    return "\n\n".join(parts) + "\n"


def _diagram() -> str:
    lines = ["```mermaid", "stateDiagram-v2", f"    [*] --> {Status.UPLOADING}"]
    lines.append(f"    {Status.UPLOADING} --> {UPLOAD_DONE.target}: {UPLOAD_DONE.audit}")
    for action, row in TRANSITIONS.items():
        lines += [f"    {source} --> {row.target or source}: {action}" for source in sorted(row.sources)]
    return "\n".join([*lines, "```"])


def _actions() -> str:
    roles = list(Role)
    header = ["action", "from", "to", *(role.value for role in roles), "lock", "reason", "audit"]
    rows = []
    for action, row in TRANSITIONS.items():
        cells = [_SCOPES[row.roles[role]] if role in row.roles else "–" for role in roles]
        sources = ", ".join(sorted(row.sources))
        target = row.target.value if row.target is not None else "(kept)"
        reason = "required" if row.needs_reason else ""
        rows.append([f"`{action}`", sources, target, *cells, _LOCKS[row.lock], reason, f"`{row.audit}`"])
    return _table(header, rows)


def _conditions() -> str:
    rows = [
        [f"`{action}`", ", ".join(f"{_CONDITIONS[code]} (`{code}`)" for code in row.conditions)]
        for action, row in TRANSITIONS.items()
        if row.conditions
    ]
    return _table(["action", "besides"], rows)


def _operations() -> str:
    roles = list(Role)
    rows = []
    for operation, permission in OPERATIONS.items():
        for status, by_role in permission.by_status.items():
            cells = [_SCOPES[by_role[role]] if role in by_role else "–" for role in roles]
            rows.append([f"`{operation}`", status.value if status is not None else "any", *cells])
    return _table(["operation", "status", *(role.value for role in roles)], rows)


def _batches() -> str:
    workable = ", ".join(status.value for status in BatchStatus if status in WORKABLE)
    rows = [
        [source.value, target.value, "required" if needs_reason else ""]
        for (source, target), needs_reason in BATCH_MOVES_BY_HAND.items()
    ]
    return (
        f"Tasks can be claimed in batches that are {workable}. Batches move by themselves from active to "
        "annotating with the first claim, to reviewing when nothing is pending or in progress, to completed "
        "when everything is approved, and back to annotating when work returns. By hand:\n\n"
        + _table(["from", "to", "reason"], rows)
    )


def _table(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
