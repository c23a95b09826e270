"""A client as an integrator should write one: no answer is no reason to think that nothing happened. It sends
the same request, with the same id, to the next server until one answers."""

import itertools
import threading
import time
from typing import Any

import httpx

#: Answers that ask for the same request once more.
TRY_AGAIN = {500, 502, 503, 504}


class PatientClient:
    """`post` and `get` return a final answer; what went wrong on the way is in `troubles`."""

    def __init__(self, addresses: list[str], token: str, *, seconds: float = 60) -> None:
        headers = {"Authorization": f"Token {token}"}
        # A server that dies takes its connections along; the next request opens a new one.
        clients = [httpx.Client(base_url=address, headers=headers, timeout=10) for address in addresses]
        self._clients = clients
        self._next = itertools.cycle(clients)
        self._lock = threading.Lock()
        self._seconds = seconds
        self.troubles: list[str] = []

    def post(self, path: str, **content: Any) -> httpx.Response:
        """POST until it is answered; files have to be bytes."""
        return self._send("POST", path, **content)

    def put(self, path: str, **content: Any) -> httpx.Response:
        """PUT until it is answered."""
        return self._send("PUT", path, **content)

    def get(self, path: str) -> httpx.Response:
        """GET until it is answered."""
        return self._send("GET", path)

    def _send(self, method: str, path: str, **content: Any) -> httpx.Response:
        deadline = time.monotonic() + self._seconds
        while True:
            with self._lock:
                client = next(self._next)
            try:
                answer = client.request(method, path, **content)
            except httpx.HTTPError as error:
                trouble = type(error).__name__
            else:
                is_busy = answer.status_code == 409 and answer.json()["code"] == "BUSY"
                if answer.status_code not in TRY_AGAIN and not is_busy:
                    return answer
                trouble = str(answer.status_code)
            self.troubles.append(trouble)
            assert time.monotonic() < deadline, f"{method} {path} had no answer: {self.troubles[-10:]}"
            time.sleep(0.1)

    def close(self) -> None:
        """Close every connection."""
        for client in self._clients:
            client.close()
