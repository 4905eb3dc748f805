"""Run specs of the evals of automatic-differentiation tools. A run names its tool: ``model=gradbench/numpy``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Union

from helm.benchmark.adaptation.adapter_spec import ADAPT_EVALUATE
from helm.benchmark.adaptation.common_adapter_specs import get_promptless_adapter_spec
from helm.benchmark.metrics.metric import MetricSpec
from helm.benchmark.run_spec import RunSpec, run_spec_function
from helm.benchmark.scenarios.scenario import ScenarioSpec
from helm.common.errors import ConfigError
from helm.common.executor_spec import ExecutorSpec

Sizes = Union[int, str]
"""A whole number, several joined by ``+``, or a range that doubles: ``16``, ``16+100``, ``16-128`` (16, 32, 64, 128).
"""

_DEFAULT_TIMEOUT_S = 600.0
_NUM_HELLO_EVALUATIONS = 8


def parse_sizes(argument: str, sizes: Sizes) -> list[int]:
    """The positive numbers that ``sizes`` stands for, in the order given.

    Raises: ConfigError, naming the ``argument``, when the text is no such list.
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


def _run_spec(
    eval_name: str,
    scenario_class: str,
    shown: dict[str, Any],
    scenario_args: dict[str, Any],
    min_runs: int,
    min_seconds: float,
    timeout_s: float,
) -> RunSpec:
    """The run spec of one eval.

    Args:
        shown: arguments that the name of the run always tells; how often to run and how long to wait it tells only
            when they are not the usual.
    """
    if timeout_s <= 0:
        raise ConfigError(f"timeout_s must be positive, got {timeout_s:g}.")
    usual = {"min_runs": (min_runs, 1), "min_seconds": (min_seconds, 1), "timeout_s": (timeout_s, _DEFAULT_TIMEOUT_S)}
    arguments = {**shown, **{name: value for name, (value, default) in usual.items() if value != default}}
    name = f"gradbench_{eval_name}"
    if arguments:
        name += ":" + ",".join(f"{key}={value}" for key, value in arguments.items())
    return RunSpec(
        name=name,
        scenario_spec=ScenarioSpec(f"helm.gradbench.scenarios.{eval_name}_scenario.{scenario_class}", scenario_args),
        adapter_spec=get_promptless_adapter_spec(ADAPT_EVALUATE),
        metric_specs=[
            MetricSpec("helm.gradbench.metrics.ValidityMetric"),
            MetricSpec("helm.gradbench.metrics.TimingMetric"),
            MetricSpec("helm.benchmark.metrics.basic_metrics.InstancesPerSplitMetric"),
        ],
        groups=["gradbench", f"gradbench_{eval_name}"],
        executor_spec=ExecutorSpec("helm.gradbench.executor.ToolExecutor", {"timeout_s": timeout_s}),
    )


@run_spec_function("gradbench_hello")
def get_gradbench_hello_spec(timeout_s: float = _DEFAULT_TIMEOUT_S) -> RunSpec:
    """Squares and their derivatives in a chain; whether a tool works at all."""
    run_spec = _run_spec("hello", "HelloScenario", {}, {}, 1, 1, timeout_s)
    # Each evaluation goes on with the output of the last, so a sample of them could not be run.
    return replace(run_spec, adapter_spec=replace(run_spec.adapter_spec, max_eval_instances=_NUM_HELLO_EVALUATIONS))


@run_spec_function("gradbench_llsq")
def get_gradbench_llsq_spec(
    n: Sizes = "16-4096+8196+16392",
    m: Sizes = 128,
    min_runs: int = 1,
    min_seconds: float = 1,
    timeout_s: float = _DEFAULT_TIMEOUT_S,
) -> RunSpec:
    """Least squares with ``n`` points and ``m`` coefficients."""
    args = {
        "n": parse_sizes("gradbench_llsq: n", n),
        "m": parse_sizes("gradbench_llsq: m", m),
        "min_runs": min_runs,
        "min_seconds": min_seconds,
    }
    return _run_spec("llsq", "LlsqScenario", {"n": n, "m": m}, args, min_runs, min_seconds, timeout_s)


@run_spec_function("gradbench_gmm")
def get_gradbench_gmm_spec(
    d: Sizes = "2+10+20",
    k: Sizes = "5+10+25",
    n: int = 1000,
    min_runs: int = 1,
    min_seconds: float = 1,
    timeout_s: float = _DEFAULT_TIMEOUT_S,
) -> RunSpec:
    """Gaussian mixtures with ``k`` components of ``d`` dimensions over ``n`` points.

    The original goes up to ``d=2+10+20+32+64,k=5+10+25+50+100``; the files of such a run are hundreds of megabytes.
    """
    args = {
        "d": parse_sizes("gradbench_gmm: d", d),
        "k": parse_sizes("gradbench_gmm: k", k),
        "n": parse_sizes("gradbench_gmm: n", n)[0],
        "min_runs": min_runs,
        "min_seconds": min_seconds,
    }
    return _run_spec("gmm", "GmmScenario", {"d": d, "k": k, "n": n}, args, min_runs, min_seconds, timeout_s)
