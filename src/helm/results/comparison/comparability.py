"""Checks whether two runs may be compared: the same instances, the same prompts, the same metrics."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from helm.benchmark.specs import EpochSpec, MetricSpec
from helm.results.instance_values import AskedFacts, read_asked_facts
from helm.results.run_results import RunResults

INSTANCES = "instances"
PROMPTS = "prompts"
METRICS = "metrics"
KINDS = (INSTANCES, PROMPTS, METRICS)

_SUBJECT_FIELDS = frozenset(("model", "model_deployment"))
_MAX_SHOWN = 3


@dataclass(frozen=True)
class Mismatch:
    """One reason why two runs do not measure the same thing."""

    kind: str
    """`instances`, `prompts` or `metrics`."""

    message: str


@dataclass
class Comparability:
    """The differences between two runs."""

    mismatches: list[Mismatch] = field(default_factory=list)
    """Reasons against a comparison."""

    notes: list[str] = field(default_factory=list)
    """Differences that a reader should know about; they may be the subject of the comparison."""


def check_comparable(
    first: RunResults, second: RunResults, asked: dict[str, AskedFacts], labels: tuple[str, str]
) -> Comparability:
    """Compare the run specs and all requests.

    Args:
        asked: the requests by path of the run; filled as needed, so that each run is read once.
        labels: the names of the runs in messages.

    Raises:
        RunFileError: A file is missing or damaged.
    """
    found = Comparability()
    _check_scenarios(first, second, found)
    if found.mismatches:  # the rest would differ as well
        return found
    _check_asked(
        _get_asked(first, asked), _get_asked(second, asked), labels, found, _adapter_differences(first, second)
    )
    _check_metrics(first.run_spec.metric_specs, second.run_spec.metric_specs, labels, found)
    _check_epochs(first.run_spec.epochs, second.run_spec.epochs, labels, found)
    if first.run_spec.annotators != second.run_spec.annotators:
        found.mismatches.append(Mismatch(METRICS, "the annotators (judges, parsers) are not the same"))
    return found


def _get_asked(run: RunResults, asked: dict[str, AskedFacts]) -> AskedFacts:
    if run.path not in asked:
        asked[run.path] = read_asked_facts(run)
    return asked[run.path]


def _check_scenarios(first: RunResults, second: RunResults, found: Comparability) -> None:
    a, b = first.run_spec.scenario_spec, second.run_spec.scenario_spec
    if a.class_name != b.class_name:
        found.mismatches.append(Mismatch(INSTANCES, f"the scenarios are {a.class_name} and {b.class_name}"))
    elif a.args != b.args:
        found.notes.append(f"arguments of the scenario differ: {_describe_difference(a.args, b.args)}")


def _describe_difference(a: dict[str, Any], b: dict[str, Any]) -> str:
    names = [name for name in {**a, **b} if a.get(name) != b.get(name)]
    return ", ".join(f"{name} {a.get(name)!r} and {b.get(name)!r}" for name in names)


def _adapter_differences(first: RunResults, second: RunResults) -> dict[str, tuple[Any, Any]]:
    a, b = first.run_spec.adapter_spec, second.run_spec.adapter_spec
    pairs = {item.name: (getattr(a, item.name), getattr(b, item.name)) for item in fields(a)}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1] and name not in _SUBJECT_FIELDS}


def _check_asked(
    a: AskedFacts, b: AskedFacts, labels: tuple[str, str], found: Comparability, settings: dict[str, tuple[Any, Any]]
) -> None:
    only_a, only_b = a.instances.keys() - b.instances.keys(), b.instances.keys() - a.instances.keys()
    common = a.instances.keys() & b.instances.keys()
    for label, only in zip(labels, (only_a, only_b), strict=True):
        if only:
            found.mismatches.append(
                Mismatch(INSTANCES, f"{len(only)} instances only in {label}: {_shown(sorted(map(_name, only)))}")
            )
    changed = sorted(_name(key) for key in common if a.instances[key] != b.instances[key])
    if changed:
        found.mismatches.append(
            Mismatch(
                INSTANCES, f"{len(changed)} instances of the same id differ in input or references: {_shown(changed)}"
            )
        )
    asked = [key for key in a.prompts.keys() & b.prompts.keys() if key[:2] in common]
    differ = sorted({_name(key[:2]) for key in asked if a.prompts[key] != b.prompts[key]} - set(changed))
    trials = [len({key[2] for key in facts.prompts}) for facts in (a, b)]
    shown = "; ".join(f"{name} {_short(pair[0])} and {_short(pair[1])}" for name, pair in settings.items())
    if differ:
        because = f" (adapter: {shown})" if shown else ""
        found.mismatches.append(
            Mismatch(PROMPTS, f"{len(differ)} instances were asked in another way: {_shown(differ)}{because}")
        )
    elif shown:
        found.notes.append(f"settings of the adapter differ: {shown}")
    if trials[0] != trials[1]:
        found.mismatches.append(Mismatch(PROMPTS, f"{trials[0]} and {trials[1]} trials"))


def _check_metrics(
    a: Sequence[MetricSpec], b: Sequence[MetricSpec], labels: tuple[str, str], found: Comparability
) -> None:
    """Compare the metrics. Metrics of only one run are harmless unless both have some: they may be substitutes."""
    only_a, only_b = [spec for spec in a if spec not in b], [spec for spec in b if spec not in a]
    if only_a and only_b:
        names = [_shown([_describe_spec(spec) for spec in only]) for only in (only_a, only_b)]
        found.mismatches.append(Mismatch(METRICS, f"{labels[0]} has {names[0]}, {labels[1]} has {names[1]}"))
    elif only_a or only_b:
        label, only = (labels[0], only_a) if only_a else (labels[1], only_b)
        found.notes.append(f"metrics only of {label}: {_shown([_describe_spec(spec) for spec in only])}")


def _check_epochs(a: EpochSpec | None, b: EpochSpec | None, labels: tuple[str, str], found: Comparability) -> None:
    """Compare how instances are repeated. More epochs give the same mean or pass@k more precisely, but a higher maximum."""
    if a == b:
        return
    specs = [spec or EpochSpec(1) for spec in (a, b)]
    names = [spec.reducers[0] for spec in specs]
    shown = " and ".join(
        f"{label} has {spec.number} epochs reduced by {name}" if spec.number > 1 else f"{label} has 1 epoch"
        for label, spec, name in zip(labels, specs, names, strict=True)
    )
    is_same_measure = names[0] == names[1] and (names[0] == "mean" or names[0].startswith("pass"))
    # Every reducer of a single epoch is its value.
    if is_same_measure or {spec.number for spec in specs} == {1}:
        if specs[0].number != specs[1].number:
            found.notes.append(f"the numbers of epochs differ: {shown}")
    else:
        found.mismatches.append(Mismatch(METRICS, f"the scores are not the same measure: {shown}"))


def _describe_spec(spec: MetricSpec) -> str:
    name = spec.class_name.rpartition(".")[2]
    return f"{name}({', '.join(f'{key}={_short(value)}' for key, value in spec.args.items())})" if spec.args else name


def _name(key: tuple[str, Any]) -> str:
    return key[0] if key[1] is None else f"{key[0]} (perturbed)"


def _shown(names: Sequence[str]) -> str:
    rest = len(names) - _MAX_SHOWN
    return ", ".join(names[:_MAX_SHOWN]) + (f" and {rest} more" if rest > 0 else "")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
