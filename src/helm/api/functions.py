"""Run specs of tasks that are functions or rows."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from helm.api.traits import ScenarioTraits, metric_name
from helm.benchmark.adaptation.adapter_spec import ADAPT_CHAT, ADAPT_GENERATION, AdapterSpec
from helm.benchmark.adaptation.common_adapter_specs import (
    format_instructions,
    get_completion_adapter_spec,
    get_multiple_choice_joint_adapter_spec,
)
from helm.benchmark.metrics.common_metric_specs import (
    get_basic_generation_metric_specs,
    get_exact_match_metric_specs,
    get_generic_metric_specs,
)
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.specs import MetricSpec, ScenarioSpec
from helm.common.errors import ScenarioError
from helm.common.live_functions import function_name, short_name
from helm.results.function_metrics import FUNCTION_METRIC

_SCENARIOS = "helm.benchmark.scenarios.function_scenario"

_MAX_TOKENS = 1024
_MAX_TOKENS_OF_A_LETTER = 16
_CHOICE_INSTRUCTIONS = "Answer the following question with the letter of the correct choice only."


def function_run_spec(function: Callable[..., Any], args: Mapping[str, Any] | None = None) -> RunSpec:
    """Return the run spec, without a model, of a function that returns rows; its first row says how they are asked.

    Raises: ScenarioError if the function gives no rows; whatever the function raises.
    """
    traits = getattr(function, "__helm_scenario__", None) or ScenarioTraits(short_name(function))
    spec_args: dict[str, Any] = {"function": function_name(function)}
    if args:
        spec_args["args"] = dict(args)
    values = ",".join(f"{key}={value}" for key, value in (args or {}).items())
    name = f"{traits.name}:{values}" if values else traits.name
    first = _first_row(function, dict(args or {}), traits.name)
    return rows_run_spec(name, ScenarioSpec(f"{_SCENARIOS}.FunctionScenario", spec_args), [first], traits)


def _first_row(function: Callable[..., Any], args: dict[str, Any], name: str) -> Any:
    rows = function(**args)
    if isinstance(rows, (str, bytes, Mapping)) or not hasattr(rows, "__iter__"):
        raise ScenarioError(
            f"The scenario function '{name}' returned a value of type {type(rows).__name__}: expected rows such as "
            '[{"input": "2 + 2?", "target": "4"}].'
        )
    found = list(itertools.islice(rows, 1))
    if not found:
        raise ScenarioError(f"The scenario function '{name}' gave no rows.")
    return found[0]


def stored_rows_run_spec(title: str, sha256: str, rows: Sequence[Mapping[str, Any]]) -> RunSpec:
    """Return the run spec, without a model, of rows whose file is named by their SHA-256."""
    spec = ScenarioSpec(f"{_SCENARIOS}.RowsScenario", {"sha256": sha256, **({"title": title} if title else {})})
    name = title or f"rows-{sha256[:8]}"
    return rows_run_spec(name, spec, rows, ScenarioTraits(name))


def rows_run_spec(name: str, scenario_spec: ScenarioSpec, rows: Sequence[Any], traits: ScenarioTraits) -> RunSpec:
    """Return a run spec whose adapter and metrics fit the given rows."""
    plain = [row for row in rows if isinstance(row, Mapping)]
    if plain:
        has_choices = all(row.get("choices") is not None for row in plain)
        has_targets = any(row.get("target") is not None for row in plain)
        is_chat = all(isinstance(row.get("input"), (list, tuple)) for row in plain)
    else:  # objects of the class Instance
        has_choices, is_chat = len(rows[0].references) > 1, bool(rows[0].input.messages)
        has_targets = any(row.references for row in rows)
    metric_specs = get_exact_match_metric_specs() if has_targets else get_basic_generation_metric_specs([])
    if not has_targets:
        metric_specs = metric_specs + get_generic_metric_specs()
    return RunSpec(
        name=name,
        scenario_spec=scenario_spec,
        adapter_spec=_adapter_spec(traits, has_choices, is_chat),
        metric_specs=metric_specs + [metric_spec(function) for function in traits.metrics],
        groups=[name.partition(":")[0]],
    )


def _adapter_spec(traits: ScenarioTraits, has_choices: bool, is_chat: bool) -> AdapterSpec:
    stop_sequences = list(traits.stop_sequences)
    if has_choices:
        return get_multiple_choice_joint_adapter_spec(
            traits.instructions or _CHOICE_INSTRUCTIONS,
            input_noun=None,
            output_noun="Answer",
            num_outputs=1,
            max_train_instances=0,
            max_tokens=traits.max_tokens or _MAX_TOKENS_OF_A_LETTER,
            input_suffix="\n",
            stop_sequences=stop_sequences,
        )
    if is_chat:
        return AdapterSpec(
            method=ADAPT_CHAT,
            input_prefix="",
            input_suffix="",
            output_prefix="",
            output_suffix="",
            max_train_instances=0,
            num_outputs=1,
            max_tokens=traits.max_tokens or _MAX_TOKENS,
            temperature=0.0,
            stop_sequences=stop_sequences,
        )
    spec = get_completion_adapter_spec(
        instructions=traits.instructions,
        max_tokens=traits.max_tokens or _MAX_TOKENS,
        stop_sequences=stop_sequences,
    )
    assert spec.method == ADAPT_GENERATION and spec.instructions == format_instructions(traits.instructions)
    return spec


def metric_spec(function: Any) -> MetricSpec:
    """Return the spec of a metric: that of a function, or a spec as it is."""
    if isinstance(function, MetricSpec):
        return function
    args: dict[str, Any] = {"function": function_name(function), "name": metric_name(function)}
    traits = getattr(function, "__helm_metric__", None)
    if traits is not None and traits.lower_is_better:
        args["lower_is_better"] = True
    if traits is not None and traits.unit:
        args["unit"] = traits.unit
    return MetricSpec(FUNCTION_METRIC, args)
