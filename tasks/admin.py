"""Django admin for the workflow's tables."""
