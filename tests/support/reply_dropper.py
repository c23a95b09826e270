"""A TCP proxy before the server that can lose one reply: the server has committed, and the client never
hears of it."""

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator

from config.embedded.ports import LOOPBACK


class ReplyDropper:
    """Passes everything on, until told to lose the reply to one request."""

    def __init__(self, port: int) -> None:
        self._upstream = (LOOPBACK, port)
        self._listener = socket.create_server((LOOPBACK, 0))
        self._awaited: bytes | None = None
        self._at_that_moment: Callable[[], object] = lambda: None
        #: Set once the reply is lost.
        self.dropped = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def base_url(self) -> str:
        """Where the client finds it."""
        return f"http://{LOOPBACK}:{self._listener.getsockname()[1]}"

    def lose_reply_to(self, start: str, then: Callable[[], object]) -> None:
        """Lose the reply to the next request that begins with `start`; `then` is called before it is lost."""
        self._at_that_moment = then
        self._awaited = start.encode()

    def close(self) -> None:
        """Take no more connections."""
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        try:
            server = socket.create_connection(self._upstream, timeout=10)
        except OSError:
            client.close()
            return
        server.settimeout(None)
        is_doomed = threading.Event()
        threading.Thread(target=self._pass_on, args=(client, server, is_doomed), daemon=True).start()
        self._pass_back(server, client, is_doomed)

    def _pass_on(self, client: socket.socket, server: socket.socket, is_doomed: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while data := client.recv(65536):
                if self._awaited is not None and data.startswith(self._awaited):
                    self._awaited = None
                    is_doomed.set()
                server.sendall(data)
        _close(server)

    def _pass_back(self, server: socket.socket, client: socket.socket, is_doomed: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while data := server.recv(65536):
                if is_doomed.is_set():
                    self._at_that_moment()
                    self.dropped.set()
                    break
                client.sendall(data)
        _close(server)
        _close(client)


def _close(end: socket.socket) -> None:
    # Shut down first: the other thread may be waiting in `recv`.
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()


@contextlib.contextmanager
def dropping_replies(port: int) -> Iterator[ReplyDropper]:
    """A proxy before that port of this machine."""
    proxy = ReplyDropper(port)
    try:
        yield proxy
    finally:
        proxy.close()
