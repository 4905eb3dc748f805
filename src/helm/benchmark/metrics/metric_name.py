"""Identifies a statistic by a name and the context in which it was computed."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.common.codec import register_renderer, render_dataclass_json

if TYPE_CHECKING:
    from helm.benchmark.scenarios.scenario import Instance


@dataclass(frozen=True)
class MetricName:
    """Names are equal if all four fields are; the hash is computed once, because names are looked up very often."""

    name: str
    """The metric, for example `exact_match`."""

    split: str | None = None
    """`train`, `valid` or `test`; None for statistics over all splits."""

    sub_split: str | None = None

    perturbation: PerturbationDescription | None = None

    def __hash__(self) -> int:
        try:
            return self.__dict__["_hash"]
        except KeyError:
            value = hash((self.name, self.split, self.sub_split, self.perturbation))
            self.__dict__["_hash"] = value
            return value

    def __getstate__(self) -> dict:
        """Return the state without cached values: hashes of texts differ between processes."""
        return {"name": self.name, "split": self.split, "sub_split": self.sub_split, "perturbation": self.perturbation}


def _render(name: MetricName, newline: str) -> str:
    """Return the name's JSON, cached in the name by indentation (which begins with a newline)."""
    remembered = name.__dict__
    text = remembered.get(newline)
    if text is None:
        text = remembered[newline] = render_dataclass_json(name, newline)
    return text


register_renderer(MetricName, _render)


@dataclass(frozen=True)
class MetricContext:
    """The part of a metric name that comes from the instance."""

    split: str | None = None
    sub_split: str | None = None
    perturbation: PerturbationDescription | None = None

    @classmethod
    def from_instance(cls, instance: "Instance") -> "MetricContext":
        return cls(split=instance.split, sub_split=instance.sub_split, perturbation=instance.perturbation)

    @classmethod
    def from_metric_name(cls, metric_name: MetricName) -> "MetricContext":
        return cls(metric_name.split, metric_name.sub_split, metric_name.perturbation)
