"""Writes the files of a run, each atomically."""

import os
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from typing import Any

from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.metric import PerInstanceStats
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.scenarios.scenario import Scenario
from helm.common.codec import SCALAR_WRITERS, asdict_without_nones, iterate_json, render_json
from helm.common.errors import HelmError
from helm.common.files import remove_leftovers, write_text_atomically
from helm.common.hierarchical_logger import hwarn
from helm.results.coverage import Coverage
from helm.results.run_files.compressed_files import has_compressed_form, open_run_file
from helm.results.run_files.run_folder import (
    COVERAGE_FILE_NAME,
    DATA_SOURCES_FILE_NAME,
    ERROR_FILE_NAME,
    PER_INSTANCE_STATS_FILE_NAME,
    RUN_FILE_NAMES,  # noqa: F401  # these names were once defined here
    RUN_SPEC_FILE_NAME,
    SCENARIO_FILE_NAME,
    SCENARIO_STATE_FILE_NAME,
    STATS_FILE_NAME,
    stored_names,
)

_MOST_TEXTS = 10_000
"""Texts of stats that are kept. Those that many instances share come early; one for each instance would fill the memory."""


_MANY_CHARACTERS = 1 << 18
"""The text of a list is written in pieces of about this size."""


def iterate_per_instance_json(entries: Iterable[PerInstanceStats]) -> Iterator[str]:
    """Yield the text of `iterate_json(list(entries))`.

    Metrics give instances with the same outcome the same stats, so each is serialized once and its text repeated.
    """
    newline = "\n" + " " * 4
    stats_newline = newline + "  "
    texts: dict[int, str] = {}  # keyed by identity
    kept: list[Stat] = []  # those with a text, so that no other stat gets the identity of one

    def add_text(stat: Stat) -> str:
        text = stats_newline + render_json(stat, stats_newline)
        if len(texts) < _MOST_TEXTS:
            kept.append(stat)
            texts[id(stat)] = text
        return text

    *head_names, last_name = [field.name for field in fields(PerInstanceStats)]
    assert last_name == "stats"
    heads = [(name, f'{newline}"{name}": ') for name in head_names]
    opening, pieces, size, find = "[", [], 0, texts.get
    for entry in entries:
        head_text = ""
        for name, text in heads:
            value = getattr(entry, name)
            if value is not None:
                write = SCALAR_WRITERS.get(value.__class__)
                head_text += f"{text}{render_json(value, newline) if write is None else write(value)},"
        stats = ",".join([find(id(stat)) or add_text(stat) for stat in entry.stats])
        stats = f"[{stats}{newline}]" if stats else "[]"
        pieces.append(f'{opening}\n  {{{head_text}{newline}"stats": {stats}\n  }}')
        opening = ","
        size += len(stats)
        if size > _MANY_CHARACTERS:
            yield "".join(pieces)
            pieces.clear()
            size = 0
    pieces.append("\n]" if opening == "," else "[]")
    yield "".join(pieces)


def remove_stats_nans(stats: list[Stat]) -> list[Stat]:
    """Return the stats whose sum is a number; logs a warning for each one dropped."""
    result = []
    for stat in stats:
        if stat.sum != stat.sum:
            hwarn(f"Removing stat {stat.name.name} because its value is NaN")
        else:
            result.append(stat)
    return result


def remove_per_instance_stats_nans(per_instance_stats_list: Iterable[PerInstanceStats]) -> list[PerInstanceStats]:
    """Like `remove_stats_nans`, for every instance; an entry stays even if it loses all its stats."""
    return list(_iterate_without_nans(per_instance_stats_list))


def _iterate_without_nans(entries: Iterable[PerInstanceStats]) -> Iterator[PerInstanceStats]:
    for entry in entries:
        if any([stat.sum != stat.sum for stat in entry.stats]):
            entry = replace(entry, stats=remove_stats_nans(entry.stats))
        yield entry


_KEPT = "Existing files were not changed, and every answer is kept: once this is fixed, the same command continues from there."


class RunWriter:
    """Writes the folder of one run: first all files under temporary names, then all renames.

    Args:
        run_path: the folder.
        compressed: whether to compress the large files; None keeps the form that the run has.
    """

    def __init__(self, run_path: str, compressed: bool | None = None):
        self._run_path = run_path
        self._compressed = compressed

    def write(
        self,
        run_spec: RunSpec,
        scenario: Scenario,
        scenario_state: ScenarioState,
        stats: list[Stat],
        per_instance_stats: Iterable[PerInstanceStats],
        coverage: Coverage | None = None,
        sources: dict[str, Any] | None = None,
    ) -> None:
        """Write all files of a run.

        `coverage`, which dry runs lack, and `sources`, the data fetched now or earlier, go into files of their own. If
        they are missing, such files of an earlier attempt are removed.
        """
        remove_leftovers(self._run_path)
        contents: dict[str, Any] = {
            RUN_SPEC_FILE_NAME: run_spec,
            SCENARIO_FILE_NAME: scenario,
            SCENARIO_STATE_FILE_NAME: scenario_state,
            STATS_FILE_NAME: remove_stats_nans(stats),
        }
        chunks: list[tuple[str, Iterable[str]]] = [(name, iterate_json(value)) for name, value in contents.items()]
        per_instance = iterate_per_instance_json(_iterate_without_nans(per_instance_stats))
        chunks.append((PER_INSTANCE_STATS_FILE_NAME, per_instance))
        if coverage is not None:
            chunks.append((COVERAGE_FILE_NAME, iterate_json(coverage)))
        if sources and (sources["files"] or sources["data_sets"]):
            chunks.append((DATA_SOURCES_FILE_NAME, iterate_json(sources)))
        self._write_all(chunks)
        written = {name for name, _ in chunks}
        for name in {ERROR_FILE_NAME, COVERAGE_FILE_NAME, DATA_SOURCES_FILE_NAME} - written:
            path = os.path.join(self._run_path, name)
            if os.path.exists(path):
                os.unlink(path)

    def write_scores(
        self, stats: list[Stat], per_instance_stats: Iterable[PerInstanceStats], coverage: Coverage | None = None
    ) -> None:
        """Replace the files that the metrics determine, and leave the others."""
        chunks: list[tuple[str, Iterable[str]]] = [
            (STATS_FILE_NAME, iterate_json(remove_stats_nans(stats))),
            (
                PER_INSTANCE_STATS_FILE_NAME,
                iterate_per_instance_json(_iterate_without_nans(per_instance_stats)),
            ),
        ]
        if coverage is not None:
            chunks.append((COVERAGE_FILE_NAME, iterate_json(coverage)))
        self._write_all(chunks)

    def _write_all(self, contents: list[tuple[str, Iterable[str]]]) -> None:
        """Write all files, renaming each into place only when all are written, so that a failure leaves the old ones."""
        for name, _ in contents:
            for stored in stored_names(name):
                path = os.path.join(self._run_path, stored)
                if os.path.isdir(path):  # a rename would fail here, after other files were already replaced
                    raise HelmError(f"Cannot write {path}: there is a folder with this name. {_KEPT}")
        compressed = has_compressed_form(self._run_path) if self._compressed is None else self._compressed
        self._write_rest(contents, compressed)

    def _write_rest(self, contents: list[tuple[str, Iterable[str]]], compressed: bool) -> None:
        if not contents:
            return
        name, chunks = contents[0]
        path = os.path.join(self._run_path, name)
        try:
            with open_run_file(self._run_path, name, compressed) as file:
                file.writelines(chunks)
                self._write_rest(contents[1:], compressed)
        except OSError as e:
            raise HelmError(f"Cannot write {path}: {e.strerror or e}. {_KEPT}") from e

    def write_error(
        self,
        run_spec: RunSpec,
        stage: str,
        error: BaseException,
        instance_id: str | None,
        command: str | None = None,
    ) -> None:
        """Write `error.json`: the stage, instance and reason of the failure, and the command line."""
        import json

        content = {
            "run": run_spec.name,
            "stage": stage,
            "instance_id": instance_id,
            "error_type": type(error).__qualname__,
            "message": str(error),
            "traceback": "".join(traceback.format_exception(error)),
            "command": command,
            "run_spec": asdict_without_nones(run_spec),  # so that the viewer can show what failed
        }
        write_text_atomically(os.path.join(self._run_path, ERROR_FILE_NAME), json.dumps(content, indent=2))
