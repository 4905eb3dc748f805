"""What an exchange over HTTP comes to: the headers of the answer, or one of the ways in which there is none."""

from functools import lru_cache
from typing import Any


class ConnectError(Exception):
    """No connection could be made."""


class ConnectTimeout(ConnectError):
    """No connection was made in time."""


class ReadTimeout(Exception):
    """The server was silent for too long."""


class DeadlineExceeded(Exception):
    """The answer was not complete in time."""


class BrokenExchange(Exception):
    """The connection ended early, or the data received is not HTTP."""


class Headers(dict[str, str]):
    """Headers by name in lower case. The values of a repeated header are joined with commas."""

    def get(self, name: str, default: Any = None) -> Any:
        return super().get(name.lower(), default)

    def __getitem__(self, name: str) -> str:
        return super().__getitem__(name.lower())

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and super().__contains__(name.lower())


@lru_cache(maxsize=64)
def read_headers(head: bytes) -> Headers:
    """Return the headers of the final response in `head`, which may follow interim ones such as `103 Early Hints`.

    They must not be changed: answers of the same second often have the same.
    """
    found: dict[str, str] = {}
    last = ""
    for line in head.decode("latin-1").split("\n"):
        if line.startswith("HTTP/"):
            found, last = {}, ""
        elif line[:1] in (" ", "\t") and last:  # a folded line continues the one before
            found[last] = f"{found[last]} {line.strip()}"
        else:
            name, colon, value = line.partition(":")
            if colon:
                last, value = name.strip().lower(), value.strip()
                found[last] = f"{found[last]}, {value}" if last in found else value
    return Headers(found)
