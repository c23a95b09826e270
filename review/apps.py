"""The review app."""

from django.apps import AppConfig


class ReviewConfig(AppConfig):
    """The human in the loop: jobs, pauses, drafts, annotations, decisions."""

    name = "review"
