"""Which metric of a run a comparison or a gate is about, and which way is better."""

import re
from dataclasses import dataclass, replace
from typing import Dict, Iterable, List, Optional, Sequence

from helm.benchmark.adaptation.adapter_spec import ADAPT_EVALUATE, EPISODE_METHODS
from helm.benchmark.metrics.worst_case import get_directions
from helm.common.errors import ConfigError, suggest
from helm.results.metric_names import CUSTOMARY_METRICS, is_ratio_metric
from helm.results.run_results import RunResults
from helm.results.schema import Schema, get_default_schema_path, read_schema

_CHOICE = re.compile(r"(?P<name>[^:@\s]+)(@(?P<perturbation>[^:\s]+))?(:(?P<split>\w+))?")


@dataclass(frozen=True)
class MetricChoice:
    """A metric with everything that says how to read it."""

    name: str

    split: Optional[str] = None
    """None: the only split that there is."""

    perturbation: Optional[str] = None
    """The worst case over perturbations of this name, or all that concern `robustness` or `fairness`; None: unperturbed."""

    lower_is_better: Optional[bool] = None
    """None: not known; then more is taken as better."""

    is_ratio: bool = False
    """A time, a size or a quotient, of which ratios and geometric means tell more than differences and means."""

    def __str__(self) -> str:
        return (
            self.name
            + (f"@{self.perturbation}" if self.perturbation else "")
            + (f":{self.split}" if self.split else "")
        )

    @property
    def arrow(self) -> str:
        return "" if self.lower_is_better is None else "↓" if self.lower_is_better else "↑"


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

    def __init__(self, schema_path: Optional[str] = None):
        self._schema: Schema = read_schema(schema_path or get_default_schema_path())
        self._directions: Dict[str, Dict[str, bool]] = {}

    def complete(self, choice: MetricChoice, run: RunResults) -> MetricChoice:
        """The choice with its direction and scale."""
        direction = choice.lower_is_better
        if direction is None:
            direction = self.find_direction(choice.name, run)
        return replace(choice, lower_is_better=direction, is_ratio=is_ratio_metric(choice.name))

    def find_direction(self, name: str, run: RunResults) -> Optional[bool]:
        """Whether lower is better, from the schema or from the metric's class; None when neither says."""
        base = name.split("@")[0]
        for candidate in (name, base):
            field = self._schema.name_to_metric.get(candidate)
            if field is not None and field.lower_is_better is not None:
                return field.lower_is_better
        found = self._directions_of(run)
        return found.get(name, found.get(base))

    def _directions_of(self, run: RunResults) -> Dict[str, bool]:
        found: Dict[str, bool] = {}
        for spec in run.run_spec.metric_specs:
            if spec.class_name not in self._directions:
                self._directions[spec.class_name] = _read_directions(spec)
            found.update(self._directions[spec.class_name])
        return found

    def choose(self, run: RunResults, names: Sequence[str]) -> List[MetricChoice]:
        """The main metrics of a run, of those that its instances have values for.

        Those that the schema names for its groups; for AD tools whether they were right and how long they took.
        Raises: ConfigError when there is none, with the names to choose from.
        """
        candidates: List[MetricChoice] = []
        if run.run_spec.adapter_spec.method == ADAPT_EVALUATE:
            times = [MetricChoice(name) for name in ("primal_time_s", "derivative_time_s") if name in names]
            candidates = [MetricChoice("solved"), *(times or [MetricChoice("evaluate_time_s")])]
        elif run.run_spec.adapter_spec.method in EPISODE_METHODS:
            candidates = [MetricChoice("instruction_count_reduction_oz"), MetricChoice("object_text_size_reduction_oz")]
            candidates = [choice for choice in candidates if choice.name in names][:1] or [
                MetricChoice("episode_reward")
            ]
        else:
            candidates = self._main_metrics(run) or [MetricChoice(name) for name in CUSTOMARY_METRICS]
            candidates = [choice for choice in candidates if choice.name in names][:1]
        found = [self.complete(choice, run) for choice in candidates if choice.name in names]
        if not found:
            raise ConfigError(
                f"{run.name}: no schema says which is the main metric. Name one with --metric, for example "
                f"{', '.join(sorted(names)[:8]) or 'none: the run has no scores of single instances'}."
            )
        return found

    def _main_metrics(self, run: RunResults) -> List[MetricChoice]:
        found = []
        for group in run.run_spec.groups:
            environment = getattr(self._schema.name_to_run_group.get(group), "environment", None) or {}
            if "main_name" in environment:
                found.append(MetricChoice(environment["main_name"], environment.get("main_split")))
                if environment["main_name"] == "quasi_exact_match":  # HELM: stands in where the other is missing
                    found.append(MetricChoice("exact_match", environment.get("main_split")))
        return found


def _read_directions(spec: object) -> Dict[str, bool]:
    from helm.common.object_spec import create_object

    try:
        return get_directions(create_object(spec).get_metadata())  # type: ignore[arg-type]
    except Exception:  # the class is a plugin's or asks for a missing package: it says nothing, whatever it raises
        return {}


def unknown_metric(choice: MetricChoice, names: Iterable[str], label: str) -> ConfigError:
    """The error for a metric that a run has no values for."""
    known = sorted(set(names))
    return ConfigError(
        f"{label} has no scores of single instances named '{choice.name}'.{suggest(choice.name, known)} "
        f"It has {', '.join(known) or 'none'}."
    )
