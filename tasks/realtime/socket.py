"""One WebSocket: JSON in and out, accepted first and closed with a code."""

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from rest_framework.exceptions import AuthenticationFailed

from tasks.realtime.hub import Hub
from tasks.realtime.mailbox import Ending
from tasks.realtime.threads import DATABASE_DOWN
from tasks.realtime.visitor import Visitor, authenticate, is_own_origin

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

#: Clients send a line now and then; anything longer is a mistake.
MESSAGE_MAX_CHARACTERS = 4096
_NOT_JSON, _TOO_LONG = 1003, 1009


class SocketClosed(Exception):
    """The client is gone, or was sent away."""


class Socket:
    """The server's end of a WebSocket."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scope = scope
        self._receive = receive
        self._send = send

    async def accept(self) -> None:
        """Accept, so that the client's page can see the code with which it may be closed."""
        await self._receive()
        await self._send({"type": "websocket.accept"})

    async def close(self, code: int) -> None:
        """Close with a code."""
        await self._send({"type": "websocket.close", "code": int(code)})

    async def send(self, message: dict[str, Any]) -> None:
        """Send one message."""
        await self.send_text(json.dumps(message))

    async def send_text(self, text: str) -> None:
        """Send one message that is JSON text already. Waits while the client's connection is full."""
        await self._send({"type": "websocket.send", "text": text})

    async def receive(self) -> dict[str, Any]:
        """The client's next message. Raises SocketClosed."""
        while True:
            message = await self._receive()
            if message["type"] == "websocket.disconnect":
                raise SocketClosed
            text = message.get("text") or ""
            if len(text) > MESSAGE_MAX_CHARACTERS:
                await self.close(_TOO_LONG)
                raise SocketClosed
            try:
                value = json.loads(text)
            except (ValueError, RecursionError):
                await self.close(_NOT_JSON)
                raise SocketClosed from None
            # Types of a later version are not for us.
            if isinstance(value, dict):
                return value

    async def enter(self, hub: Hub) -> Visitor:
        """Accept and find out who it is. Raises SocketClosed after closing with 4401, 4403 or 1013."""
        await self.accept()
        headers = self.scope["headers"]
        if not is_own_origin(headers):
            await self.close(Ending.FORBIDDEN)
            raise SocketClosed
        try:
            visitor = await hub.threads.run(authenticate, headers)
        except AuthenticationFailed:
            visitor = None
        except DATABASE_DOWN:
            await self.close(Ending.TRY_LATER)
            raise SocketClosed from None
        if visitor is None:
            await self.close(Ending.SIGNED_OUT)
            raise SocketClosed
        return visitor
