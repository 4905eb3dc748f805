"""Coalesces identical requests: while one is in flight, others like it wait for its answer instead of being sent."""

import threading
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any

from helm.common.concurrency import is_stop_requested

_WAIT_S = 0.5
"""How often a waiting thread checks whether the command has to stop."""


class _Exchange:
    __slots__ = ("ended", "response")

    def __init__(self) -> None:
        self.ended: threading.Event | None = None
        """Set at the end; made by the first that waits for it, since hardly any exchange is waited for."""
        self.response: dict[str, Any] | None = None


_exchanges: dict[Hashable, _Exchange] = {}
_lock = threading.Lock()


def send_once(key: Hashable, send: Callable[[], dict[str, Any]]) -> tuple[dict[str, Any], bool]:
    """Return the result of `send`, and whether it is that of another call with an equal key already in flight.

    The key must contain everything that determines the answer and the endpoint. If the other call fails, a waiting one
    sends its own request. Exceptions of `send` are passed on.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed inside `drain_on_interrupt` while waiting.
    """
    while True:
        with _lock:
            exchange = _exchanges.get(key)
            if exchange is None:
                mine = _exchanges[key] = _Exchange()
                break
            if exchange.ended is None:
                exchange.ended = threading.Event()
            ended = exchange.ended
        while not ended.wait(_WAIT_S):
            if is_stop_requested():
                raise KeyboardInterrupt
        if exchange.response is not None:
            return dict(exchange.response), True
    try:
        mine.response = send()
        return mine.response, False
    finally:
        with _lock:
            del _exchanges[key]
        if mine.ended is not None:
            mine.ended.set()


def begin_all(keys: Sequence[Hashable]) -> Iterator[bool]:
    """Begin exchanges that nobody waits for here: whether each was begun, which it is not if an equal one is in flight.

    Those that were begun must be given to `end_all`.
    """
    begun = []
    with _lock:
        for key in keys:
            is_new = key not in _exchanges
            if is_new:
                _exchanges[key] = _Exchange()
            begun.append(is_new)
    return iter(begun)


def end_all(ended: Sequence[tuple[Hashable, dict[str, Any] | None]]) -> None:
    """End exchanges of `begin_all` with their responses; None if there is none."""
    waited_for = []
    with _lock:
        for key, response in ended:
            exchange = _exchanges.pop(key)
            if exchange.ended is not None:
                exchange.response = response
                waited_for.append(exchange.ended)
    for event in waited_for:
        event.set()


def is_repeatable(raw: Mapping[str, Any]) -> bool:
    """Return whether a request decodes greedily, so that two identical ones may share an answer."""
    settings = raw.get("generationConfig") or raw.get("parameters") or raw
    temperature = settings.get("temperature", raw.get("temperature")) if isinstance(settings, dict) else None
    return temperature == 0
