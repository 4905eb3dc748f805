"""Metrics that are Python functions."""

import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.metric import Metric, MetricMetadata, get_completions
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat, single
from helm.common.errors import MetricError, suggest
from helm.common.live_functions import find_function, short_name


@dataclass(frozen=True)
class MetricTraits:
    """How a metric that is a function is shown."""

    name: str
    lower_is_better: bool = False
    unit: str | None = None


_VALUES: dict[str, Callable[[RequestState], Any]] = {
    "output": lambda state: _output(state),
    "target": lambda state: next(iter(_targets(state)), None),
    "targets": lambda state: _targets(state),
    "input": lambda state: state.instance.input.messages or state.instance.input.text,
    "choices": lambda state: [reference.output.text for reference in state.instance.references],
    "thinking": lambda state: _thinking(state),
    "extra": lambda state: dict(state.instance.extra_data or {}),
    "instance": lambda state: state.instance,
    "request_state": lambda state: state,
}
"""What a metric function can ask for, by the names of its parameters."""


def check_metric_function(function: Callable[..., Any]) -> list[str]:
    """Return the names of the values that a metric function gets. Raises: MetricError for a name that stands for nothing."""
    if inspect.iscoroutinefunction(function):
        raise MetricError(f"The metric '{short_name(function)}' is asynchronous; write it with def.")
    names = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name in _VALUES:
            names.append(parameter.name)
        elif parameter.default is parameter.empty and parameter.kind not in (
            parameter.VAR_KEYWORD,
            parameter.VAR_POSITIONAL,
        ):
            raise MetricError(
                f"The metric '{short_name(function)}' has a parameter '{parameter.name}', and nothing is known of that name."
                f"{suggest(parameter.name, _VALUES)} There are {', '.join(_VALUES)}."
            )
    return names


class FunctionMetric(Metric):
    """Scores each answer with a Python function.

    The function names what it needs in its parameters: `output` (the text of the answer; of a multiple-choice question that of
    the choice), `target` (the correct answer; None if there is none), `targets`, `input`, `choices`, `thinking`, `extra` (the
    further columns of the row), `instance`, `request_state`. It returns a number, True or False, a dict of several named
    numbers, or None (or NaN) for no score.

    Args:
        function: the name of the function (see `helm.common.live_functions`).
        name: the name of the score.
        args: further keyword arguments of the function.
        lower_is_better: whether smaller values are better.
        unit: the unit of the values.
    """

    def __init__(
        self,
        function: str,
        name: str = "",
        args: Mapping[str, Any] | None = None,
        lower_is_better: bool = False,
        unit: str | None = None,
    ):
        self._function = find_function(function, "metric")
        self._values = check_metric_function(self._function)
        self._name = name or short_name(self._function)
        self._args = dict(args or {})
        self._lower_is_better, self._unit = lower_is_better, unit

    def evaluate_generation(
        self,
        adapter_spec: AdapterSpec,
        request_state: RequestState,
        metric_service: MetricService,
        eval_cache_path: str,
    ) -> list[Stat]:
        values = {name: _VALUES[name](request_state) for name in self._values if name not in self._args}
        score = self._function(**values, **self._args)
        scores = score if isinstance(score, Mapping) else {self._name: score}
        return [
            single(MetricName(str(name)), _number(value, str(name)))
            for name, value in scores.items()
            if value is not None and value == value  # a missing value of numpy and pandas is NaN
        ]

    def get_metadata(self) -> list[MetricMetadata]:
        return [MetricMetadata(self._name, lower_is_better=self._lower_is_better, unit=self._unit)]


def _number(value: Any, name: str) -> float | int:
    if not isinstance(value, (int, float)) and callable(getattr(value, "item", None)):
        value = value.item()  # of numpy
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, (int, float)):
        if abs(value) > sys.float_info.max:
            raise MetricError(f"'{name}' is infinite: expected a finite number, True, False or None.")
        return value
    raise MetricError(f"'{name}' is a value of type {type(value).__name__}: expected a number, True, False or None.")


def _output(state: RequestState) -> str:
    completions = get_completions(state)
    text = completions[0].text if completions else ""
    if state.output_mapping is not None:
        return state.output_mapping.get(text.strip(), text)
    return text


def _targets(state: RequestState) -> list[str]:
    return [reference.output.text for reference in state.instance.all_correct_references]


def _thinking(state: RequestState) -> str | None:
    completions = get_completions(state)
    thinking = completions[0].thinking if completions else None
    return thinking.text if thinking is not None else None
