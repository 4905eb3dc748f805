"""Results of tasks of lm-evaluation-harness in that program's own form, with the scores of their groups."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from helm.benchmark.lm_eval.metric import suffix_of
from helm.benchmark.lm_eval.run_spec import METRIC, metric_names
from helm.benchmark.lm_eval.task_library import Group, TaskLibrary
from helm.benchmark.lm_eval.worker.measures import LOWER_IS_BETTER
from helm.results.run_results import ResultsError, RunResults
from helm.results.statistics.intervals import MeanFacts, combine_means, estimate_from_facts, gather_mean


@dataclass
class TaskScores:
    """The scores of one task, as `(metric, filter)`."""

    task: str

    config: dict[str, Any]

    num_fewshot: int

    size: int
    """The number of documents that were scored."""

    values: dict[tuple[str, str], float] = field(default_factory=dict)

    facts: dict[tuple[str, str], MeanFacts] = field(default_factory=dict)
    """Of scores that are means over documents."""

    higher_is_better: dict[str, bool] = field(default_factory=dict)


def read_task_scores(run: RunResults) -> TaskScores:
    """Return the scores of a run. Raises: ResultsError if it is not a task of lm-evaluation-harness."""
    spec = next((one for one in run.run_spec.metric_specs if one.class_name == METRIC), None)
    if spec is None:
        raise ResultsError(f"{run.folder_name} is no task of lm-evaluation-harness")
    args, config = spec.args or {}, (spec.args or {})["config"]
    filters = [str(item.get("name", "none")) for item in config.get("filter_list") or []] or ["none"]
    suffixes = {name: suffix_of(name) if len(filters) > 1 else "" for name in filters}
    means = {
        stat.name.name: stat.mean for stat in run.stats() if stat.name.perturbation is None and stat.mean is not None
    }
    each: dict[str, list[float]] = {}
    size = 0
    for instance in run.iterate_per_instance_stats():
        if instance.perturbation is not None:
            continue
        known = {stat.name.name: stat.mean for stat in instance.stats}
        size += known.get("no_completion") == 0
        for name, value in known.items():
            if value is not None:
                each.setdefault(name, []).append(value)
    scenario = run.run_spec.scenario_spec.args or {}
    scores = TaskScores(str(args["task"]), config, int(scenario.get("num_fewshot", 0)), size)
    for name in _score_names(config, means, suffixes.values()):
        for filter_name, suffix in suffixes.items():
            value = means.get(name + suffix)
            if value is None:
                continue
            scores.values[name, filter_name] = value
            found = gather_mean(each.get(name + suffix, []))
            if found is not None and math.isclose(found.mean, value, rel_tol=1e-9, abs_tol=1e-12):
                scores.facts[name, filter_name] = found
    for item in config.get("metric_list") or []:
        if isinstance(item.get("metric"), str):
            better = item.get("higher_is_better", item["metric"] not in LOWER_IS_BETTER)
            scores.higher_is_better[item["metric"]] = bool(better)
    return scores


def _score_names(config: dict[str, Any], means: dict[str, float], suffixes: Iterable[str]) -> list[str]:
    """Return the names of scores: those that the task lists, else whatever its code has given."""
    listed = [name for name in metric_names(config) if any(name + suffix in means for suffix in suffixes)]
    return listed or [name for name in means if name != "no_completion"]


def make_results(runs: Sequence[RunResults], library: TaskLibrary | None) -> dict[str, Any]:
    """Return the results of one model as lm-evaluation-harness writes them.

    Args:
        library: says which groups there are. A group is there if all of its tasks are. None: no groups.

    A group has, besides, the 95% interval of each score (`acc_interval,none`), from the errors of its tasks' scores.
    """
    tasks = {scores.task: scores for scores in map(read_task_scores, runs)}
    results = {name: _task_result(scores) for name, scores in tasks.items()}
    groups: dict[str, Any] = {}
    members: dict[str, list[str]] = {}
    for name, group in sorted(library.groups.items()) if library is not None else ():
        found = _members(library, name) if library is not None else []
        if found and all(one in tasks for one in found):
            groups[name] = {"alias": name, **group_scores(group, [tasks[one] for one in found])}
            members[name] = found
    model = runs[0].run_spec.adapter_spec.model if runs else ""
    return {
        "results": {**results, **groups},
        "groups": groups,
        "group_subtasks": {**{name: [] for name in tasks}, **members},
        "configs": {name: scores.config for name, scores in tasks.items()},
        "versions": {
            name: (scores.config.get("metadata") or {}).get("version", "Yaml") for name, scores in tasks.items()
        },
        "n-shot": {name: scores.num_fewshot for name, scores in tasks.items()},
        "higher_is_better": {name: scores.higher_is_better for name, scores in tasks.items()},
        "n-samples": {name: {"original": scores.size, "effective": scores.size} for name, scores in tasks.items()},
        "config": {"model": model, "model_args": {}},
    }


def _members(library: TaskLibrary, name: str) -> list[str]:
    from helm.benchmark.declarative.lm_eval_task import LMEvalTaskError

    try:
        return [one.name for one in library.expand(name)]
    except LMEvalTaskError:  # a group that names what is not there
        return []


def _task_result(scores: TaskScores) -> dict[str, Any]:
    result: dict[str, Any] = {"alias": scores.task}
    for (metric, filter_name), value in scores.values.items():
        result[f"{metric},{filter_name}"] = value
        facts = scores.facts.get((metric, filter_name))
        error = math.sqrt(facts.variance) if facts is not None and facts.variance is not None else "N/A"
        result[f"{metric}_stderr,{filter_name}"] = error
    return result


def group_scores(group: Group, tasks: Sequence[TaskScores]) -> dict[str, Any]:
    """Return the scores of a group: the mean of those of its tasks, weighted by their sizes unless the group says otherwise."""
    found: dict[str, Any] = {}
    for item in group.aggregates:
        metric = str(item.get("metric"))
        listed = item.get("filter_list") or "none"
        for filter_name in listed if isinstance(listed, list) else [listed]:
            parts = [(one, one.values[metric, filter_name]) for one in tasks if (metric, filter_name) in one.values]
            if not parts:
                continue
            weights = [float(one.size) if item.get("weight_by_size", True) else 1.0 for one, _ in parts]
            total = math.fsum(weights)
            pairs = zip(weights, parts, strict=True)
            found[f"{metric},{filter_name}"] = math.fsum(weight * value for weight, (_, value) in pairs) / total
            facts = [one.facts.get((metric, filter_name)) for one, _ in parts]
            known = [one for one in facts if one is not None]
            combined = combine_means(list(zip(weights, known, strict=True))) if len(known) == len(parts) else None
            if combined is None or combined.variance is None:
                found[f"{metric}_stderr,{filter_name}"] = "N/A"
                continue
            interval = estimate_from_facts(combined)
            found[f"{metric}_stderr,{filter_name}"] = math.sqrt(combined.variance)
            found[f"{metric}_interval,{filter_name}"] = [interval.low, interval.high]
    return found
