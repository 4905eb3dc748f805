"""A metric whose values were imported from the log of another program."""

from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.metric import MetricInterface, MetricMetadata, MetricResult
from helm.benchmark.metrics.metric_service import MetricService
from helm.common.errors import MetricError

IMPORTED_METRIC = "helm.benchmark.metrics.imported_metric.ImportedMetric"
"""The class path in the run specs of imported runs."""


class ImportedMetric(MetricInterface):
    """Describes an imported score, which cannot be computed here.

    Args:
        name: the name of the score.
        source: the program that computed it.
        lower_is_better: the direction; None if unknown, which counts as higher is better.
        unit: the unit of the values; None if they have none or it is unknown.
    """

    request_type = object

    def __init__(self, name: str, source: str, lower_is_better: bool | None = None, unit: str | None = None):
        self._name, self._source, self._lower_is_better, self._unit = name, source, lower_is_better, unit

    def evaluate(
        self, scenario_state: ScenarioState, metric_service: MetricService, eval_cache_path: str, parallelism: int
    ) -> MetricResult:
        """Raise MetricError: only the other program can compute it."""
        raise MetricError(
            f"'{self._name}' was computed by {self._source} and imported, so it cannot be computed again here. "
            f"Score the log with {self._source} and import it again with helm-import."
        )

    def get_metadata(self) -> list[MetricMetadata]:
        return [
            MetricMetadata(
                self._name,
                display_name=self._name,
                description=f"As {self._source} computed it.",
                lower_is_better=self._lower_is_better,
                unit=self._unit,
            )
        ]
