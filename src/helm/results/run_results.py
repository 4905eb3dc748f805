"""Reads the files of runs, of this program and of HELM, as the objects from which they were written."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.metric import PerInstanceStats
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.specs import AnnotatorSpec
from helm.benchmark.subjects import LANGUAGE_MODEL, kind_of_run
from helm.common.codec import structure
from helm.common.commands.output_path import RUNS_FOLDER
from helm.common.errors import HelmError, suggest
from helm.results.coverage import Coverage, CoverageCounter, read_coverage
from helm.results.covered_states import iterate_covered_states
from helm.results.run_files.json_items import JsonItems, read_json
from helm.results.run_files.run_folder import (
    COVERAGE_FILE_NAME,
    ERROR_FILE_NAME,
    JOURNAL_FILE_NAME,
    PER_INSTANCE_STATS_FILE_NAME,
    RESULT_FILE_NAMES,
    RUN_FILE_NAMES,
    RUN_SPEC_FILE_NAME,
    SCENARIO_FILE_NAME,
    SCENARIO_STATE_FILE_NAME,
    STATS_FILE_NAME,
    RunFileError,
    find_all_runs,
    find_runs,
    has_file,
    stored_path,
)
from helm.results.run_files.states import StateReader, StatReader, Unknown

if TYPE_CHECKING:
    from helm.results.rows import RunList

T = TypeVar("T")


class ResultsError(HelmError):
    """There are no results at the given place."""


@dataclass(frozen=True)
class ScenarioFacts:
    """The description of a run's scenario in `scenario.json`."""

    name: str
    description: str = ""
    tags: list[str] = field(default_factory=list)
    definition_path: str = ""


class RunResults:
    """One run's folder, whose files are read when needed.

    `notes` collects findings while reading: unknown fields that were ignored, and missing files.

    Raises:
        RunFileError: A file is missing or damaged; the message names the file and the place. All methods may raise it.
    """

    def __init__(self, path: str):
        self.path = path
        self.notes: list[str] = []

    def __repr__(self) -> str:
        return f"RunResults({self.path!r})"

    @property
    def folder_name(self) -> str:
        return os.path.basename(os.path.normpath(self.path))

    @property
    def name(self) -> str:
        """The run's name, or that of its folder if there is no run spec."""
        return self.run_spec.name if RUN_SPEC_FILE_NAME in self.file_names else self.folder_name

    @cached_property
    def file_names(self) -> list[str]:
        """The run files that exist."""
        known = [*RUN_FILE_NAMES, COVERAGE_FILE_NAME, ERROR_FILE_NAME, JOURNAL_FILE_NAME]
        return [name for name in known if has_file(self.path, name)]

    @property
    def missing(self) -> list[str]:
        """The files that are missing among the five of a complete run."""
        return [name for name in RUN_FILE_NAMES if name not in self.file_names]

    def file_path(self, name: str) -> str:
        """Return the path of one of the run's files, in the form in which it is stored (`open_content` opens both forms).

        Raises RunFileError if it does not exist.
        """
        path = stored_path(self.path, name)
        if not os.path.isfile(path):
            there = f"There: {', '.join(self.file_names)}." if self.file_names else "None of a run's files is there."
            raise RunFileError(f"{self.path}: no {name}. {there}")
        return path

    def read_plain(self, name: str) -> Any:
        """Read a whole file as plain JSON values."""
        return read_json(self.file_path(name))

    @cached_property
    def run_spec(self) -> RunSpec:
        path, data = self.file_path(RUN_SPEC_FILE_NAME), self.read_plain(RUN_SPEC_FILE_NAME)
        unknown = Unknown()
        unknown.note(data, RunSpec)
        unknown.note(data.get("adapter_spec") if isinstance(data, dict) else None, AdapterSpec)
        self._add_notes(path, unknown)
        return _typed(data, RunSpec, path)

    @cached_property
    def scenario(self) -> ScenarioFacts | None:
        """Read `scenario.json`; return None, with a note, if missing, as in runs of HELM 0.2 and of some forks."""
        if SCENARIO_FILE_NAME not in self.file_names:
            self._add_note(f"{self.path}: no {SCENARIO_FILE_NAME}")
            return None
        return _typed(self.read_plain(SCENARIO_FILE_NAME), ScenarioFacts, self.file_path(SCENARIO_FILE_NAME))

    def iterate_request_states(self) -> Iterator[RequestState]:
        """Yield all request states in order; those of one instance share the instance object."""
        path = self.file_path(SCENARIO_STATE_FILE_NAME)
        reader = StateReader()
        items = JsonItems(path, "request_states")
        yield from _typed_items(items, reader.read, path, "request_states")
        self._add_notes(path, reader.unknown)

    def scenario_state(self) -> ScenarioState:
        """Return all requests and answers in the form that metrics use."""
        path = self.file_path(SCENARIO_STATE_FILE_NAME)
        rest = JsonItems(path, "request_states").read_rest()
        if "adapter_spec" not in rest:
            raise RunFileError(f"{path}: the key 'adapter_spec' is missing.")
        annotator_specs = rest.get("annotator_specs")
        return ScenarioState(
            adapter_spec=_typed(rest["adapter_spec"], AdapterSpec, path, "$.adapter_spec"),
            request_states=list(self.iterate_request_states()),
            annotator_specs=(
                None
                if annotator_specs is None
                else _typed(annotator_specs, list[AnnotatorSpec], path, "$.annotator_specs")
            ),
        )

    def stats(self) -> list[Stat]:
        """Return the aggregated statistics, in the order of the file."""
        return list(self._iterate_stats_file(STATS_FILE_NAME, StatReader().read))

    def iterate_per_instance_stats(self) -> Iterator[PerInstanceStats]:
        """Yield the statistics of each instance; an instance occurs once per metric."""
        return self._iterate_stats_file(PER_INSTANCE_STATS_FILE_NAME, StatReader().read_entry)

    def per_instance_stats(self) -> list[PerInstanceStats]:
        return list(self.iterate_per_instance_stats())

    def coverage(self) -> Coverage:
        """Return how much of the run was answered: from `coverage.json`, or counted again if there is none."""
        if COVERAGE_FILE_NAME in self.file_names:
            found = read_coverage(self.path)
            assert found is not None
            return found
        path = self.file_path(SCENARIO_STATE_FILE_NAME)
        try:
            counter = CoverageCounter()
            is_model = kind_of_run(self.run_spec) is LANGUAGE_MODEL
            for key, covered in iterate_covered_states(path, is_model):
                counter.add_state(covered, key)
            return counter.finish()
        except (RunFileError, msgspec.ValidationError):  # an older or odd file: the slow way
            pass
        counter = CoverageCounter()
        for state in self.iterate_request_states():
            counter.add_state(state)
        return counter.finish()

    def _iterate_stats_file(self, name: str, read: Callable[[Any], T]) -> Iterator[T]:
        path = self.file_path(name)
        return _typed_items(JsonItems(path), read, path, "")

    def _add_notes(self, path: str, unknown: Unknown) -> None:
        for note in unknown.describe():
            self._add_note(f"{path}: {note}")

    def _add_note(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)


def _typed(data: Any, cls: Any, path: str, place: str = "$") -> Any:
    try:
        return structure(data, cls, place)
    except (ValueError, TypeError) as e:
        raise RunFileError(f"{path}: {e}.") from e


def _typed_items(items: JsonItems, read: Callable[[Any], T], path: str, key: str) -> Iterator[T]:
    for number, item in enumerate(items):
        try:
            value = read(item)
        except (ValueError, TypeError, AssertionError) as e:
            raise RunFileError(f"{path}: {key}[{number}]: {e}.") from e
        yield value


def is_run_folder(path: str) -> bool:
    """Return whether a folder has any of the files of a run."""
    return any(has_file(path, name) for name in RESULT_FILE_NAMES)


def load_run(path: str) -> RunResults:
    """Load the run in a folder. Raises ResultsError if it is not the folder of a run."""
    if not os.path.isdir(path):
        raise ResultsError(f"There is no folder {path}.{_suggest_folder(path)}")
    if not is_run_folder(path):
        runs = [run.folder_name for run in _runs_in(path)]
        hint = f" It holds {len(runs)} runs, such as {runs[0]}: use load_suite." if runs else ""
        raise ResultsError(f"{path} is not the folder of a run: it has none of {', '.join(RUN_FILE_NAMES)}.{hint}")
    return RunResults(path)


def load_suite(path: str) -> list[RunResults]:
    """Load the runs of a suite, by name, including unfinished runs, which `missing` tells.

    Raises ResultsError if there are none.
    """
    if not os.path.isdir(path):
        raise ResultsError(f"There is no folder {path}.{_suggest_folder(path)}")
    runs = _runs_in(path)
    if not runs:
        raise ResultsError(f"There are no runs in {path}.")
    return runs


def load(path: str) -> "RunList":
    """Load the runs in the folder of a run or a suite, or in an output folder (`benchmark_output`) with all its suites.

    The list also provides their contents as pandas frames: see `RunList`.

    Raises ResultsError if there are none.
    """
    from helm.results.rows import RunList

    if os.path.isdir(path) and is_run_folder(path):
        return RunList([RunResults(path)])
    runs_folder = os.path.join(path, RUNS_FOLDER)
    if os.path.isdir(runs_folder):
        runs = [RunResults(run.path) for run in find_all_runs(runs_folder) if run.has_results]
        if not runs:
            raise ResultsError(f"There are no runs in {runs_folder}.")
        return RunList(runs)
    return RunList(load_suite(path))


def _runs_in(path: str) -> list[RunResults]:
    return [RunResults(run.path) for run in find_runs(path) if run.has_results]


def _suggest_folder(path: str) -> str:
    parent = os.path.dirname(os.path.normpath(path)) or "."
    names: dict[str, None] = dict.fromkeys(os.listdir(parent)) if os.path.isdir(parent) else {}
    return suggest(os.path.basename(os.path.normpath(path)), names)
