"""Walking the audit chains: is every row as it was written, and is none missing (I10)?"""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet

from tasks.domain.audit_hash import entry_hash
from tasks.models import AuditEntry, Project, Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Break:
    """The first thing wrong with a chain."""

    #: "task" or "project", and its id.
    chain: str
    chain_id: UUID
    #: The place in the chain, and the row's id where there is a row.
    number: int
    entry_id: int | None
    what: str

    def __str__(self) -> str:
        row = f"row {self.entry_id}" if self.entry_id is not None else "no row"
        return f"{self.chain} {self.chain_id}, entry {self.number} ({row}): {self.what}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """How much was walked, and every chain's first break."""

    chains: int
    entries: int
    breaks: list[Break]


def verify_audit(*, project_id: UUID | None = None) -> Verified:
    """Walk every chain, or those of one project. Reads in the order of the chain, streaming."""
    tasks = Task.objects.order_by("pk")
    projects = Project.objects.order_by("pk")
    if project_id is not None:
        tasks, projects = tasks.filter(project=project_id), projects.filter(pk=project_id)
    breaks: list[Break] = []
    chains = entries = 0
    for chain, chain_id, count, head in _heads(tasks, projects):
        chains += 1
        entries += count
        found = _walk(chain, chain_id, count, head)
        if found is not None:
            breaks.append(found)
    breaks += _orphans(project_id)
    return Verified(chains=chains, entries=entries, breaks=breaks)


def _heads(tasks: QuerySet[Task], projects: QuerySet[Project]) -> Iterator[tuple[str, UUID, int, str]]:
    columns = ("pk", "audit_count", "audit_head")
    for project_id, count, head in projects.values_list(*columns).iterator():
        yield "project", project_id, count, head
    for task_id, count, head in tasks.values_list(*columns).iterator():
        yield "task", task_id, count, head


def _walk(chain: str, chain_id: UUID, count: int, head: str) -> Break | None:
    rows = AuditEntry.objects.order_by("number")
    rows = (
        rows.filter(task_id=chain_id) if chain == "task" else rows.filter(project_id=chain_id, task_id=None)
    )
    number, before = 0, ""
    for entry in rows.iterator():
        number += 1

        def broken(what: str, entry: AuditEntry = entry, number: int = number) -> Break:
            return Break(chain=chain, chain_id=chain_id, number=number, entry_id=entry.pk, what=what)

        if entry.number != number:
            return broken(f"numbered {entry.number}: a row before it is missing")
        if entry.prev_hash != before:
            return broken("does not follow the row before it")
        if entry_hash(entry) != entry.hash:
            return broken("its content is not what was hashed")
        before = entry.hash
    if number != count or before != head:
        what = (
            f"the chain ends here, but {count} entries were written: its tail was cut off"
            if number < count
            else "the chain does not end where the last write says"
        )
        return Break(chain=chain, chain_id=chain_id, number=number + 1, entry_id=None, what=what)
    return None


def _orphans(project_id: UUID | None) -> list[Break]:
    """Rows of tasks and projects that are gone themselves."""
    rows = AuditEntry.objects.exclude(
        project_id__in=Project.objects.values("pk")
    ) | AuditEntry.objects.filter(task_id__isnull=False).exclude(task_id__in=Task.objects.values("pk"))
    if project_id is not None:
        rows = rows.filter(project_id=project_id)
    return [
        Break(
            chain="task" if entry.task_id else "project",
            chain_id=entry.task_id or entry.project_id,
            number=entry.number,
            entry_id=entry.pk,
            what="what it speaks of does not exist any more",
        )
        for entry in rows.order_by("pk")[:100]
    ]
