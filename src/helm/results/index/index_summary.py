"""Summarizes a run for tables of many runs: read once from the run's files, as plain values for a database."""

import json
import math
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.subjects import AD_TOOL, COMPILER, LANGUAGE_MODEL, kind_of_method, kind_of_run
from helm.common.errors import ConfigError, HelmError
from helm.results.comparison.task_matching import task_key
from helm.results.coverage import AnswerCounts, Coverage, read_coverage
from helm.results.main_metric import find_scenario_title
from helm.results.metric_choice import MetricCatalogue, MetricChoice
from helm.results.metric_names import is_score
from helm.results.run_files.run_error import RunError
from helm.results.run_files.run_folder import (
    COVERAGE_FILE_NAME,
    ERROR_FILE_NAME,
    RUN_SPEC_FILE_NAME,
    SCENARIO_STATE_FILE_NAME,
    STATS_FILE_NAME,
)
from helm.results.run_results import RunResults
from helm.results.scores import get_score_facts, has_instances
from helm.results.statistics.intervals import CONFIDENCE, Estimate, estimate_from_facts

DONE, FAILED, UNFINISHED = "done", "failed", "unfinished"

# Messages may quote whole prompts, and the database has the errors of all runs.
_MAX_ERROR_CHARACTERS = 2000
_SPLIT_ORDER = ("test", "valid", None)
_REQUEST_TIME = "inference_runtime"
"""HELM's name of the mean time of a request, in seconds."""


StatRow = list[Any]
"""Name, split, sub-split, name of the perturbation, what it was computed on, mean, and count."""

IntervalRow = list[Any]
"""Name, split, sub-split, perturbation (as in `ScoreKey`), value, low, high, method, count, clusters, and standard error."""


def summarize_run(path: str, catalogue: MetricCatalogue | None = None) -> tuple[dict[str, Any], list[StatRow]]:
    """Return subject, task, state, coverage and main scores of a run, and all of its aggregated statistics.

    A missing or damaged file is not an error: `problem` says what is wrong with it. Without a catalogue, there are no main
    scores.
    """
    run = RunResults(path)
    found: dict[str, Any] = {"name": run.folder_name, "status": UNFINISHED, "main": []}
    rows: list[StatRow] = []
    try:
        if STATS_FILE_NAME in run.file_names:
            found["status"] = DONE
        _add_error(run, found)
        if RUN_SPEC_FILE_NAME in run.file_names:
            _add_spec(run, found)
        elif found["status"] != FAILED:
            found["problem"] = f"There is no {RUN_SPEC_FILE_NAME}."
        coverage = read_coverage(path)
        if coverage is not None:
            found["coverage"] = _plain_coverage(coverage)
        if STATS_FILE_NAME in run.file_names:
            stats = run.stats()
            rows = [row for stat in stats if (row := _plain_stat(stat)) is not None]
            if RUN_SPEC_FILE_NAME in run.file_names:
                _add_costs(run, stats, found)
                if catalogue is not None:
                    found["main"] = _main_scores(run, rows, catalogue)
                    found["units"] = _find_units(run, rows, catalogue)
    except Exception as e:  # other programs' files may contain anything: show what is wrong, and the other runs
        found["problem"] = _describe_problem(e)
    return found, rows


def _add_error(run: RunResults, found: dict[str, Any]) -> None:
    if ERROR_FILE_NAME not in run.file_names:
        return
    error = RunError.of(run.read_plain(ERROR_FILE_NAME))
    if found["status"] != DONE:
        found["status"] = FAILED
    found["error"] = f"{error.stage}: {error.error_type}: {error.message}"[:_MAX_ERROR_CHARACTERS]


def _add_spec(run: RunResults, found: dict[str, Any]) -> None:
    spec = run.run_spec
    adapter_spec = spec.adapter_spec
    found.update(
        name=spec.name,
        subject=adapter_spec.model or adapter_spec.model_deployment or run.folder_name,
        deployment=adapter_spec.model_deployment,
        method=adapter_spec.method,
        task=task_key(run),
        scenario=spec.scenario_spec.class_name.rpartition(".")[2],
        title=find_scenario_title(spec.scenario_spec),
        groups=list(spec.groups),
    )
    if adapter_spec.image_generation_parameters is not None:
        found["makes_pictures"] = True


def _plain_coverage(coverage: Coverage) -> dict[str, Any]:
    requests = coverage.requests
    return {
        "asked": requests.asked,
        "answered": requests.answered,
        "empty": requests.empty,
        "failed": requests.failed,
        "filtered": requests.filtered,
        "unsent": requests.unsent,
        "cut": requests.cut_at_max_tokens,
        "truncated": requests.prompt_truncated,
        "status": requests.status,
        "text": coverage.describe(),
        **_plain_answers(coverage.answers),
    }


def _plain_answers(counts: AnswerCounts | None) -> dict[str, Any]:
    """Return what is wrong with the answers; nothing if nothing is."""
    if counts is None:
        return {}
    return {
        "cut_early": counts.cut_at_max_tokens,
        "cut_at_stop": counts.cut_at_stop,
        "refused": counts.refused,
        "thought_only": counts.empty_after_thinking,
        "unparsable": counts.unparsable,
        "warning": counts.warning,
    }


def _plain_stat(stat: Stat) -> StatRow | None:
    """Convert a statistic to a row; return None if it has no finite mean."""
    name, perturbation = stat.name, stat.name.perturbation
    if stat.mean is None or not math.isfinite(stat.mean):
        return None
    return [
        name.name, name.split, name.sub_split, None if perturbation is None else perturbation.name,
        None if perturbation is None else perturbation.computed_on, stat.mean, stat.count,
    ]  # fmt: skip


def _add_costs(run: RunResults, stats: Sequence[Stat], found: dict[str, Any]) -> None:
    """Add tokens and the time of a request, if the statistics have them; costs need prices, which the reader has."""
    from helm.results.run_files.run_reader import Run
    from helm.results.token_usage import get_token_usage

    if kind_of_run(run.run_spec) is not LANGUAGE_MODEL:
        return
    usage = get_token_usage(Run(run.path, run.run_spec, list(stats)))
    if usage is not None:
        found["tokens"] = [usage.prompt_tokens, usage.completion_tokens, usage.longest_mean_prompt]
    seconds = find_main_stat([row for stat in stats if (row := _plain_stat(stat)) is not None], _REQUEST_TIME, None)
    if seconds is not None:
        found["seconds"] = seconds[5]


def _main_scores(run: RunResults, rows: list[StatRow], catalogue: MetricCatalogue) -> list[dict[str, Any]]:
    try:
        choices: list[MetricChoice] = catalogue.choose(run, sorted({row[0] for row in rows}))
    except ConfigError:  # the main metric is unknown; the run's page shows all metrics
        return []
    found = []
    for choice in choices:
        row = find_main_stat(rows, choice.name, choice.split)
        if row is not None:
            found.append(
                {
                    "name": choice.name,
                    "split": row[1],
                    "sub_split": row[2],
                    "lower_is_better": choice.lower_is_better,
                    "is_ratio": choice.is_ratio,
                    "value": row[5],
                }
            )
    return found


def _find_units(run: RunResults, rows: Sequence[StatRow], catalogue: MetricCatalogue) -> dict[str, str]:
    """Return the units of scores by metric; metrics without a unit are omitted."""
    units = {name: catalogue.find_unit(name, run) for name in sorted({row[0] for row in rows}) if is_score(name)}
    return {name: unit for name, unit in units.items() if unit is not None}


def find_main_stat(stats: Sequence[StatRow], name: str, split: str | None) -> StatRow | None:
    """Return the unperturbed statistic of a metric: of its split, else of the first of `test`, `valid` and any other."""
    fitting = [row for row in stats if row[0] == name and row[3] is None]
    for wanted in (split,) if split else _SPLIT_ORDER:
        for row in fitting:
            if row[1] == wanted and row[2] is None:
                return row
    for row in fitting:
        if row[2] is None:
            return row
    return fitting[0] if fitting else None


def compute_run_facts(path: str, summary: Mapping[str, Any]) -> tuple[dict[str, Any], list[IntervalRow]]:
    """Compute what needs all instances of a run: intervals of scores, times of tools, programs of compilers.

    In the facts, `main` has the interval of each main score of the summary, in order, or None.

    A missing or damaged file is not an error: `problem` says what is wrong with it.
    """
    run = RunResults(path)
    details = _DETAILS.get(kind_of_method(str(summary.get("method"))).name)
    found: dict[str, Any] = {"main": []}
    rows: list[IntervalRow] = []
    try:
        if has_instances(run):
            for key, facts in get_score_facts(run, keep=False).items():
                estimate = estimate_from_facts(facts)
                rows.append(
                    [
                        key.name,
                        key.split,
                        key.sub_split,
                        key.perturbation,
                        estimate.value,
                        estimate.low,
                        estimate.high,
                        estimate.method,
                        estimate.count,
                        estimate.clusters,
                        estimate.standard_error,
                    ]  # fmt: skip
                )
        found["main"] = [find_interval(rows, main) for main in summary.get("main") or ()]
        if details is not None and SCENARIO_STATE_FILE_NAME in run.file_names:
            found[details[0]] = details[1](run)
        if COVERAGE_FILE_NAME not in run.file_names and SCENARIO_STATE_FILE_NAME in run.file_names:
            found["coverage"] = _plain_coverage(run.coverage())
    except Exception as e:  # as above
        found["problem"] = _describe_problem(e)
    return found, rows


def _describe_problem(error: Exception) -> str:
    return str(error) if isinstance(error, HelmError) else f"{type(error).__name__}: {error}"


def read_estimate(row: IntervalRow, value: float | None = None) -> Estimate:
    """Convert a row of intervals to an estimate. `value` is the score's own, which may differ in the last digits."""
    *_, found, low, high, method, count, clusters, error = row
    return Estimate(found if value is None else value, error, low, high, CONFIDENCE, method, count, clusters)


def find_interval(rows: Sequence[IntervalRow], score: Mapping[str, Any]) -> IntervalRow | None:
    """Return the interval of an unperturbed score; None if there is none, or if it belongs to another value."""
    wanted = (score["name"], score["split"], score["sub_split"], None)
    for row in rows:
        if tuple(row[:4]) == wanted and abs(row[4] - score["value"]) <= 1e-6 * max(1.0, abs(score["value"])):
            return row
    return None


def _workloads(run: RunResults) -> list[dict[str, Any]]:
    from helm.results.instance_values import iterate_states
    from helm.results.timings import read_workloads

    results = [state.result or {} for state in iterate_states(run)]
    found = []
    for workload, result in zip(read_workloads(run), results, strict=True):
        median = workload.median()
        found.append(
            {
                "id": workload.instance_id,
                "module": workload.module,
                "function": workload.function,
                "part": workload.part or workload.function,
                "description": workload.description,
                "size": workload.input_size,
                "runs": len(workload.times_s),
                "median": None if median is None else median.value,
                "low": None if median is None else median.low,
                "high": None if median is None else median.high,
                "status": str(result.get("status") or ("ok" if result.get("success") else "error")),
            }
        )
    return found


def _episodes(run: RunResults) -> list[dict[str, Any]]:
    from helm.results.instance_values import iterate_states

    found = []
    for state in iterate_states(run):
        request, result = state.request, state.result or {}
        initial, final = _object(result.get("initial_observations")), _object(result.get("observations"))
        rewards = [value for value in result.get("rewards") or [] if isinstance(value, (int, float))]
        found.append(
            {
                "id": str(state.instance.get("id")),
                "trial": state.train_trial_index,
                "benchmark": os.path.basename(str(request.get("benchmark", ""))) or str(request.get("benchmark", "")),
                "uri": str(request.get("benchmark", "")),
                "policy": _policy_name(request.get("policy")),
                "reward_space": str(request.get("reward_space", "")),
                "success": bool(result.get("success")),
                "status": str(result.get("status") or ""),
                "reward": math.fsum(rewards),
                "actions": [str(action) for action in result.get("actions") or []][:200],
                "num_actions": len(result.get("actions") or []),
                "tried": result.get("num_actions_tried"),
                "elapsed_s": result.get("elapsed_s"),
                "initial": {key: value for key, value in initial.items() if _is_number(value)},
                "final": {key: value for key, value in final.items() if _is_number(value)},
            }
        )
    return found


_DETAILS: Mapping[str, tuple[str, Callable[[RunResults], list[dict[str, Any]]]]] = {
    AD_TOOL.name: ("workloads", _workloads),
    COMPILER.name: ("episodes", _episodes),
}
"""The details of each instance on the pages of some kinds of subject."""


def _policy_name(policy: Any) -> str:
    if not isinstance(policy, dict):
        return ""
    args = policy.get("args") or {}
    shown = ", ".join(f"{key}={json.dumps(value)}" for key, value in args.items()) if isinstance(args, dict) else ""
    name = str(policy.get("class_name", "")).rpartition(".")[2]
    return f"{name}({shown[:200]})" if shown else name


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
