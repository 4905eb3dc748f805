"""Writes runs.json and run_specs.json, of which the parts of unchanged runs are copied from the files of the last pass."""

import json
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from helm.common.codec import to_json_single_line
from helm.common.files import open_atomically
from helm.results.run_files.json_files import indent_json, iterate_json_list
from helm.results.run_files.json_items import decode_json, read_bytes, read_json  # noqa: F401  # here for older imports
from helm.results.run_files.run_folder import RunFileError  # noqa: F401
from helm.results.run_files.run_reader import PerturbationTable, Run, RunReader, read_failure, read_run_spec  # noqa: F401

if TYPE_CHECKING:
    from helm.benchmark.presentation.summary_store import SummaryStore

_COPIED_BYTES = 1 << 20

_IN_RUN = "\n    "
_END_OF_RUN = "\n  }\n]"


class RunFiles:
    """Writes the files with all runs of a summary.

    Args:
        runs: the runs, in order.
        names: how the store calls each of them, in the same order.
        store: what is known of the last pass; None writes everything anew.
        changed: names of the runs that were read now.
    """

    def __init__(self, runs: Sequence[Run], names: Sequence[str], store: "SummaryStore | None", changed: set[str]):
        self._runs, self._names, self._store, self._changed = runs, names, store, changed

    def write_runs(self, path: str) -> None:
        """Write runs.json."""
        from helm.benchmark.presentation.summary_store import measure_file, version_of

        store = self._store
        spans = store.spans(measure_file(path)) if store is not None else {}
        kept = [None if name in self._changed else spans.get(name) for name in self._names]
        if self._runs and None not in kept and _is_whole(path, kept):
            return
        places: list[tuple[str, int, int]] = []
        old = open(path, "rb") if any(kept) else None
        try:
            with open_atomically(path, binary=True) as file:
                position = file.write(b"[")
                for number, (run, span) in enumerate(zip(self._runs, kept, strict=True)):
                    if number:
                        position += file.write(b",")
                    if span is not None and old is not None:
                        size = _copy(old, file, *span)
                    else:
                        size = file.write(self._render(run, number))
                    places.append((self._names[number], position, position + size))
                    position += size
                file.write(b"\n]" if places else b"]")
                file.flush()
                version = version_of(os.fstat(file.fileno()))
        finally:
            if old is not None:
                old.close()
        if store is not None:
            store.put_spans(version, iter(places))

    def _render(self, run: Run, number: int) -> bytes:
        head = f'[{{"run_path": {json.dumps(run.run_path)}, "run_spec": {self._spec_line(number)}}}]'
        beginning = indent_json(head)[1:].removesuffix(_END_OF_RUN)
        stats = run.render_stats(_IN_RUN)
        return f'{beginning},{_IN_RUN}"stats": {stats}\n  }}'.encode("ascii")

    def _spec_line(self, number: int) -> str:
        found = self._store.spec_line(self._names[number]) if self._store is not None else None
        return to_json_single_line(self._runs[number].run_spec) if found is None else found

    def write_run_specs(self, path: str) -> None:
        """Write run_specs.json."""
        with open_atomically(path) as file:
            file.writelines(iterate_json_list(map(self._spec_line, range(len(self._runs)))))


def _is_whole(path: str, spans: Sequence[tuple[int, int] | None]) -> bool:
    """Whether a file consists of these parts, in this order."""
    position = 0
    for span in spans:
        if span is None or span[0] != position + 1:
            return False
        position = span[1]
    return os.path.getsize(path) == position + 2


def _copy(old: Any, new: Any, start: int, end: int) -> int:
    old.seek(start)
    for position in range(start, end, _COPIED_BYTES):
        new.write(old.read(min(_COPIED_BYTES, end - position)))
    return end - start
