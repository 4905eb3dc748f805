"""Messages between a command and the worker processes that it has started on its own machine.

A message is a line `KIND NUMBER` and a text behind it, mostly JSON. Numbers belong to the side that asked first.
"""

import threading
from multiprocessing.connection import Connection
from typing import NamedTuple

# From the command to a worker:
START, EXECUTE, STOP, CLOSE = "start", "execute", "stop", "close"
TOLD, NOT_TOLD = "told", "not-told"
"""The answer to `ASK`, and the message of an error in place of it."""

# From a worker to the command:
SAID, OVER = "said", "over"
"""A part of the answer to `START` or `EXECUTE`, and its end."""
ASK = "ask"
"""A call of a method of the hub, as a JSON list."""


class Message(NamedTuple):
    """One message."""

    kind: str

    number: int

    text: str


class Channel:
    """One end of the pair of sockets between two processes. Any thread may send; one receives."""

    def __init__(self, descriptor: int):
        self._connection = Connection(descriptor)
        self._sending = threading.Lock()

    def send(self, kind: str, number: int, text: str = "") -> None:
        """Send a message. Raises: OSError if the other process is gone."""
        data = f"{kind} {number}\n{text}".encode("utf-8", "surrogatepass")
        with self._sending:
            self._connection.send_bytes(data)

    def receive(self) -> Message | None:
        """Wait for a message; returns None when the other process is gone."""
        try:
            data = self._connection.recv_bytes()
        except (EOFError, OSError):
            return None
        head, _, text = data.decode("utf-8", "surrogatepass").partition("\n")
        kind, _, number = head.partition(" ")
        return Message(kind, int(number), text)

    def close(self) -> None:
        self._connection.close()
