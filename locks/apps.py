"""The locks app."""

from django.apps import AppConfig


class LocksConfig(AppConfig):
    """Leases on tasks."""

    name = "locks"
