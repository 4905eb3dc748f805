"""Worker processes on the command's own machine, which make a part of its requests."""

import json
import queue
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

from helm.benchmark.cluster.demand import Demand
from helm.benchmark.cluster.hub import Hub
from helm.benchmark.cluster.process_channel import (
    ASK,
    CLOSE,
    EXECUTE,
    NOT_TOLD,
    SAID,
    START,
    STOP,
    TOLD,
    Channel,
)
from helm.benchmark.cluster.worker_cluster import WorkerCluster, check_started
from helm.benchmark.cluster.worker_pool import Worker, WorkerLost, WorkerPool
from helm.benchmark.cluster.worker_setup import WorkerSetup
from helm.common.budgets.spending import get_ledger
from helm.common.codec import dump_json
from helm.common.errors import HelmError

# Time for a worker to write pending data before it is killed.
_END_WITHIN_S = 10.0
_HUB_METHODS = frozenset(("spend", "hold", "let_go", "check", "report", "spent"))

_Answer = queue.SimpleQueue[str | None]


class WorkerProcess:
    """The command's side of one worker.

    Args:
        name: of the worker.
        hub: answers the worker's questions.
    """

    def __init__(self, name: str, hub: Hub):
        self._name, self._hub = name, hub
        ours, theirs = socket.socketpair()
        with theirs:
            # A group of its own: Ctrl-C at the terminal is for the command, which tells its workers.
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "helm.benchmark.cluster.local_worker", str(theirs.fileno()), name],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                process_group=0,
            )
        self._channel = Channel(ours.detach())
        self._lock = threading.Lock()
        self._answers: dict[int, _Answer] = {}
        self._num_calls = 0
        self._is_lost = False
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while (message := self._channel.receive()) is not None:
            if message.kind == ASK:
                self._answer(message.number, message.text)
                continue
            answer = self._answers.get(message.number)
            if answer is not None:
                answer.put(message.text if message.kind == SAID else None)
        with self._lock:
            self._is_lost = True
            for answer in self._answers.values():
                answer.put(None)

    def _answer(self, number: int, text: str) -> None:
        method, *args = json.loads(text)
        try:
            if method not in _HUB_METHODS:
                raise HelmError(f"The hub has no method {method}.")
            kind, told = TOLD, json.dumps(getattr(self._hub, method)(*args))
        except HelmError as e:
            kind, told = NOT_TOLD, str(e)
        try:
            self._channel.send(kind, number, told)
        except OSError:
            pass  # it is gone, which `receive` notices

    def call(self, kind: str, text: str) -> Iterator[str]:
        """Yield the parts of an answer. Raises: WorkerLost if the process ends before its answer does."""
        answer: _Answer = queue.SimpleQueue()
        with self._lock:
            self._num_calls += 1
            number = self._num_calls
            self._answers[number] = answer
        is_over = False
        try:
            if not self._is_lost:
                self._channel.send(kind, number, text)
                while (part := answer.get()) is not None:
                    yield part
                is_over = not self._is_lost
        except OSError:
            pass
        finally:
            with self._lock:
                del self._answers[number]
        if not is_over:
            raise WorkerLost(self._how_it_ended())

    def _how_it_ended(self) -> str:
        try:
            status = self._process.wait(_END_WITHIN_S)
        except subprocess.TimeoutExpired:
            return f"process {self._process.pid} closed its connection"
        if status >= 0:
            return f"process {self._process.pid} ended with exit status {status}"
        try:
            name = signal.Signals(-status).name
        except ValueError:
            name = f"signal {-status}"
        return f"process {self._process.pid} was ended by {name}"

    def stop(self) -> None:
        """Let the worker finish what is in flight, and start nothing more."""
        self._tell(STOP)

    def _tell(self, kind: str) -> None:
        try:
            self._channel.send(kind, 0)
        except OSError:
            pass  # it is gone

    def end(self) -> None:
        """Let the worker write what is finished, and end it."""
        if self._process.poll() is None:
            self._tell(CLOSE)
        try:
            self._process.wait(_END_WITHIN_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._channel.close()


class ProcessStarter:
    """Starts workers as processes; see `worker_pool.Starter`."""

    def __init__(self, hub: Hub, setup: WorkerSetup):
        self._hub = hub
        self._setup = json.dumps([dump_json(setup), dump_json(get_ledger().budget)])
        self._names: dict[WorkerProcess, str] = {}

    def start(
        self, name: str, demand: Demand, is_wanted: Callable[[], bool], make_room: Callable[[], bool]
    ) -> WorkerProcess:
        process = WorkerProcess(name, self._hub)
        self._names[process] = name
        try:
            (outcome,) = process.call(START, self._setup)
            check_started(outcome)
        except BaseException:
            self.end(process)
            raise
        return process

    def end(self, handle: WorkerProcess) -> None:
        handle.end()
        name = self._names.pop(handle, None)
        if name is not None:
            self._hub.forget(name)


class LocalCluster(WorkerCluster):
    """The worker processes of one command. The hub is in the command's own process.

    Args:
        setup: the workers' setup.
        num_processes: the most workers.
        max_retries: how often a run may lose its worker.
    """

    def __init__(self, setup: WorkerSetup, num_processes: int, max_retries: int):
        self._hub = Hub(ledger=get_ledger())
        super().__init__(WorkerPool(ProcessStarter(self._hub, setup), num_processes, max_retries))

    def _fetch_reports(self) -> list[tuple[str, str]]:
        return self._hub.take_reports()

    def _stop(self, handle: WorkerProcess) -> None:
        handle.stop()

    def answers(self, worker: Worker, shard: str) -> Iterator[str]:
        """Yield what `HostedWorker.execute` yields. Raises: WorkerLost."""
        return worker.handle.call(EXECUTE, shard)
