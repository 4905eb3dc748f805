"""What a statistic is of: a name, and the context it was computed in."""

from dataclasses import dataclass
from typing import Optional

from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.common.codec import cache_json_when


@cache_json_when(lambda name: name.perturbation is None)
@dataclass(frozen=True)
class MetricName:
    """Equal when all four fields are; the hash is computed once, because names are looked up very often."""

    name: str
    """For example `exact_match`."""

    split: Optional[str] = None
    """`train`, `valid` or `test`; None for statistics over all splits."""

    sub_split: Optional[str] = None

    perturbation: Optional[PerturbationDescription] = None

    def __hash__(self) -> int:
        try:
            return self.__dict__["_hash"]
        except KeyError:
            value = hash((self.name, self.split, self.sub_split, self.perturbation))
            self.__dict__["_hash"] = value
            return value

    def __getstate__(self) -> dict:
        return {key: value for key, value in self.__dict__.items() if key != "_hash"}


@dataclass(frozen=True)
class MetricContext:
    """The part of a metric name that comes from the instance."""

    split: Optional[str] = None
    sub_split: Optional[str] = None
    perturbation: Optional[PerturbationDescription] = None

    @classmethod
    def from_instance(cls, instance) -> "MetricContext":  # type: ignore[no-untyped-def]
        return cls(split=instance.split, sub_split=instance.sub_split, perturbation=instance.perturbation)

    @classmethod
    def from_metric_name(cls, metric_name: MetricName) -> "MetricContext":
        return cls(metric_name.split, metric_name.sub_split, metric_name.perturbation)
