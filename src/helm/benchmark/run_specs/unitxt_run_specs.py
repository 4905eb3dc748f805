"""The recipe of tasks of the library Unitxt."""

from dataclasses import replace
from typing import Any

from helm.benchmark.adaptation.common_adapter_specs import get_bare_adapter_spec
from helm.benchmark.metrics.common_metric_specs import get_basic_metric_specs
from helm.benchmark.metrics.metric import MetricSpec
from helm.benchmark.run_spec import RunSpec, run_spec_function
from helm.benchmark.scenarios.scenario import ScenarioSpec
from helm.common.errors import ConfigError


@run_spec_function("unitxt")
def get_unitxt_spec(**kwargs: Any) -> RunSpec:
    """A task of Unitxt: `card`, `template` and other arguments of its recipes, or `recipe` alone.

    Raises: ConfigError when there is neither.
    """
    task = kwargs.get("card") or kwargs.get("recipe")
    if not task:
        raise ConfigError("Run spec 'unitxt': give a card and a template, or a recipe: unitxt:card=cards.wnli,...")
    return RunSpec(
        name="unitxt:" + ",".join(f"{key}={value}" for key, value in kwargs.items()),
        scenario_spec=ScenarioSpec("helm.benchmark.scenarios.unitxt_scenario.UnitxtScenario", kwargs),
        adapter_spec=replace(get_bare_adapter_spec(), reference_suffix=""),
        metric_specs=[
            MetricSpec("helm.benchmark.metrics.unitxt_metrics.UnitxtMetric", kwargs),
            *get_basic_metric_specs([]),
        ],
        groups=[f"unitxt_{task}"],
    )
