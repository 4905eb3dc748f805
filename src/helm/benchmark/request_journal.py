"""Every finished request of a run is on disk at once, and an interrupted run goes on where it was.

The journal is a file of JSON lines in the run's folder: a header, then `[i]` when request i is sent and `[i, result]`
when it is answered. A line is handed to the operating system as soon as it is complete, so it survives the death of
the process. It is deleted when the run's files have been written.
"""

import hashlib
import json
import os
import threading
from dataclasses import replace
from typing import Any, Callable, Dict, List, Optional, Set

from helm.benchmark.adaptation.request_state import RequestState
from helm.common.codec import structure, to_json_single_line
from helm.common.concurrency import parallel_map
from helm.common.hierarchical_logger import hlog, hwarn

JOURNAL_FILE_NAME = "requests.journal"
_VERSION = 1


class RequestJournal:
    """The journal of one run.

    Args:
        run_path: the run's folder.
        fingerprint: of everything that decides the requests; a journal with another one is of another run and dropped.
    """

    def __init__(self, run_path: str, fingerprint: str):
        self.path = os.path.join(run_path, JOURNAL_FILE_NAME)
        self._fingerprint = fingerprint
        self._lock = threading.Lock()
        self._file: Optional[int] = None
        self._results: Dict[int, Any] = {}
        self._sent: Set[int] = set()

    def open(self, request_states: List[RequestState]) -> None:
        """Read what an earlier attempt finished, and make ready to append."""
        digest = hashlib.sha256(self._fingerprint.encode())
        for state in request_states:
            digest.update(to_json_single_line(state.request).encode())
        header = json.dumps({"version": _VERSION, "fingerprint": digest.hexdigest(), "requests": len(request_states)})
        end = self._read(header, request_states)
        if self._results:
            hlog(f"Resuming: {len(self._results)} of {len(request_states)} requests were finished by an earlier attempt")
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
        os.ftruncate(self._file, end)  # cut a line that was half written when the process died
        os.lseek(self._file, 0, os.SEEK_END)
        if end == 0:
            self._append(header)

    def _read(self, header: str, request_states: List[RequestState]) -> int:
        """Load the finished results; returns the length in bytes of the part that is whole and of this run."""
        if not os.path.exists(self.path):
            return 0
        with open(self.path, "rb") as file:
            end = 0
            for number, line in enumerate(file):
                if not line.endswith(b"\n"):
                    break
                if number == 0:
                    if line.decode("utf-8", "replace").strip() != header:
                        hwarn(f"{self.path} is of a run with other requests; starting anew")
                        return 0
                else:
                    try:
                        entry = json.loads(line)
                        index = entry[0]
                        if len(entry) == 1:
                            self._sent.add(index)
                        else:
                            self._results[index] = structure(entry[1], _result_type(request_states[index]))
                    except (ValueError, LookupError, TypeError):
                        hwarn(f"{self.path}:{number + 1} is damaged; what follows is done again")
                        break
                end += len(line)
        return end

    def _append(self, line: str) -> None:
        assert self._file is not None, "The journal is not open"
        data = (line + "\n").encode()
        with self._lock:
            while data:
                data = data[os.write(self._file, data) :]

    def result(self, index: int) -> Optional[Any]:
        """The result that an earlier attempt recorded for request `index`, or None."""
        return self._results.get(index)

    def was_sent(self, index: int) -> bool:
        """An earlier attempt sent request `index`; whether it was answered then is unknown when there is no result."""
        return index in self._sent

    def record_sent(self, index: int) -> None:
        self._append(f"[{index}]")

    def record_result(self, index: int, result: Any) -> None:
        self._append(f"[{index},{to_json_single_line(result)}]")

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def delete(self) -> None:
        """The run's files are written: nothing is left to resume."""
        self.close()
        if os.path.exists(self.path):
            os.unlink(self.path)


def _result_type(state: RequestState) -> type:
    from helm.common.episode_request import EpisodeRequest, EpisodeResult
    from helm.common.evaluate_request import EvaluateRequest, EvaluateResult
    from helm.common.request import RequestResult

    if isinstance(state.request, EvaluateRequest):
        return EvaluateResult
    return EpisodeResult if isinstance(state.request, EpisodeRequest) else RequestResult


def run_journaled(
    states: List[RequestState],
    run_one: Callable[[RequestState], RequestState],
    parallelism: int = 1,
    journal: Optional[RequestJournal] = None,
    description: str = "requests",
) -> List[RequestState]:
    """`[run_one(state) for state in states]`, in order, with every result on disk as soon as it is there.

    Results that an earlier attempt recorded are used as they are. `run_one` returns the state with its result.
    """
    if journal is None:
        return parallel_map(run_one, states, parallelism, description=description)
    journal.open(states)

    def run(index: int) -> RequestState:
        state = states[index]
        recorded = journal.result(index)
        if recorded is not None:
            return replace(state, result=recorded)
        journal.record_sent(index)
        finished = run_one(state)
        journal.record_result(index, finished.result)
        return finished

    try:
        return parallel_map(run, range(len(states)), parallelism, description=description)
    finally:
        journal.close()
