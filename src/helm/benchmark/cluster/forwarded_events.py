"""Events for hooks that arise on a worker, on their way to the command's own process, where the hooks are."""

import itertools
import threading
from collections.abc import Iterable
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any

from helm.common.codec import dump_json, from_json
from helm.common.telemetry.hook_events import RunObserver
from helm.common.telemetry.hooks import SENT, HookWishes, InstanceEvent, RequestEvent, RunEvent

_EVENT_CLASSES: dict[str, type] = {
    "on_run_start": RunEvent,
    "on_request": RequestEvent,
    "on_instance": InstanceEvent,
    "on_run_end": RunEvent,
}
_HELD_BACK = "on_instance"
"""These are sent together with the end of their run, so that a run repeated after the loss of a worker has them once."""


def _event_text(event: Any) -> str:
    """Return an event as JSON; its read-only mappings are none that the codec knows."""
    values = {item.name: getattr(event, item.name) for item in fields(event)}
    plain = {name: dict(value) for name, value in values.items() if isinstance(value, MappingProxyType)}
    return dump_json(replace(event, **plain))


class EventCollector:
    """What the observers of a worker's runs send to, in place of a dispatcher: it keeps events until they are taken.

    Args:
        wishes: what the command's hooks want.
    """

    def __init__(self, wishes: HookWishes):
        self.shows_texts, self.wants_requests = wishes.shows_texts, wishes.requests
        self.wants_instances = wishes.instances
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._held: dict[str, list[list[str]]] = {}
        self._events: list[list[str]] = []

    def next_number(self) -> int:
        """Return a number for a request that is unique in this process."""
        return next(self._numbers)

    def send(self, method: str, event: Any) -> None:
        """Keep an event. The command itself tells of failures, which may have been those of the worker."""
        item = [method, event.run, _event_text(event)]
        with self._lock:
            if method == _HELD_BACK:
                self._held.setdefault(event.run, []).append(item)
                return
            if method == "on_run_end":
                self._events += self._held.pop(event.run, [])
            if method in _EVENT_CLASSES:
                self._events.append(item)

    def take(self) -> list[list[str]]:
        """Return the events since the last call: the hook's method, the name of the run, and the event as JSON."""
        with self._lock:
            events, self._events = self._events, []
            return events


class ShardObserver(RunObserver):
    """Observes part of a run's requests. The command counts their results itself."""

    def count(self, result: Any, stage: str | None) -> None:
        """Tell nothing."""


class EventReceiver:
    """Gives the events of workers to the observers of the command's runs."""

    def __init__(self) -> None:
        self._observers: dict[str, RunObserver] = {}
        self._numbers: dict[tuple[str, int], int] = {}
        """Worker and its number of a request -> the command's number."""

    def expect(self, run: str, observer: RunObserver | None) -> None:
        """Take events of a run from now on."""
        if observer is not None:
            self._observers[run] = observer

    def receive(self, worker: str, events: Iterable[list[str]]) -> None:
        """Pass events on, in order."""
        for method, run, text in events:
            observer = self._observers.get(run)
            if observer is None:
                continue
            event: Any = from_json(text, _EVENT_CLASSES[method])
            if isinstance(event, RequestEvent):
                observer.pass_on(
                    method, self._with_number(worker, replace(event, params=MappingProxyType(event.params)), observer)
                )
            elif isinstance(event, InstanceEvent):
                observer.pass_on(method, replace(event, scores=MappingProxyType(event.scores)))
            elif method == "on_run_start":
                observer.start(event.at)
            else:
                observer.take_results(event)

    def _with_number(self, worker: str, event: RequestEvent, observer: RunObserver) -> RequestEvent:
        key = (worker, event.number)
        number = self._numbers.get(key) or observer.next_number()
        if event.state == SENT:
            self._numbers[key] = number
        else:
            self._numbers.pop(key, None)
        return replace(event, number=number)
