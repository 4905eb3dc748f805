"""The run specs ``gradbench_NAME``, one for each eval, made from its class. A run names its tool: ``model=gradbench/numpy``."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from helm.benchmark.adaptation.adapter_spec import ADAPT_EVALUATE
from helm.benchmark.adaptation.common_adapter_specs import get_promptless_adapter_spec
from helm.benchmark.metrics.metric import MetricSpec
from helm.benchmark.run_spec import (
    RunSpec,
    RunSpecFunction,
    get_run_spec_function,
    get_run_spec_function_names,
    run_spec_function,
)
from helm.benchmark.scenarios.scenario import ScenarioSpec
from helm.common.errors import ConfigError, suggest
from helm.common.executor_spec import ExecutorSpec
from helm.gradbench.evals.eval import Eval
from helm.gradbench.evals.registry import for_each_eval

Sizes = int | str
"""A whole number, several joined by ``+``, or a range that doubles: ``16``, ``16+100``, ``16-128`` (16, 32, 64, 128).
"""

PREFIX = "gradbench_"
_ANY_SCENARIO = "helm.gradbench.scenarios.gradbench_scenario.GradbenchScenario"
_MEASURING = {"min_runs": "int", "min_seconds": "float"}
"""Settings of how often to run, after those of the workloads; a run's name contains them only if they are unusual."""

_SHARED: Mapping[str, tuple[Any, Any]] = {
    "repeats": (int, 1),
    "warmups": (int, 0),
    "compat": (bool | str, False),
}
"""Type and default of the arguments of all evals. ``repeats``: processes of the tool that take turns. ``warmups``: evaluations
before the one that counts. ``compat``: judge outputs as the original evals do, instead of strictly; true or false."""

_DEFAULT_TIMEOUT_S = 600.0


def parse_sizes(argument: str, sizes: Sizes) -> list[int]:
    """Return the positive numbers that ``sizes`` stands for, in the given order.

    Raises: ConfigError, naming the ``argument``, if the text is not such a list.
    """
    numbers: list[int] = []
    for part in str(sizes).split("+"):
        first, dash, last = part.partition("-")
        if not first.isdecimal() or int(first) < 1 or (dash and not (last.isdecimal() and int(last) >= int(first))):
            raise ConfigError(
                f"{argument} takes a positive whole number, numbers joined by + (16+100) or a range that doubles "
                f"(16-128), not '{sizes}'."
            )
        number, end = int(first), int(last or first)
        while number <= end:
            numbers.append(number)
            number *= 2
    return numbers


class _EvalRunSpecs:
    """Makes the run specs of one eval."""

    def __init__(self, eval_class: type[Eval]):
        self._class = eval_class
        self._own = {field.name: field.default for field in fields(eval_class)}  # type: ignore[arg-type]
        defaults = eval_class.run_defaults
        if defaults is None:
            defaults = {name: _shown(value) for name, value in self._own.items() if name not in _MEASURING}
        self._settings = dict(defaults)
        self._measuring = {name: self._own[name] for name in _MEASURING if name in self._own}

    def make(self, arguments: Mapping[str, Any]) -> RunSpec:
        names = {field: self._class.run_names.get(field, field) for field in self._settings}
        settings = {field: arguments[name] for field, name in names.items() if arguments[name] is not None}
        timeout_s = arguments["timeout_s"]
        if timeout_s <= 0:
            raise ConfigError(f"timeout_s must be positive, got {timeout_s:g}.")
        usual = {**self._measuring, "timeout_s": _DEFAULT_TIMEOUT_S}
        shown = {**settings, **{k: arguments[k] for k, default in usual.items() if arguments[k] != default}}
        scenario_args = {
            **({} if self._class.scenario else {"eval_name": self._class.name}),
            **{name: self._value(name, value) for name, value in settings.items()},
            **{name: arguments[name] for name in self._measuring},
        }
        run_spec = RunSpec(
            name=f"{PREFIX}{self._class.name}{_arguments_text(':', shown)}",
            scenario_spec=ScenarioSpec(self._class.scenario or _ANY_SCENARIO, scenario_args),
            adapter_spec=get_promptless_adapter_spec(ADAPT_EVALUATE),
            metric_specs=[
                MetricSpec("helm.gradbench.metrics.ValidityMetric"),
                MetricSpec("helm.gradbench.metrics.TimingMetric"),
                MetricSpec("helm.benchmark.metrics.basic_metrics.InstancesPerSplitMetric"),
            ],
            groups=["gradbench", f"{PREFIX}{self._class.name}"],
            executor_spec=ExecutorSpec("helm.gradbench.executor.ToolExecutor", {"timeout_s": timeout_s}),
        )
        if self._class.is_chain:  # each evaluation continues with the output of the last, so a sample could not be run
            count = sum(1 for _ in self._class(**{k: _setting(scenario_args[k]) for k in settings}).evaluations())
            run_spec = replace(run_spec, adapter_spec=replace(run_spec.adapter_spec, max_eval_instances=count))
        return _measured(run_spec, arguments)

    def _value(self, name: str, value: Any) -> Any:
        """Convert a setting for the scenario; sizes become a list, or a number where the eval takes only one."""
        default = self._own[name]
        if not isinstance(default, tuple) and self._class.least.get(name, 0) < 1:
            return value
        numbers = parse_sizes(f"{PREFIX}{self._class.name}: {name}", value)
        return numbers if isinstance(default, tuple) else numbers[0]

    def parameters(self) -> list[inspect.Parameter]:
        keyword = inspect.Parameter.POSITIONAL_OR_KEYWORD
        named = [
            (self._class.run_names.get(name, name), default, _annotation(self._own[name]))
            for name, default in self._settings.items()
        ]
        named += [(name, default, _MEASURING[name]) for name, default in self._measuring.items()]
        named.append(("timeout_s", _DEFAULT_TIMEOUT_S, "float"))
        own = [inspect.Parameter(name, keyword, default=value, annotation=kind) for name, value, kind in named]
        shared = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
            for name, (kind, default) in _SHARED.items()
        ]
        return own + shared


def _shown(value: Any) -> Any:
    """Format a default of the class as run entries write it."""
    return "+".join(map(str, value)) if isinstance(value, tuple) else value


def _setting(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _annotation(default: Any) -> str:
    if default is None:
        return "Optional[str]"
    return "Sizes" if isinstance(default, tuple) else type(default).__name__


def _arguments_text(separator: str, arguments: Mapping[str, Any]) -> str:
    return separator + ",".join(f"{key}={value}" for key, value in arguments.items()) if arguments else ""


def _measured(run_spec: RunSpec, arguments: Mapping[str, Any]) -> RunSpec:
    """Return the run spec changed as the arguments in ``_SHARED`` demand."""
    repeats, warmups = arguments["repeats"], arguments["warmups"]
    if repeats != 1 or warmups:
        if not isinstance(repeats, int) or not isinstance(warmups, int) or repeats < 1 or warmups < 0:
            raise ConfigError(
                f"{run_spec.name}: repeats takes a whole number of at least 1 and warmups one of at least 0, not "
                f"{repeats} and {warmups}."
            )
        shown = {name: arguments[name] for name in ("repeats", "warmups") if arguments[name] != _SHARED[name][1]}
        assert run_spec.executor_spec is not None
        executor_spec = replace(run_spec.executor_spec, args={**run_spec.executor_spec.args, **shown})
        run_spec = replace(_named(run_spec, shown), executor_spec=executor_spec)
    word = str(arguments["compat"]).lower()
    if word not in ("true", "false"):
        raise ConfigError(f"{run_spec.name}: compat takes true or false, not '{arguments['compat']}'.")
    if word == "false":
        return run_spec
    metric_specs = [
        replace(spec, args={**spec.args, "compat": True}) if spec.class_name.endswith(".ValidityMetric") else spec
        for spec in run_spec.metric_specs
    ]
    return replace(_named(run_spec, {"compat": "true"}), metric_specs=metric_specs)


def _named(run_spec: RunSpec, shown: Mapping[str, Any]) -> RunSpec:
    """Return the run spec with more arguments in its name."""
    return replace(run_spec, name=run_spec.name + _arguments_text("," if ":" in run_spec.name else ":", shown))


def make_run_spec_function(eval_class: type[Eval]) -> RunSpecFunction:
    """The function behind the run entry ``gradbench_NAME``: the settings of the eval are its parameters."""
    run_specs = _EvalRunSpecs(eval_class)
    signature = inspect.Signature(run_specs.parameters(), return_annotation="RunSpec")

    def function(*args: Any, **kwargs: Any) -> RunSpec:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return run_specs.make(bound.arguments)

    function.__name__ = function.__qualname__ = f"get_{PREFIX}{eval_class.name}_spec"
    function.__doc__ = eval_class.run_doc or eval_class.__doc__
    function.__signature__ = signature  # type: ignore[attr-defined]
    function.__annotations__ = {name: parameter.annotation for name, parameter in signature.parameters.items()}
    return function


@run_spec_function("gradbench")
def get_gradbench_spec(eval: str, **settings: Any) -> RunSpec:
    """An eval given by its name: ``gradbench:eval=gmm,tool=numpy``; further arguments are those of ``gradbench_<eval>``."""
    names = [name.removeprefix(PREFIX) for name in get_run_spec_function_names() if name.startswith(PREFIX)]
    function: RunSpecFunction | None = get_run_spec_function(f"{PREFIX}{eval}") if eval in names else None
    if function is None:
        raise ConfigError(f"gradbench: unknown eval '{eval}'. The evals are {', '.join(names)}.{suggest(eval, names)}")
    known = list(inspect.signature(function).parameters)
    for name in settings:
        if name not in known:
            takes = ", ".join(known)
            raise ConfigError(
                f"gradbench: eval={eval} has no argument '{name}'. It takes: {takes}.{suggest(name, known)}"
            )
    return function(**settings)


def _register(eval_class: type[Eval]) -> None:
    run_spec_function(f"{PREFIX}{eval_class.name}")(make_run_spec_function(eval_class))


for_each_eval(_register)
