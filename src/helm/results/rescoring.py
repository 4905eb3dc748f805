"""Recomputes metrics from the stored files of a run, without model, annotators or datasets."""

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from types import SimpleNamespace
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.executing.execution import FAIL, HELM
from helm.benchmark.executor import scored_part
from helm.benchmark.extraction.extractor import create_extractor
from helm.benchmark.extraction.stage import extract_answers, without_extracted
from helm.benchmark.metrics.metric import MetricInterface, MetricSpec, PerInstanceStats
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.running.epochs.reduction import count_epochs
from helm.benchmark.running.run_writer import (
    RunWriter,
    iterate_per_instance_json,
    remove_per_instance_stats_nans,
    remove_stats_nans,
)
from helm.benchmark.running.scoring import (
    DRY_RUN_METRIC_SPEC,
    check_same_request_type,
    create_metrics,
    evaluate_metrics,
)
from helm.common.codec import asdict_without_nones, dump_json, iterate_json, render_json
from helm.common.commands.output_path import EVAL_CACHE_FOLDER
from helm.common.context import Context
from helm.common.errors import HelmError
from helm.common.files import copy_atomically, write_text_atomically
from helm.common.request import RequestResult
from helm.results.coverage import Coverage, count_coverage, read_coverage
from helm.results.interval_file import keep_intervals
from helm.results.run_files.compressed_files import copy_run_file, open_content, open_run_file
from helm.results.run_files.run_folder import (
    COVERAGE_FILE_NAME,
    PER_INSTANCE_STATS_FILE_NAME,
    RUN_SPEC_FILE_NAME,
    SCENARIO_FILE_NAME,
    SCENARIO_STATE_FILE_NAME,
    STATS_FILE_NAME,
    has_file,
    stored_path,
)
from helm.results.run_results import ResultsError, RunResults


class RescoreError(HelmError):
    """A run cannot be rescored."""


class LazyMetricService(MetricService):
    """A metric service whose context is created when a metric first needs it: most never do."""

    def __init__(self, make_context: Callable[[], Context]):
        self._make_context = make_context

    @cached_property
    def _context(self) -> Context:  # type: ignore[override]
        return self._make_context()


@dataclass(frozen=True)
class RescoreOptions:
    """What to compute, and where to write it."""

    metric_specs: list[MetricSpec] | None = None
    """The metrics; None means those of the run spec."""

    added_metric_specs: list[MetricSpec] = field(default_factory=list)
    """Metrics in addition to `metric_specs`, after them."""

    output_suite_path: str | None = None
    """The folder of another suite to which runs are written with all their files; None rescores in place."""

    keep_old: bool = False
    """Whether files replaced in place are kept as `stats.old-1.json` and so on."""

    dry_run: bool = False
    """Whether to write nothing and only report changes."""

    on_failure: str | None = None
    """How requests without an answer are scored, one of `FAILURE_POLICIES`; None keeps the policy of the stored scores."""

    parallelism: int = 4
    """The number of threads for metrics that wait for something."""

    extraction: str | None = None
    """What finds the answers, as in a run entry: a name of `extraction.choice.EXTRACTORS`, `auto` or `none`; None keeps the
    run's own."""

    extraction_pattern: str | None = None
    """The regular expression or path for it."""

    reducer: str | None = None
    """What makes one value of the epochs of an instance, as `reducer=` in a run entry; None keeps the run's own."""


@dataclass(frozen=True)
class StatChange:
    """One entry of `stats.json` that differs."""

    name: MetricName

    old: Stat | None
    """The stored entry; None if it is new."""

    new: Stat | None
    """The recomputed entry; None if it is gone."""

    def describe(self) -> str:
        """Describe the change like `exact_match, test: 0.45 -> 0.5`."""
        return f"{describe_metric_name(self.name)}: {_value_text(self.old)} -> {_value_text(self.new)}"


@dataclass(frozen=True)
class Rescored:
    """The result of rescoring one run."""

    run_name: str

    run_path: str
    """The folder where the files are, or would be."""

    num_stats: int

    stat_changes: list[StatChange]

    num_changed_instances: int
    """The number of entries of `per_instance_stats.json` that differ, are new or are gone."""

    changed_files: list[str]
    """The changed files among those that scoring writes; empty if every byte is unchanged."""

    coverage: Coverage | None
    """The coverage; None for a dry run of a model."""


def describe_metric_name(name: MetricName) -> str:
    """Describe a name like `exact_match, test, typos worst`."""
    parts = [name.name, name.split, name.sub_split]
    if name.perturbation is not None:
        parts.append(f"{name.perturbation.name} {name.perturbation.computed_on}")
    return ", ".join(part for part in parts if part)


def _value_text(stat: Stat | None) -> str:
    if stat is None:
        return "nothing"
    return "no value" if stat.mean is None else f"{stat.mean:.6g}" + (f" ({stat.count})" if stat.count != 1 else "")


class Rescorer:
    """Rescores runs one at a time. A run that fails is left unchanged."""

    def __init__(self, metric_service: MetricService, options: RescoreOptions):
        self._metric_service = metric_service
        self.options = options

    def rescore(self, run: RunResults) -> Rescored:
        """Rescore a run. Raises HelmError that names the run, the file or the metric."""
        run_spec = self._get_run_spec(run)
        state = run.scenario_state()
        is_dry = all(request_state.result is None for request_state in state.request_states)
        if not is_dry:
            self._check_complete(run, state)
        on_failure = self._get_policy(run, state)
        extractor = None if is_dry or run_spec.extractor_spec is None else create_extractor(run_spec.extractor_spec)
        old_answers = _answers_of(state)
        state = without_extracted(state) if extractor is None else extract_answers(state, extractor)
        scored = scored_part(state, on_failure)
        metrics = create_metrics([DRY_RUN_METRIC_SPEC] if is_dry else run_spec.metric_specs)
        _check_request_types(run_spec, state, metrics)
        target_path = self._get_target_path(run)
        epochs = None if is_dry else run_spec.epochs
        with self._eval_cache(target_path) as eval_cache_path:
            stats, entries = evaluate_metrics(
                metrics, scored, self._metric_service, eval_cache_path, self.options.parallelism, extractor, epochs
            )
        coverage = None
        if not is_dry:
            states, policy = state.request_states, None if on_failure == HELM else on_failure
            num_excluded = len(states) - len(scored.request_states)
            coverage = count_coverage(states, stats, entries, metrics, policy, num_excluded, run_spec)
            if epochs is not None:
                coverage.epochs = count_epochs(epochs, state, scored)
        stats, entries = remove_stats_nans(stats), remove_per_instance_stats_nans(entries)
        rescored = _compare(run, target_path, run_spec, stats, entries, coverage)
        if not self.options.dry_run:
            answers = _answers_of(state)
            changed = None if answers == old_answers else answers
            self._write(run, run_spec, rescored, stats, entries, state.request_states, changed)
        return rescored

    def _get_run_spec(self, run: RunResults) -> RunSpec:
        from dataclasses import replace

        run_spec, options = run.run_spec, self.options
        specs = run_spec.metric_specs if options.metric_specs is None else options.metric_specs
        added = [spec for spec in options.added_metric_specs if spec not in specs]
        run_spec = replace(run_spec, metric_specs=[*specs, *added])
        if options.extraction is not None:
            from helm.benchmark.extraction.choice import parse_extraction

            spec = parse_extraction(options.extraction, run_spec, options.extraction_pattern)
            run_spec = replace(run_spec, extractor_spec=spec)
        if options.reducer is not None:
            from helm.benchmark.running.epochs.repeating import check_epochs

            if run_spec.epochs is None:
                raise RescoreError(f"{run.name} has no epochs, so there is nothing to reduce: run it with epochs=N.")
            run_spec = replace(run_spec, epochs=replace(run_spec.epochs, reducers=options.reducer.split("+")))
            check_epochs(run_spec)
        return run_spec

    def _get_policy(self, run: RunResults, state: ScenarioState) -> str:
        """Return the requested policy, else that of the stored scores. Raises RescoreError if it forbids the run."""
        policy = self.options.on_failure
        if policy is None:
            stored = read_coverage(run.path)
            policy = (stored.on_failure if stored is not None else None) or HELM
        failed = [s for s in state.request_states if s.result is not None and not s.result.success]
        if policy == FAIL and failed and isinstance(failed[0].result, RequestResult):
            raise RescoreError(
                f"{run.file_path(SCENARIO_STATE_FILE_NAME)}: {len(failed)} requests have failed, the first at instance "
                f"{failed[0].instance.id}: {failed[0].result.error} Score it with --on-failure exclude or count-as-wrong."
            )
        return policy

    @staticmethod
    def _check_complete(run: RunResults, state: ScenarioState) -> None:
        unanswered = sum(request_state.result is None for request_state in state.request_states)
        if unanswered:
            raise RescoreError(
                f"{run.file_path(SCENARIO_STATE_FILE_NAME)}: {unanswered} of {len(state.request_states)} requests have no "
                "result. Run the evaluation again: the answers that are there come from the cache."
            )

    def _get_target_path(self, run: RunResults) -> str:
        suite_path = self.options.output_suite_path
        return run.path if suite_path is None else os.path.join(suite_path, run.folder_name)

    @contextmanager
    def _eval_cache(self, target_path: str) -> Iterator[str]:
        """Yield the suite's folder for intermediate files; for a dry run, a temporary one."""
        if self.options.dry_run:
            with tempfile.TemporaryDirectory() as folder:
                yield folder
            return
        path = os.path.join(os.path.dirname(os.path.abspath(target_path)), EVAL_CACHE_FOLDER)
        os.makedirs(path, exist_ok=True)
        yield path

    def _write(
        self,
        run: RunResults,
        run_spec: RunSpec,
        rescored: Rescored,
        stats: list[Stat],
        entries: list[PerInstanceStats],
        request_states: Sequence[RequestState],
        answers: "list[Answers] | None",
    ) -> None:
        """Write what has changed; `answers` are those of all requests, None if they are the stored ones."""
        target_path = rescored.run_path
        is_elsewhere = os.path.realpath(target_path) != os.path.realpath(run.path)
        if is_elsewhere:
            os.makedirs(target_path, exist_ok=True)
            for name in (SCENARIO_FILE_NAME, SCENARIO_STATE_FILE_NAME):
                if has_file(run.path, name):
                    copy_run_file(run.path, target_path, name)
        elif self.options.keep_old:
            for name in rescored.changed_files:
                _keep_old(target_path, name)
        if answers is not None:
            with open_run_file(target_path, SCENARIO_STATE_FILE_NAME) as file:
                file.write(_scenario_state_text(run, answers))
        if RUN_SPEC_FILE_NAME in rescored.changed_files:
            write_text_atomically(os.path.join(target_path, RUN_SPEC_FILE_NAME), _run_spec_text(run, run_spec))
        if set(rescored.changed_files) - {RUN_SPEC_FILE_NAME}:
            RunWriter(target_path).write_scores(stats, entries, rescored.coverage)
            if rescored.coverage is not None:
                keep_intervals(target_path, run_spec, entries, request_states)


# --- before -----------------------------------------------------------------------------------------------------------


def _check_request_types(run_spec: RunSpec, state: ScenarioState, metrics: Sequence[MetricInterface]) -> None:
    """Check that the metrics support the stored requests. Raises ConfigError if they do not."""
    if state.request_states:
        stored = SimpleNamespace(request_type=type(state.request_states[0].request))
        parts: list[tuple[str, Any]] = [("stored run", stored)]
        parts += [(f"metric {type(metric).__name__}", metric) for metric in metrics]
        check_same_request_type(run_spec.name, run_spec.adapter_spec.model, parts)


def _run_spec_text(run: RunResults, run_spec: RunSpec) -> str:
    """Return the stored run spec, including fields unknown to this version, with what a rescoring changes."""
    data = run.read_plain(RUN_SPEC_FILE_NAME)
    data["metric_specs"] = [asdict_without_nones(spec) for spec in run_spec.metric_specs]
    data.pop("extractor_spec", None)
    if run_spec.extractor_spec is not None:
        data["extractor_spec"] = asdict_without_nones(run_spec.extractor_spec)
    if run_spec.epochs != run.run_spec.epochs and run_spec.epochs is not None:
        data["epochs"] = {**data["epochs"], "reducers": list(run_spec.epochs.reducers)}
    return dump_json(data)


Answers = list[str | None] | None
"""The extracted answers of one request."""


def _answers_of(state: ScenarioState) -> list[Answers]:
    return [request_state.extracted for request_state in state.request_states]


def _scenario_state_text(run: RunResults, answers: list[Answers]) -> str:
    """Return the stored scenario state, including fields unknown to this version, with these answers."""
    data = run.read_plain(SCENARIO_STATE_FILE_NAME)
    for item, found in zip(data["request_states"], answers, strict=True):
        item.pop("extracted", None)
        if found is not None:
            item["extracted"] = found
    return dump_json(data)


# --- comparing --------------------------------------------------------------------------------------------------------


def _compare(
    run: RunResults,
    target_path: str,
    run_spec: RunSpec,
    stats: list[Stat],
    entries: list[PerInstanceStats],
    coverage: Coverage | None,
) -> Rescored:
    """Return the differences from the stored scores (in the run's own folder) and from the files to be written."""
    contents: dict[str, Iterable[str]] = {
        RUN_SPEC_FILE_NAME: _run_spec_chunks(run, run_spec),
        STATS_FILE_NAME: iterate_json(stats),
        PER_INSTANCE_STATS_FILE_NAME: iterate_per_instance_json(entries),
    }
    if coverage is not None:
        contents[COVERAGE_FILE_NAME] = iterate_json(coverage)
    changed = [name for name, chunks in contents.items() if not _is_same(stored_path(target_path, name), chunks)]
    is_elsewhere = target_path != run.path
    has_new_stats = is_elsewhere or STATS_FILE_NAME in changed
    has_new_entries = is_elsewhere or PER_INSTANCE_STATS_FILE_NAME in changed
    return Rescored(
        run_name=run.name,
        run_path=target_path,
        num_stats=len(stats),
        stat_changes=_compare_stats(run, stats) if has_new_stats else [],
        num_changed_instances=_compare_entries(run, entries) if has_new_entries else 0,
        changed_files=changed,
        coverage=coverage,
    )


def _run_spec_chunks(run: RunResults, run_spec: RunSpec) -> Iterator[str]:
    """Yield the stored text, unless the metrics, the extractor or the reducers have changed."""
    stored = run.run_spec
    if all(getattr(run_spec, name) == getattr(stored, name) for name in ("metric_specs", "extractor_spec", "epochs")):
        with open(run.file_path(RUN_SPEC_FILE_NAME), encoding="utf-8", newline="") as file:
            yield file.read()
    else:
        yield _run_spec_text(run, run_spec)


def _is_same(path: str, chunks: Iterable[str]) -> bool:
    """Return whether a file contains exactly this text; stop at the first difference."""
    try:
        with open_content(path) as file:
            for chunk in chunks:
                data = chunk.encode("utf-8")
                if file.read(len(data)) != data:
                    return False
            return not file.read(1)
    except FileNotFoundError:
        return False


def _compare_stats(run: RunResults, stats: list[Stat]) -> list[StatChange]:
    """Return differences by name, in the order of the new file, then missing entries. Names may occur more than once."""
    old: dict[MetricName, list[Stat]] = {}
    if STATS_FILE_NAME in run.file_names:
        for stat in run.stats():
            old.setdefault(stat.name, []).append(stat)
    changes = []
    for stat in stats:
        before = old.get(stat.name)
        previous = before.pop(0) if before else None
        if previous is None or render_json(previous, "\n") != render_json(stat, "\n"):
            changes.append(StatChange(stat.name, previous, stat))
    return changes + [StatChange(stat.name, stat, None) for left in old.values() for stat in left]


def _compare_entries(run: RunResults, entries: list[PerInstanceStats]) -> int:
    old: dict[Any, list[int]] = {}
    if PER_INSTANCE_STATS_FILE_NAME in run.file_names:
        for entry in run.iterate_per_instance_stats():
            old.setdefault(_entry_key(entry), []).append(hash(render_json(entry, "\n")))
    changed = 0
    for entry in entries:
        before = old.get(_entry_key(entry))
        changed += not before or before.pop(0) != hash(render_json(entry, "\n"))
    return changed + sum(len(left) for left in old.values())


def _entry_key(entry: PerInstanceStats) -> tuple[Any, ...]:
    return entry.instance_id, entry.perturbation, entry.train_trial_index


# --- files ------------------------------------------------------------------------------------------------------------


def _keep_old(folder: str, name: str) -> None:
    """Copy `stats.json` to `stats.old-1.json`, with the first free number."""
    path = stored_path(folder, name)
    if os.path.isfile(path):
        base, dot, suffix = os.path.basename(path).partition(".")
        number = 1
        while os.path.exists(kept := os.path.join(folder, f"{base}.old-{number}{dot}{suffix}")):
            number += 1
        copy_atomically(path, kept)


# --- what users write -------------------------------------------------------------------------------------------------


def parse_metric_spec(text: str) -> MetricSpec:
    """Parse `package.module.Class`, `...Class:key=value,key=value`, or `...Class:{"key": [...]}` with JSON.

    Raises ResultsError.
    """
    from helm.common.object_spec import parse_object_spec

    class_name, colon, rest = text.partition(":")
    try:
        if colon and rest.lstrip().startswith("{"):
            return MetricSpec(class_name, json.loads(rest))
        spec = parse_object_spec(text)
    except ValueError as e:
        raise ResultsError(
            f"Cannot read the metric '{text}': {e}. Write CLASS, CLASS:key=value,key=value or "
            'CLASS:{"key": ["value", "value"]}.'
        ) from e
    return MetricSpec(spec.class_name, spec.args)
