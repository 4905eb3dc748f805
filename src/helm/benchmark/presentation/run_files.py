"""Reading the files of finished runs quickly: only what tables need, one run at a time.

The files may have been written by another program or by hand, so whatever is wrong in them becomes a
`RunFileError` that names the file and the place. `msgspec` reads typed values about twenty times faster than
`json` and a converter; it refuses NaN and Infinity, which both programs write, so such a file is read again by `json`.
"""

import json
import os
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Type, TypeVar

import msgspec

from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.run_spec import RunSpec
from helm.common.codec import asdict_without_nones, structure, to_json_single_line
from helm.common.errors import HelmError

RUN_SPEC_FILE = "run_spec.json"
STATS_FILE = "stats.json"
SCENARIO_STATE_FILE = "scenario_state.json"
PER_INSTANCE_STATS_FILE = "per_instance_stats.json"
ERROR_FILE = "error.json"

T = TypeVar("T")


class RunFileError(HelmError):
    """A file of a run cannot be read; the message names the file, the place and what is wrong."""


@dataclass
class Run:
    """A finished run as tables see it. The order of the fields is their order in runs.json."""

    run_path: str
    """The run's folder, under the output path as it was given."""

    run_spec: RunSpec

    stats: List[Stat]
    """Aggregated statistics; sums and extremes are floats."""

    failure: Optional[str] = None
    """Why the run has no results, in one line; None: it has. Not part of runs.json."""

    def __post_init__(self) -> None:
        self._by_name: Dict[str, List[Stat]] = {}
        for stat in self.stats:
            self._by_name.setdefault(stat.name.name, []).append(stat)
        self.groups = frozenset(self.run_spec.groups)

    def stats_named(self, name: str) -> List[Stat]:
        """The statistics of one metric, in the order of the file."""
        return self._by_name.get(name, [])

    def stat_names(self) -> List[str]:
        return list(self._by_name)


class RunLines:
    """Runs as runs.json holds them, each on one line. What recurs is kept: metric names; specs for their own file."""

    def __init__(self) -> None:
        self._names: Dict[MetricName, Dict[str, Any]] = {}
        self.run_specs: List[str] = []
        """The specs of the runs rendered so far, each on one line."""

    def render(self, run: Run) -> str:
        path, run_spec = json.dumps(run.run_path), to_json_single_line(run.run_spec)
        self.run_specs.append(run_spec)
        stats = json.dumps([self._plain_stat(stat) for stat in run.stats])
        return f'{{"run_path": {path}, "run_spec": {run_spec}, "stats": {stats}}}'

    def _plain_stat(self, stat: Stat) -> Dict[str, Any]:
        name = self._names.get(stat.name)
        if name is None:
            name = self._names[stat.name] = asdict_without_nones(stat.name)
        data = {"name": name, "count": stat.count, "sum": stat.sum, "sum_squared": stat.sum_squared}
        for key in _OPTIONAL_STAT_FIELDS:
            value = getattr(stat, key)
            if value is not None:
                data[key] = value
        return data


_OPTIONAL_STAT_FIELDS = ("min", "max", "mean", "variance", "stddev")


class _Name(msgspec.Struct):
    name: str
    split: Optional[str] = None
    sub_split: Optional[str] = None
    perturbation: Optional[Dict[str, Any]] = None


class _Stat(msgspec.Struct):
    name: _Name
    count: int = 0
    sum: float = 0.0
    sum_squared: float = 0.0
    min: Optional[float] = None
    max: Optional[float] = None
    mean: Optional[float] = None
    variance: Optional[float] = None
    stddev: Optional[float] = None


_DECODERS: Dict[Any, "msgspec.json.Decoder[Any]"] = {}


def read_bytes(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def read_json(path: str, cls: Type[T]) -> T:
    """Read a JSON file as a `cls` (anything that msgspec knows); unknown keys are skipped.

    Raises: RunFileError; OSError when the file cannot be opened.
    """
    return decode_json(path, read_bytes(path), cls)


def decode_json(path: str, data: bytes, cls: Type[T]) -> T:
    """Like `read_json`, for what was read from `path`."""
    decoder = _DECODERS.get(cls)
    if decoder is None:
        decoder = _DECODERS[cls] = msgspec.json.Decoder(cls)
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _read_slowly(path, data, cls)


def _read_slowly(path: str, data: bytes, cls: Type[T]) -> T:
    """The way of files with NaN or Infinity, and of those that are wrong: finds the exact place."""
    try:
        value = json.loads(data)
    except json.JSONDecodeError as e:
        what = "the file is empty" if not data.strip() else e.msg
        raise RunFileError(f"{path}: not valid JSON at line {e.lineno}, column {e.colno}: {what}.") from e
    except UnicodeDecodeError as e:
        raise RunFileError(f"{path}: not UTF-8 at byte {e.start}.") from e
    except RecursionError as e:
        raise RunFileError(f"{path}: nested too deeply.") from e
    try:
        return msgspec.convert(value, cls)
    except msgspec.ValidationError as e:
        raise RunFileError(f"{path}: {e}.") from e


class PerturbationTable:
    """Perturbations as typed values, each read once: there are few, and every other statistic has one."""

    def __init__(self) -> None:
        self._known: Dict[Any, PerturbationDescription] = {}

    def get(self, data: Dict[str, Any], path: str) -> PerturbationDescription:
        key = tuple(data.items())
        try:
            found = self._known.get(key)
        except TypeError:  # a list or an object inside: no known perturbation has one
            found, key = None, None  # type: ignore[assignment]
        if found is None:
            try:
                found = structure(data, PerturbationDescription)
            except (ValueError, TypeError) as e:
                raise RunFileError(f"{path}: perturbation {json.dumps(data)}: {e}") from e
            if key is not None:
                self._known[key] = found
        return found


class RunReader:
    """Reads `run_spec.json` and `stats.json`; runs share equal metric names, which saves most of the memory."""

    def __init__(self) -> None:
        self._names: Dict[Any, MetricName] = {}
        self._perturbations = PerturbationTable()

    def read_run(self, run_path: str) -> Run:
        """Raises: RunFileError."""
        run_spec = read_run_spec(os.path.join(run_path, RUN_SPEC_FILE))
        return Run(run_path=run_path, run_spec=run_spec, stats=self.read_stats(os.path.join(run_path, STATS_FILE)))

    def read_stats(self, path: str) -> List[Stat]:
        """Raises: RunFileError."""
        return [
            Stat(self._name(s.name, path), s.count, s.sum, s.sum_squared, s.min, s.max, s.mean, s.variance, s.stddev)
            for s in read_json(path, List[_Stat])
        ]

    def _name(self, raw: _Name, path: str) -> MetricName:
        perturbation = None if raw.perturbation is None else self._perturbations.get(raw.perturbation, path)
        key = (raw.name, raw.split, raw.sub_split, perturbation)
        name = self._names.get(key)
        if name is None:
            name = self._names[key] = MetricName(raw.name, raw.split, raw.sub_split, perturbation)
        return name


def read_run_spec(path: str) -> RunSpec:
    """Raises: RunFileError."""
    return read_json(path, RunSpec)


class _Failure(msgspec.Struct):
    stage: Optional[str] = None
    message: Optional[str] = None
    run_spec: Optional[RunSpec] = None


def read_failure(run_path: str) -> Optional[Run]:
    """The run whose last attempt failed, from what the Runner left in error.json; None when it left nothing.

    Raises: RunFileError for a damaged file.
    """
    path = os.path.join(run_path, ERROR_FILE)
    if not os.path.isfile(path):
        return None
    failure = read_json(path, _Failure)
    text = " ".join((failure.message or "no message").split())
    reason = f"{failure.stage}: {text}" if failure.stage else text
    if failure.run_spec is None:
        raise RunFileError(f"failed ({reason})")
    return Run(run_path=run_path, run_spec=failure.run_spec, stats=[], failure=reason)
