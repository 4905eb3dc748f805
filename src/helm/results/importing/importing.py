"""Writes imported runs into a suite, one sample at a time."""

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from helm.benchmark.metrics.imported_metric import IMPORTED_METRIC
from helm.benchmark.metrics.metric import PerInstanceStats
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.running.run_lock import describe_holder, try_lock_run
from helm.benchmark.scenarios.imported_scenario import IMPORTED_SCENARIO, ImportedScenario
from helm.benchmark.scenarios.scenario import TEST_SPLIT
from helm.benchmark.specs import MetricSpec, ScenarioSpec
from helm.common.codec import dump_json, render_json
from helm.common.commands.output_path import check_run_name, get_suite_path
from helm.common.errors import ConfigError, HelmError
from helm.common.files import remove_leftovers
from helm.results.coverage import CoverageCounter
from helm.results.importing.formats import read_runs
from helm.results.importing.hidden_values import without_keys
from helm.results.importing.imported_run import (
    PREDICTED_INDEX,
    ImportedMetricFacts,
    ImportedRun,
    ImportedSample,
    LogError,
)
from helm.results.importing.run_names import make_run_name
from helm.results.run_files.compressed_files import open_run_file
from helm.results.run_files.json_items import read_json
from helm.results.run_files.run_folder import (
    COVERAGE_FILE_NAME,
    DATA_SOURCES_FILE_NAME,
    DISPLAY_FILE_NAMES,
    ERROR_FILE_NAME,
    INTERVALS_FILE_NAME,
    PER_INSTANCE_STATS_FILE_NAME,
    RESULT_FILE_NAMES,
    RUN_SPEC_FILE_NAME,
    SCENARIO_FILE_NAME,
    SCENARIO_STATE_FILE_NAME,
    STATS_FILE_NAME,
    RunFileError,
    stored_names,
)

_CLOSE: dict[str, float] = {"rel_tol": 1e-6, "abs_tol": 1e-9}
_OF_OTHER_RUNS = (*DISPLAY_FILE_NAMES, INTERVALS_FILE_NAME, ERROR_FILE_NAME, DATA_SOURCES_FILE_NAME)


@dataclass
class ImportResult:
    """One run that was imported."""

    run_path: str

    name: str

    num_samples: int

    num_failed: int
    """Samples that ended with an error or at a limit."""

    scores: dict[str, float] = field(default_factory=dict)
    """The means of the scores, by metric, the main one first."""

    was_replaced: bool = False

    notes: list[str] = field(default_factory=list)


def import_results(
    paths: Sequence[str],
    suite: str,
    output_path: str = "benchmark_output",
    format_name: str | None = None,
    model: str | None = None,
    replace: bool = False,
) -> Iterator[ImportResult]:
    """Import the results in files as runs of a suite, and yield each run when its files are written.

    Args:
        paths: logs and result files of inspect_ai, lm-evaluation-harness, OpenAI's evals, Every Eval Ever, or JSON lines.
        suite: the name of the suite; it may contain slashes.
        output_path: the output folder.
        format_name: one of `helm.results.importing.formats.FORMATS`; None recognizes the format by the content.
        model: the model's name for files that do not name one.
        replace: whether to replace runs of the same name that came from somewhere else.

    Raises:
        LogError: A file is damaged or of no known format.
        ConfigError: Two runs have the same name, or one with this name is in the suite and is not from the same log.
        HelmError: A run cannot be written.
        OSError: A file cannot be read.
    """
    suite_path = get_suite_path(output_path, suite)
    taken: dict[str, tuple[str, str]] = {}
    for path in paths:
        for run in read_runs(path, format_name, model):
            run.task_args, run.details = without_keys(run.task_args), without_keys(run.details)
            run.origin = without_keys(run.origin)
            name = make_run_name(run)
            check_run_name(name)
            earlier = taken.setdefault(name, (path, run.identity))
            if earlier[1] != run.identity:
                raise ConfigError(
                    f"{earlier[0]} and {path} both give the run '{name}'. Import them into different suites (--suite)."
                )
            if earlier[0] != path:
                continue  # the samples and the results of lm-evaluation-harness were both named
            yield _Writer(run, name, os.path.join(suite_path, name), path).write(replace)


class _Means:
    """The scores of a run as sums, so that the samples need not be kept."""

    def __init__(self) -> None:
        self._stats: dict[str, dict[int, Stat]] = {}
        self._by_instance: dict[str, dict[str, list[float]]] = {}

    def add(self, sample: ImportedSample, instance_id: str) -> None:
        for name, value in sample.scores.items():
            by_trial = self._stats.setdefault(name, {})
            stat = by_trial.get(sample.trial)
            if stat is None:
                stat = by_trial[sample.trial] = Stat(MetricName(name, TEST_SPLIT))
            stat.add(value)
            total = self._by_instance.setdefault(name, {}).setdefault(instance_id, [0.0, 0])
            total[0] += value
            total[1] += 1

    def finish(self) -> list[Stat]:
        """Return one stat for each metric, which has the mean of each trial.

        If instances have different numbers of trials, it has the mean of each instance, as other programs count.
        """
        found = []
        for name, by_trial in self._stats.items():
            stat = Stat(MetricName(name, TEST_SPLIT))
            instances = self._by_instance[name]
            if len({count for _, count in instances.values()}) <= 1:
                for trial in sorted(by_trial):
                    stat.add(by_trial[trial].mean)
                if len({part.count for part in by_trial.values()}) <= 1:
                    found.append(stat)
                    continue
                stat = Stat(MetricName(name, TEST_SPLIT))
            for total, count in instances.values():
                stat.add(total / count)
            found.append(stat)
        return found


class _Writer:
    def __init__(self, run: ImportedRun, name: str, run_path: str, path: str):
        self._run, self._name, self._run_path, self._path = run, name, run_path, path
        self._counter, self._means = CoverageCounter(), _Means()
        self._instances: dict[str, Any] = {}
        self._seen: set[tuple[str, int]] = set()
        self._not_finite: dict[str, int] = {}
        self._num_samples = self._num_failed = self._num_unscored = 0

    def write(self, replace: bool) -> ImportResult:
        lock = try_lock_run(self._run_path)
        if lock is None:
            raise HelmError(f"{self._name} is being made by {describe_holder(self._run_path)}.")
        try:
            was_there = self._check_place(replace)
            remove_leftovers(self._run_path)
            scores = self._write_files()
            for name in [stored for known in _OF_OTHER_RUNS for stored in stored_names(known)]:
                path = os.path.join(self._run_path, name)
                if os.path.exists(path):
                    os.unlink(path)
        except BaseException:
            lock.release()
            self._remove_empty_folder()
            raise
        lock.release()
        return ImportResult(
            self._run_path, self._name, self._num_samples, self._num_failed, scores, was_there, self._run.notes
        )

    def _remove_empty_folder(self) -> None:
        try:
            os.rmdir(self._run_path)
        except OSError:
            pass  # it holds an earlier run

    def _check_place(self, replace: bool) -> bool:
        """Return whether a run is there. Raises ConfigError if it is another one that must not be replaced."""
        if not RESULT_FILE_NAMES.intersection(os.listdir(self._run_path)):
            return False
        try:
            there = read_json(os.path.join(self._run_path, SCENARIO_FILE_NAME))
        except (OSError, RunFileError):
            there = None
        origin = there.get("origin") if isinstance(there, dict) else None
        mine = {"source": self._run.source, "log": self._run.identity}
        is_same = isinstance(origin, dict) and {key: origin.get(key) for key in mine} == mine
        if not is_same and not replace:
            what = "was imported from another log" if isinstance(origin, dict) else "was not imported"
            raise ConfigError(
                f"{self._path}: the run '{self._name}' is in the suite already and {what}. Name another suite (--suite), or "
                "replace it (--replace)."
            )
        return True

    def _write_files(self) -> dict[str, float]:
        try:
            with ExitStack() as stack:
                files = {
                    name: stack.enter_context(open_run_file(self._run_path, name, compressed=False))
                    for name in (
                        COVERAGE_FILE_NAME,
                        PER_INSTANCE_STATS_FILE_NAME,
                        STATS_FILE_NAME,
                        SCENARIO_STATE_FILE_NAME,
                        SCENARIO_FILE_NAME,
                        RUN_SPEC_FILE_NAME,
                    )
                }
                self._write_samples(files[SCENARIO_STATE_FILE_NAME], files[PER_INSTANCE_STATS_FILE_NAME])
                stats = self._finish_stats()
                self._check_stated(stats)
                files[STATS_FILE_NAME].write(dump_json(stats))
                files[COVERAGE_FILE_NAME].write(dump_json(self._finish_coverage()))
                names = [stat.name.name for stat in stats]
                run_spec = self._make_run_spec(names)
                files[RUN_SPEC_FILE_NAME].write(dump_json(run_spec))
                files[SCENARIO_FILE_NAME].write(dump_json(self._make_scenario(run_spec)))
        except OSError as e:
            if e.filename is not None and not str(e.filename).startswith(self._run_path):
                raise  # the log cannot be read
            raise HelmError(f"Cannot write {e.filename or self._run_path}: {e.strerror or e}.") from e
        means = {stat.name.name: stat.mean for stat in stats if stat.mean is not None}
        main = self._run.main_metric
        return {name: means[name] for name in sorted(means, key=lambda name: name != main) if name != PREDICTED_INDEX}

    def _write_samples(self, state_file: Any, stats_file: Any) -> None:
        run = self._run
        state_file.write(
            f'{{\n  "adapter_spec": {render_json(run.adapter_spec, chr(10) + "  ")},\n  "request_states": ['
        )
        stats_file.write("[")
        num_states = num_entries = 0
        for sample in run.open_samples():
            self._admit(sample)
            for state in sample.states:
                state_file.write(("," if num_states else "") + "\n    " + render_json(state, "\n    "))
                num_states += 1
            entry = self._make_entry(sample)
            if entry.stats:
                stats_file.write(("," if num_entries else "") + "\n  " + render_json(entry, "\n  "))
                num_entries += 1
        state_file.write("\n  ]\n}" if num_states else "]\n}")
        stats_file.write("\n]" if num_entries else "]")

    def _admit(self, sample: ImportedSample) -> None:
        instance, trial = sample.instance, sample.trial
        assert instance.id is not None
        if (instance.id, trial) in self._seen:
            raise LogError(f"{self._path}: the sample '{instance.id}' occurs twice in trial {trial}.")
        self._seen.add((instance.id, trial))
        self._num_samples += 1
        self._num_failed += any(state.result is not None and not state.result.success for state in sample.states)
        for state in sample.states:
            self._counter.add_state(state, instance.id)

    def _make_entry(self, sample: ImportedSample) -> PerInstanceStats:
        finite = {}
        for name, value in sample.scores.items():
            if math.isfinite(value):
                finite[name] = value
            else:
                self._not_finite[name] = self._not_finite.get(name, 0) + 1
        sample.scores = finite
        instance_id = str(sample.instance.id)
        self._means.add(sample, instance_id)
        if not finite:
            self._num_unscored += len(sample.states)
        stats = [Stat(MetricName(name, TEST_SPLIT)).add(value) for name, value in finite.items()]
        return PerInstanceStats(instance_id, None, sample.trial, stats)

    def _finish_stats(self) -> list[Stat]:
        found = {stat.name.name: stat for stat in self._means.finish()}
        rest = {**self._run.aggregates, **self._run.stated}
        for name, value in rest.items():
            if name not in found:
                found[name] = Stat(MetricName(name, TEST_SPLIT)).add(value)
        order = {name: place for place, name in enumerate(self._run.metrics)}
        return sorted(found.values(), key=lambda stat: order.get(stat.name.name, len(order)))

    def _check_stated(self, stats: Iterable[Stat]) -> None:
        """Note the scores that are not those which the log states."""
        for stat in stats:
            stated = self._run.stated.get(stat.name.name)
            if stated is not None and stat.mean is not None and not math.isclose(stated, stat.mean, **_CLOSE):
                self._run.notes.append(
                    f"{stat.name.name}: the log states {stated:.6g}, its samples give {stat.mean:.6g}, which is imported"
                )

    def _make_run_spec(self, names: list[str]) -> RunSpec:
        run = self._run
        specs = []
        for name in names:
            facts = run.metrics.get(name, ImportedMetricFacts())
            args = {"name": name, "source": run.source, "lower_is_better": facts.lower_is_better, "unit": facts.unit}
            specs.append(MetricSpec(IMPORTED_METRIC, {key: value for key, value in args.items() if value is not None}))
        main = run.main_metric if run.main_metric in names else next(iter(names), None)
        given = {"source": run.source, "task": run.task, "main_metric": main, **run.details, "task_args": run.task_args}
        scenario_spec = ScenarioSpec(
            IMPORTED_SCENARIO, {key: value for key, value in given.items() if value not in (None, {})}
        )
        return RunSpec(self._name, scenario_spec, run.adapter_spec, specs, groups=[run.task])

    def _make_scenario(self, run_spec: RunSpec) -> ImportedScenario:
        scenario = ImportedScenario(**run_spec.scenario_spec.args)
        scenario.origin = {"source": self._run.source, "log": self._run.identity, **self._run.origin}
        if self._run.notes:
            scenario.origin["notes"] = self._run.notes
        return scenario

    def _finish_coverage(self) -> Any:
        coverage = self._counter.finish()
        if self._num_unscored:
            coverage.on_failure, coverage.requests.excluded = "exclude", self._num_unscored
        planned = self._run.num_planned
        if planned is not None and planned > self._num_samples:
            coverage.requests.unsent += planned - self._num_samples
            self._run.notes.append(f"{planned - self._num_samples} of {planned} samples are not in the log")
        coverage.stats.nan_removed_per_instance = dict(sorted(self._not_finite.items()))
        return coverage
