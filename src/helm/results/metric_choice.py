"""Selects the metric of a run for a comparison or a gate, and determines which direction is better."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

from helm.benchmark.metrics.metric import MetricMetadata
from helm.benchmark.metrics.worst_case import get_directions
from helm.benchmark.subjects import kind_of_run
from helm.common.errors import ConfigError, suggest
from helm.common.object_spec import ObjectSpec
from helm.results.board import BoardColumn
from helm.results.function_metrics import FUNCTION_METRIC, function_metrics
from helm.results.main_metric import iterate_main_metrics
from helm.results.metric_labels import find_metric_label, find_unit
from helm.results.metric_names import is_ratio_metric
from helm.results.run_results import RunResults
from helm.results.schema import Schema, get_default_schema_path, get_unit, read_schema

_CHOICE = re.compile(r"(?P<name>[^:@\s]+)(@(?P<perturbation>[^:\s]+))?(:(?P<split>\w+))?")


@dataclass(frozen=True)
class MetricChoice(BoardColumn):
    """A metric with everything needed to interpret it."""

    name: str

    split: str | None = None
    """The split; None means the only one."""

    perturbation: str | None = None
    """Selects the worst case over perturbations of this name, or all for `robustness` or `fairness`, if not None."""

    lower_is_better: bool | None = None
    """Whether lower is better; None if unknown, which counts as higher is better."""

    is_ratio: bool = False
    """Whether it is a time, a size or a quotient, for which ratios and geometric means are more meaningful."""

    unit: str | None = None
    """The unit of the values; see `helm.common.formats.number_text`."""

    def __str__(self) -> str:
        return (
            self.name
            + (f"@{self.perturbation}" if self.perturbation else "")
            + (f":{self.split}" if self.split else "")
        )


def parse_metric_choice(text: str) -> MetricChoice:
    """Parse `NAME[@PERTURBATION][:SPLIT]`, for example `exact_match`, `exact_match@robustness`, `f1_score:valid`.

    Raises ConfigError for anything else.
    """
    match = _CHOICE.fullmatch(text)
    if match is None:
        raise ConfigError(f"'{text}' is not a metric: expected NAME, NAME@PERTURBATION, NAME:SPLIT or all three.")
    return MetricChoice(match["name"], match["split"], match["perturbation"])


class MetricCatalogue:
    """The properties of metrics from schemas and metric classes.

    Args:
        schema_path: the display schema; None means the package's own.
    """

    def __init__(self, schema_path: str | None = None):
        self._is_schema_given = schema_path is not None
        self._schema: Schema = read_schema(schema_path or get_default_schema_path())
        self._metadata: dict[ObjectSpec, list[MetricMetadata]] = {}
        """The metadata of the metrics that a spec names."""

    def complete(self, choice: MetricChoice, run: RunResults) -> MetricChoice:
        """Return the choice completed by direction, unit and scale."""
        direction = choice.lower_is_better
        if direction is None:
            direction = self.find_direction(choice.name, run)
        is_ratio, unit = is_ratio_metric(choice.name), self.find_unit(choice.name, run)
        return replace(choice, lower_is_better=direction, is_ratio=is_ratio, unit=unit)

    def find_direction(self, name: str, run: RunResults) -> bool | None:
        """Return whether lower is better, from the schema or the metric's class; None if neither declares it."""
        base = name.split("@")[0]
        for function in function_metrics(run.run_spec):
            if function.name == base:
                return function.lower_is_better
        for candidate in (name, base):
            field = self._schema.name_to_metric.get(candidate)
            if field is not None and field.lower_is_better is not None:
                return field.lower_is_better
        found = get_directions(self._metadata_of(run))
        return found.get(name, found.get(base))

    def find_unit(self, name: str, run: RunResults) -> str | None:
        """Return the unit of a metric, from the schema, or from its class if no schema defines it; None if unknown."""
        base = name.split("@")[0]
        for function in function_metrics(run.run_spec):
            if function.name == base:
                return function.unit
        known = self._schema.name_to_metric.get(name) or self._schema.name_to_metric.get(base)
        if known is not None or find_metric_label(base) is not None:
            return get_unit(known) if known is not None else find_unit(base)
        fitting = [found for found in self._metadata_of(run) if fnmatchcase(base, found.name)]
        return max(fitting, key=lambda found: found.name == base).unit if fitting else None

    def _metadata_of(self, run: RunResults) -> list[MetricMetadata]:
        found: list[MetricMetadata] = []
        for spec in run.run_spec.metric_specs:
            if spec.class_name == FUNCTION_METRIC:  # the run spec says all that there is to know
                continue
            if spec not in self._metadata:
                self._metadata[spec] = _read_metadata(spec)
            found += self._metadata[spec]
        return found

    def choose(self, run: RunResults, names: Sequence[str]) -> list[MetricChoice]:
        """Return the main metrics of a run, among those with values for its instances.

        They are those of its kind of subject, or else the first of `iterate_main_metrics`.
        Raises ConfigError if there is none, with the names to choose from.
        """
        main_scores = kind_of_run(run.run_spec).main_scores
        if main_scores:
            candidates = [MetricChoice(name) for choice in main_scores for name in _first_present(choice, names)]
        else:
            main = iterate_main_metrics(run.run_spec, self._find_environment, self._is_schema_given)
            candidates = [MetricChoice(name, split) for name, split in main if name in names][:1]
        found = [self.complete(choice, run) for choice in candidates]
        if not found:
            raise ConfigError(
                f"{run.name}: no schema says which is the main metric. Name one with --metric, for example "
                f"{', '.join(sorted(names)[:8]) or 'none: the run has no scores of single instances'}."
            )
        return found

    def _find_environment(self, group: str) -> Mapping[str, Any]:
        return getattr(self._schema.name_to_run_group.get(group), "environment", None) or {}


def _first_present(alternatives: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the metrics of the first alternative with at least one present; see `SubjectKind.main_scores`."""
    for alternative in alternatives:
        found = [name for name in alternative.split() if name in names]
        if found:
            return found
    return []


def _read_metadata(spec: ObjectSpec) -> list[MetricMetadata]:
    from helm.benchmark.metrics.metric import MetricInterface
    from helm.common.object_spec import create_described_object

    try:
        return list(create_described_object(spec, MetricInterface).get_metadata())
    except Exception:  # plugins' classes may raise anything, and packages may be missing: no metadata
        return []


def unknown_metric(choice: MetricChoice, names: Iterable[str], label: str) -> ConfigError:
    """Return the error for a metric without values in a run."""
    known = sorted(set(names))
    return ConfigError(
        f"{label} has no scores of single instances named '{choice.name}'.{suggest(choice.name, known)} "
        f"It has {', '.join(known) or 'none'}."
    )
