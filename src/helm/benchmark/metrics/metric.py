"""The contract of metrics, and `Metric`, the base of those that score one generation at a time."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import List, Optional

from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat, merge_stat
from helm.common.object_spec import ObjectSpec, create_object
from helm.common.request import Request

__all__ = ["MetricName", "Stat", "merge_stat"]


@dataclass(frozen=True)
class PerInstanceStats:
    """What one metric found out about one instance in one trial."""

    instance_id: str

    perturbation: Optional[PerturbationDescription]

    train_trial_index: int

    stats: List[Stat]


@dataclass
class MetricResult:
    """What a metric gives for a whole run."""

    aggregated_stats: List[Stat]

    per_instance_stats: List[PerInstanceStats]


@dataclass(frozen=True)
class MetricMetadata:
    """How a metric is shown in tables."""

    name: str
    display_name: Optional[str] = None
    short_display_name: Optional[str] = None
    description: Optional[str] = None
    lower_is_better: Optional[bool] = None
    group: Optional[str] = None


class MetricInterface(ABC):
    """Computes statistics from the results of a run."""

    request_type: type = Request
    """The class of the requests it understands."""

    @abstractmethod
    def evaluate(
        self, scenario_state: ScenarioState, metric_service: MetricService, eval_cache_path: str, parallelism: int
    ) -> MetricResult:
        """`eval_cache_path` is an existing folder for intermediate files."""

    def get_metadata(self) -> List[MetricMetadata]:
        raise NotImplementedError(f"{type(self).__name__} gives no metadata")


@dataclass(frozen=True)
class MetricSpec(ObjectSpec):
    """Says how to make a metric."""

    __hash__ = ObjectSpec.__hash__


def create_metric(metric_spec: MetricSpec) -> MetricInterface:
    return create_object(metric_spec)
