"""The project's default batch."""

from tasks.models import Batch, Project


def default_batch(project: Project) -> Batch:
    """The project's "Inbox": there from the start, open to everyone."""
    return Batch.objects.get(project=project, is_default=True)
