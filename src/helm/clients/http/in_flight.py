"""A request that is on its way is not sent a second time: who wants the same meanwhile gets the same answer."""

import threading
from collections.abc import Callable, Hashable, Mapping
from typing import Any

from helm.common.concurrency import is_stop_requested

_WAIT_S = 0.5


class _Exchange:
    def __init__(self) -> None:
        self.ended = threading.Event()
        self.response: dict[str, Any] | None = None


_exchanges: dict[Hashable, _Exchange] = {}
_lock = threading.Lock()


def send_once(key: Hashable, send: Callable[[], dict[str, Any]]) -> tuple[dict[str, Any], bool]:
    """What `send` returns, and whether it was somebody else's with an equal key, on its way when this was called.

    The key must hold all that decides the answer and the endpoint. One who waits for a request that fails sends it anew.
    Raises: what `send` raises; KeyboardInterrupt when Ctrl-C is pressed inside `drain_on_interrupt` while waiting.
    """
    while True:
        with _lock:
            exchange = _exchanges.get(key)
            if exchange is None:
                mine = _exchanges[key] = _Exchange()
                break
        while not exchange.ended.wait(_WAIT_S):
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
        mine.ended.set()


def is_repeatable(raw: Mapping[str, Any]) -> bool:
    """Whether a request asks for the likeliest answer, so that two who ask want the same one."""
    settings = raw.get("generationConfig") or raw.get("parameters") or raw
    temperature = settings.get("temperature", raw.get("temperature")) if isinstance(settings, dict) else None
    return temperature == 0
