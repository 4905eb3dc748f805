"""Which metric of a run a comparison or a gate is about, and which way is better."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from helm.benchmark.metrics.metric import MetricMetadata
from helm.benchmark.metrics.worst_case import get_directions
from helm.benchmark.subjects import kind_of_run
from helm.common.errors import ConfigError, suggest
from helm.results.board import BoardColumn
from helm.results.metric_labels import find_metric_label, find_unit
from helm.results.metric_names import CUSTOMARY_METRICS, is_ratio_metric
from helm.results.run_results import RunResults
from helm.results.schema import Schema, get_default_schema_path, get_unit, read_schema

_CHOICE = re.compile(r"(?P<name>[^:@\s]+)(@(?P<perturbation>[^:\s]+))?(:(?P<split>\w+))?")


@dataclass(frozen=True)
class MetricChoice(BoardColumn):
    """A metric with everything that says how to read it."""

    name: str

    split: str | None = None
    """None: the only split that there is."""

    perturbation: str | None = None
    """The worst case over perturbations of this name, or all that concern `robustness` or `fairness`; None: unperturbed."""

    lower_is_better: bool | None = None
    """None: not known; then more is taken as better."""

    is_ratio: bool = False
    """A time, a size or a quotient, of which ratios and geometric means tell more than differences and means."""

    unit: str | None = None
    """Of the values; see `helm.common.formats.number_text`."""

    def __str__(self) -> str:
        return (
            self.name
            + (f"@{self.perturbation}" if self.perturbation else "")
            + (f":{self.split}" if self.split else "")
        )


def parse_metric_choice(text: str) -> MetricChoice:
    """`NAME[@PERTURBATION][:SPLIT]`, for example `exact_match`, `exact_match@robustness`, `f1_score:valid`.

    Raises: ConfigError for anything else.
    """
    match = _CHOICE.fullmatch(text)
    if match is None:
        raise ConfigError(f"'{text}' is no metric: expected NAME, NAME@PERTURBATION, NAME:SPLIT or all three.")
    return MetricChoice(match["name"], match["split"], match["perturbation"])


class MetricCatalogue:
    """What schemas and metric classes say of metrics.

    Args:
        schema_path: the display schema; None: the one that comes with the package.
    """

    def __init__(self, schema_path: str | None = None):
        self._schema: Schema = read_schema(schema_path or get_default_schema_path())
        self._metadata: dict[str, list[MetricMetadata]] = {}
        """What the metric classes of a path say of their metrics."""

    def complete(self, choice: MetricChoice, run: RunResults) -> MetricChoice:
        """The choice with its direction, unit and scale."""
        direction = choice.lower_is_better
        if direction is None:
            direction = self.find_direction(choice.name, run)
        is_ratio, unit = is_ratio_metric(choice.name), self.find_unit(choice.name, run)
        return replace(choice, lower_is_better=direction, is_ratio=is_ratio, unit=unit)

    def find_direction(self, name: str, run: RunResults) -> bool | None:
        """Whether lower is better, from the schema or from the metric's class; None when neither says."""
        base = name.split("@")[0]
        for candidate in (name, base):
            field = self._schema.name_to_metric.get(candidate)
            if field is not None and field.lower_is_better is not None:
                return field.lower_is_better
        found = get_directions(self._metadata_of(run))
        return found.get(name, found.get(base))

    def find_unit(self, name: str, run: RunResults) -> str | None:
        """The unit of a metric, from the schema, or from its class where no schema defines it; None when nothing says."""
        base = name.split("@")[0]
        known = self._schema.name_to_metric.get(name) or self._schema.name_to_metric.get(base)
        if known is not None or find_metric_label(base) is not None:
            return get_unit(known) if known is not None else find_unit(base)
        fitting = [found for found in self._metadata_of(run) if fnmatchcase(base, found.name)]
        return max(fitting, key=lambda found: found.name == base).unit if fitting else None

    def _metadata_of(self, run: RunResults) -> list[MetricMetadata]:
        found: list[MetricMetadata] = []
        for spec in run.run_spec.metric_specs:
            if spec.class_name not in self._metadata:
                self._metadata[spec.class_name] = _read_metadata(spec)
            found += self._metadata[spec.class_name]
        return found

    def choose(self, run: RunResults, names: Sequence[str]) -> list[MetricChoice]:
        """The main metrics of a run, of those that its instances have values for.

        Those that the kind of its subject names; else the one that the schema names for its groups.
        Raises: ConfigError when there is none, with the names to choose from.
        """
        main_scores = kind_of_run(run.run_spec).main_scores
        if main_scores:
            candidates = [MetricChoice(name) for choice in main_scores for name in _first_present(choice, names)]
        else:
            candidates = self._main_metrics(run) or [MetricChoice(name) for name in CUSTOMARY_METRICS]
            candidates = [choice for choice in candidates if choice.name in names][:1]
        found = [self.complete(choice, run) for choice in candidates]
        if not found:
            raise ConfigError(
                f"{run.name}: no schema says which is the main metric. Name one with --metric, for example "
                f"{', '.join(sorted(names)[:8]) or 'none: the run has no scores of single instances'}."
            )
        return found

    def _main_metrics(self, run: RunResults) -> list[MetricChoice]:
        found = []
        for group in run.run_spec.groups:
            environment = getattr(self._schema.name_to_run_group.get(group), "environment", None) or {}
            if "main_name" in environment:
                found.append(MetricChoice(environment["main_name"], environment.get("main_split")))
                if environment["main_name"] == "quasi_exact_match":  # HELM: stands in where the other is missing
                    found.append(MetricChoice("exact_match", environment.get("main_split")))
        return found


def _first_present(alternatives: Sequence[str], names: Sequence[str]) -> list[str]:
    """The metrics of the first alternative of which there is one; see `SubjectKind.main_scores`."""
    for alternative in alternatives:
        found = [name for name in alternative.split() if name in names]
        if found:
            return found
    return []


def _read_metadata(spec: object) -> list[MetricMetadata]:
    from helm.common.object_spec import create_object

    try:
        return list(create_object(spec).get_metadata())  # type: ignore[arg-type]
    except Exception:  # the class is a plugin's or asks for a missing package: it says nothing, whatever it raises
        return []


def unknown_metric(choice: MetricChoice, names: Iterable[str], label: str) -> ConfigError:
    """The error for a metric that a run has no values for."""
    known = sorted(set(names))
    return ConfigError(
        f"{label} has no scores of single instances named '{choice.name}'.{suggest(choice.name, known)} "
        f"It has {', '.join(known) or 'none'}."
    )
