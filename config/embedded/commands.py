"""What the three kinds of processes are started with, after the name of the Python program."""

# SIGQUIT is Celery's cold shutdown: a lost run is dispatched again, and nobody waits for a model.
WORKER = (
    "-m", "celery", "-A", "config", "worker", "-Q", "models", "--concurrency", "2",
    "--pool", "prefork", "--without-gossip", "--without-mingle", "--loglevel", "WARNING",
)  # fmt: skip
RELAY = ("manage.py", "run_relay")


def web(port: int) -> tuple[str, ...]:
    """A web process that answers on this port of the machine itself, alone or beside others."""
    return ("-m", "config.embedded.web", str(port))
