"""The tasks app."""

from django.apps import AppConfig


class TasksConfig(AppConfig):
    """The workflow: projects, batches, tasks, roles, audit."""

    name = "tasks"
