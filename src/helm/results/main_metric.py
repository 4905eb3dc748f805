"""The main metric of a run: one rule for the terminal, the viewer, comparisons, exports and gates."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from helm.benchmark.run_spec import RunSpec
from helm.benchmark.specs import ScenarioSpec
from helm.results.function_metrics import leading_function_metrics
from helm.results.metric_names import CUSTOMARY_METRICS

_UNKNOWN = "unknown"
"""What entries of HELM's catalogue without a main metric have in its place."""


def iterate_main_metrics(
    run_spec: RunSpec,
    find_environment: Callable[[str], Mapping[str, Any]],
    is_schema_given: bool = False,
    scenario: Any = None,
) -> Iterator[tuple[str, str | None]]:
    """Yield the candidates for the main metric with their splits, the best first; the first one with values counts.

    They are the functions with which a task from Python is scored, the one that the scenario declares, those in the schema for
    the groups of the run, and the customary ones. A schema that the user has given comes before the scenario.

    Args:
        find_environment: returns the environment of a group in the schema, empty if there is none.
        scenario: the scenario object, if there is one.
    """
    yield from ((name, None) for name in leading_function_metrics(run_spec))
    declared = find_declared_metric(run_spec.scenario_spec) if scenario is None else read_declared_metric(scenario)
    if declared is not None and not is_schema_given:
        yield declared
    yield from iterate_schema_metrics(run_spec.groups, find_environment)
    if declared is not None and is_schema_given:
        yield declared
    yield from ((name, None) for name in CUSTOMARY_METRICS)


def iterate_schema_metrics(
    groups: Iterable[str], find_environment: Callable[[str], Mapping[str, Any]]
) -> Iterator[tuple[str, str | None]]:
    """Yield the main metrics of groups in a schema, with their splits."""
    for group in groups:
        environment = find_environment(group)
        if "main_name" in environment:
            split = environment.get("main_split")
            yield environment["main_name"], split
            if environment["main_name"] == "quasi_exact_match":  # HELM: the substitute if the other is missing
                yield "exact_match", split


def read_declared_metric(scenario: Any) -> tuple[str, str | None] | None:
    """Return the main metric and split that a scenario declares; None if it declares none."""
    try:
        metadata = scenario.get_metadata()
        name, split = metadata.main_metric, metadata.main_split
    except Exception:  # a plugin's may raise anything; then it declares nothing
        return None
    return (name, split or None) if isinstance(name, str) and name and name != _UNKNOWN else None


def find_declared_metric(scenario_spec: ScenarioSpec) -> tuple[str, str | None] | None:
    """Return the same for the scenario of a run spec; None also if its class cannot be imported or created."""
    return _find_declared(scenario_spec.class_name, json.dumps(scenario_spec.args, sort_keys=True, default=str))[0]


def find_scenario_title(scenario_spec: ScenarioSpec) -> str | None:
    """Return the shortest name that the scenario of a run spec gives itself for readers; None if it gives none."""
    return _find_declared(scenario_spec.class_name, json.dumps(scenario_spec.args, sort_keys=True, default=str))[1]


@cache
def _find_declared(class_name: str, args: str) -> tuple[tuple[str, str | None] | None, str | None]:
    from helm.benchmark.scenarios.scenario import Scenario
    from helm.common.object_spec import create_described_object

    try:
        scenario = create_described_object(ScenarioSpec(class_name, json.loads(args)), Scenario)
    except Exception:  # plugins' classes may raise anything, and packages may be missing
        return None, None
    return read_declared_metric(scenario), _read_title(scenario)


def _read_title(scenario: Any) -> str | None:
    try:
        metadata = scenario.get_metadata()
        title = metadata.short_display_name or metadata.display_name
    except Exception:  # as above
        return None
    return title if isinstance(title, str) and title else None
