"""The review app."""

from django.apps import AppConfig


class ReviewConfig(AppConfig):
    """The human in the loop: jobs, pauses, drafts, annotations, decisions."""

    name = "review"

    def ready(self) -> None:
        """Register what this app does when a task is created; its models exist only now."""
        from review.operations.start_job import start_job_of_new_task
        from tasks.operations.task_created import follow_task_created

        follow_task_created(start_job_of_new_task)
