"""The program of a worker process on the command's own machine: `python -m helm.benchmark.cluster.local_worker DESCRIPTOR NAME`.

When the command is gone, the worker finishes what is in flight, so that its answers are in the response cache and on disk.
Then it ends.
"""

import json
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any

from helm.benchmark.cluster.hosted_worker import HostedWorker
from helm.benchmark.cluster.process_channel import (
    ASK,
    CLOSE,
    EXECUTE,
    NOT_TOLD,
    OVER,
    SAID,
    START,
    STOP,
    TOLD,
    Channel,
    Message,
)
from helm.common.commands.command import spare_the_collector
from helm.common.errors import HelmError

_ORPHAN = "the command that has started this worker is gone."
_REFUSING = ("hold", "check")
"""Methods of the hub that answer with the reason why nothing more may be sent."""


class LocalWorker(HostedWorker):
    """A worker whose messages come through a channel."""

    def __init__(self, channel: Channel, name: str):
        super().__init__(name)
        self._channel = channel
        self._lock = threading.Lock()
        self._asked: dict[int, queue.SimpleQueue[Message | None]] = {}
        self._num_asked = 0
        self._is_orphan = False

    def _ask_hub(self, method: str, *args: Any) -> Any:
        answer: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        with self._lock:
            self._num_asked += 1
            number = self._num_asked
            self._asked[number] = answer
        try:
            if self._is_orphan:
                return _ORPHAN if method in _REFUSING else None
            self._channel.send(ASK, number, json.dumps([method, *args]))
            told = answer.get()
        except OSError:
            told = None
        finally:
            del self._asked[number]
        if told is None:
            return _ORPHAN if method in _REFUSING else None
        if told.kind == NOT_TOLD:
            raise HelmError(told.text)
        return json.loads(told.text)

    def serve(self) -> None:
        """Do what the command asks for, until it is gone or closes this worker."""
        threads: list[threading.Thread] = []

        def begin(work: Callable[..., None], *args: Any) -> None:
            thread = threading.Thread(target=work, args=args, daemon=True)
            threads.append(thread)
            thread.start()

        while (message := self._channel.receive()) is not None:
            if message.kind in (TOLD, NOT_TOLD):
                asked = self._asked.get(message.number)
                if asked is not None:
                    asked.put(message)
            elif message.kind == START:
                begin(self._start, message.number, message.text)
            elif message.kind == EXECUTE:
                begin(self._execute, message.number, message.text)
            elif message.kind == STOP:
                self.stop()
            elif message.kind == CLOSE:
                begin(self._close)
        self._is_orphan = True
        self.stop()
        for answer in list(self._asked.values()):
            answer.put(None)
        for thread in threads:
            thread.join()
        self.close()

    def _start(self, number: int, text: str) -> None:
        setup, budget = json.loads(text)
        self._say(SAID, number, self.start(setup, budget))
        self._say(OVER, number)

    def _execute(self, number: int, text: str) -> None:
        for said in self.execute(text):
            self._say(SAID, number, said)
        self._say(OVER, number)

    def _say(self, kind: str, number: int, text: str = "") -> None:
        try:
            self._channel.send(kind, number, text)
        except OSError:
            self._is_orphan = True  # what is finished stays on disk

    def _close(self) -> None:
        self.close()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)  # without what is in flight


def main() -> None:
    spare_the_collector()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the command decides what Ctrl-C means
    LocalWorker(Channel(int(sys.argv[1])), sys.argv[2]).serve()


if __name__ == "__main__":
    main()
