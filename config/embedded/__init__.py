"""The servers of one machine: PostgreSQL, Valkey, and our own processes under one supervisor.

Nothing here imports Django, and `packages` and what it imports use the standard library only: they run
before anything is installed.
"""
