"""Robustness as defined by ToRR: how much a model's score on an instance varies between runs that differ only in form.

Use it with `helm-summarize --summarizer-class-name
helm.benchmark.presentation.torr_robustness_summarizer.ToRRRobustnessSummarizer` and a schema whose run groups show the
metric groups `performance_metrics` (one metric) and `robustness_metrics` (the metric `robustness`).
"""

from collections.abc import Sequence

from helm.benchmark.presentation.contamination import Contamination
from helm.benchmark.presentation.run_display import read_instance_scores
from helm.benchmark.presentation.summarize import Summarizer
from helm.benchmark.presentation.table import Cell
from helm.benchmark.presentation.tables.group_tables import GroupTables, RunIndex
from helm.common.errors import ConfigError
from helm.results.run_files.run_folder import PER_INSTANCE_STATS_FILE_NAME, stored_path
from helm.results.run_files.run_reader import Run
from helm.results.schema import MetricNameMatcher, RunGroup, Schema, fill_matchers

PERFORMANCE_METRIC_GROUP = "performance_metrics"
ROBUSTNESS_METRIC_GROUP = "robustness_metrics"
ROBUSTNESS_METRIC = "robustness"


class RobustnessTables(GroupTables):
    """Builds tables whose `robustness` is computed from the runs' scores of single instances.

    It is the mean, over the instances of a group, of 1 - (highest - lowest score among the model's runs in the group).
    It is in [0, 1] for scores in [0, 1], and 1 is best. Perturbed instances are left out.
    """

    def __init__(
        self, schema: Schema, index: RunIndex, verbose: bool = False, contamination: Contamination | None = None
    ):
        super().__init__(schema, index, verbose, contamination)
        self._robustness: dict[tuple[str, str], float | None] = {}

    def _cell(
        self, runs: Sequence[Run], group: RunGroup, matcher: MetricNameMatcher, table_name: str, with_runs: bool
    ) -> Cell:
        cell = super()._cell(runs, group, matcher, table_name, with_runs)
        if matcher.name != ROBUSTNESS_METRIC or ROBUSTNESS_METRIC_GROUP not in group.metric_groups or not runs:
            return cell
        value = self._get_robustness(group, runs[0].run_spec.adapter_spec.model_deployment)
        if value is None:
            return cell
        cell.value, cell.description, cell.style = value, str(value), {}
        if with_runs:
            cell.run_spec_names = list(dict.fromkeys(run.run_spec.name for run in runs))
        return cell

    def _get_robustness(self, group: RunGroup, deployment: str) -> float | None:
        key = (group.name, deployment)
        if key not in self._robustness:
            runs: list[Run] = []
            for adapter_spec, found in self.index.adapter_to_runs(group.name).items():
                if adapter_spec.model_deployment == deployment:
                    runs.extend(self.visible_runs(found, group))
            self._robustness[key] = compute_robustness(runs, self._get_performance_matcher(group))
        return self._robustness[key]

    def _get_performance_matcher(self, group: RunGroup) -> MetricNameMatcher:
        metric_group = self.schema.name_to_metric_group.get(PERFORMANCE_METRIC_GROUP)
        if metric_group is None or PERFORMANCE_METRIC_GROUP not in group.metric_groups:
            raise ConfigError(
                f"Run group '{group.name}' shows {ROBUSTNESS_METRIC_GROUP}, so it must show a metric group "
                f"'{PERFORMANCE_METRIC_GROUP}' too: the robustness shown is that of its metric."
            )
        if len(metric_group.metrics) != 1:
            raise ConfigError(
                f"Metric group '{PERFORMANCE_METRIC_GROUP}' must have one metric, whose robustness is shown; "
                f"it has {len(metric_group.metrics)}."
            )
        (matcher,) = fill_matchers(group, metric_group)
        return matcher


def compute_robustness(runs: Sequence[Run], matcher: MetricNameMatcher) -> float | None:
    """Return the mean over instances of 1 - (highest - lowest score); None if no run has a score.

    Raises: RunFileError, OSError for runs without `per_instance_stats.json`.
    """
    scores: dict[str, list[float]] = {}
    for run in runs:
        path = stored_path(run.run_path, PER_INSTANCE_STATS_FILE_NAME)
        for instance_id, value in read_instance_scores(path, matcher.name, matcher.split).items():
            scores.setdefault(instance_id, []).append(value)
    if not scores:
        return None
    return sum(1 - (max(values) - min(values)) for values in scores.values()) / len(scores)


class ToRRRobustnessSummarizer(Summarizer):
    """A Summarizer whose tables show the robustness of ToRR."""

    PERFORMANCE_METRIC_GROUP_NAME = PERFORMANCE_METRIC_GROUP
    ROBUSTNESS_METRIC_GROUP_NAME = ROBUSTNESS_METRIC_GROUP
    ROBUSTNESS_METRIC_NAME = ROBUSTNESS_METRIC

    def create_tables(self) -> GroupTables:
        return RobustnessTables(self.schema, self.index, self.verbose, self.contamination)
