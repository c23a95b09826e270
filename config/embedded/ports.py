"""Ports of this machine: free ones for embedded servers, and whether the web port is taken."""

import random
import socket

# Below the range that Linux gives to outgoing connections (32768 up), so that a restarted server finds
# its port free again.
FIRST, LAST = 20_000, 31_999
LOOPBACK = "127.0.0.1"


def is_free(port: int, host: str = LOOPBACK) -> bool:
    """Whether a server could listen there now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def free_port(preferred: int | None = None) -> int:
    """A port that nothing listens on; the preferred one where it is free."""
    if preferred is not None and is_free(preferred):
        return preferred
    while True:
        port = random.randint(FIRST, LAST)
        if is_free(port):
            return port
