"""Scores computed by the library Unitxt."""

import re
from typing import Any

from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.answer_metric import first_completion_text
from helm.benchmark.metrics.metric import MetricInterface, MetricMetadata, MetricResult, PerInstanceStats
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat
from helm.common.errors import MetricError
from helm.common.hierarchical_logger import hwarn
from helm.common.optional_dependencies import needs_extra

_NOT_SCORES = ("score", "score_name")


def _get_numbers(scores: dict[str, Any]) -> list[tuple[str, float]]:
    """Return the values that are numbers, without `score`, which is a copy of another one."""
    return [(name, value) for name, value in scores.items() if name not in _NOT_SCORES and _is_number(value)]


def _is_number(value: Any) -> bool:
    return not isinstance(value, (str, bytes)) and hasattr(value, "__float__")


class UnitxtMetric(MetricInterface):
    """Passes the completions to Unitxt, together with the corresponding rows of its data set.

    The arguments are those of a Unitxt recipe (`card`, `template`, ...), or `recipe` with the whole of it. The id of
    every instance must be the split and the row, such as `test12`. Emits the instance scores and the global scores of
    Unitxt under their own names. Needs the extra `unitxt`. An instance without a completion is left out, with a
    warning.
    """

    ID_PATTERN = re.compile(r"([a-z]+)([0-9]+)")

    def __init__(self, **kwargs: Any):
        if not kwargs:
            raise MetricError("UnitxtMetric: name a recipe, or a card and a template.")
        is_recipe = list(kwargs) == ["recipe"]
        self.recipe = str(kwargs["recipe"]) if is_recipe else ",".join(f"{key}={kwargs[key]}" for key in kwargs)

    def evaluate(
        self, scenario_state: ScenarioState, metric_service: MetricService, eval_cache_path: str, parallelism: int
    ) -> MetricResult:
        with needs_extra("unitxt"):
            from unitxt import evaluate, load_dataset
        dataset = load_dataset(self.recipe)
        by_split: dict[str, list[tuple[str, str, Any]]] = {}
        num_skipped = 0
        for state in scenario_state.request_states:
            match = self.ID_PATTERN.fullmatch(state.instance.id or "")
            if match is None:
                raise MetricError(
                    f"UnitxtMetric: the id {state.instance.id!r} is not a split and row such as 'test12'."
                )
            answer = first_completion_text(state)
            if answer is None:
                num_skipped += 1
                continue
            split = "validation" if match.group(1) == "valid" else match.group(1)
            row = dataset[split][int(match.group(2))]
            by_split.setdefault(state.instance.split or split, []).append((state.instance.id or "", answer, row))
        if num_skipped:
            hwarn(f"UnitxtMetric: {num_skipped} instances have no completion.")
        totals: list[Stat] = []
        per_instance: list[PerInstanceStats] = []
        for split, rows in by_split.items():
            results = evaluate(predictions=[answer for _, answer, _ in rows], data=[row for _, _, row in rows])
            for (instance_id, _, _), result in zip(rows, results, strict=True):
                numbers = _get_numbers(result["score"]["instance"])
                stats = [Stat(MetricName(name, split=split)).add(float(value)) for name, value in numbers]
                per_instance.append(PerInstanceStats(instance_id, None, 0, stats))
            numbers = _get_numbers(results[0]["score"]["global"])
            totals += [Stat(MetricName(name, split=split)).add(float(value)) for name, value in numbers]
        return MetricResult(totals, per_instance)

    def get_metadata(self) -> list[MetricMetadata]:
        return []  # Unitxt reports the names only together with the scores
