"""Run specs of language models that write kernels."""

from __future__ import annotations

from typing import Any

from helm.benchmark.adaptation.common_adapter_specs import get_bare_adapter_spec
from helm.benchmark.metrics.metric import MetricSpec
from helm.benchmark.run_spec import RunSpec, run_spec_function
from helm.benchmark.scenarios.scenario import ScenarioSpec
from helm.benchmark.specs import AnnotatorSpec
from helm.common.errors import ConfigError

_TIMEOUT_S, _MIN_RUNS, _MIN_SECONDS = 60.0, 20, 0.1


@run_spec_function("kernel_programming")
def get_kernel_programming_spec(
    operation: str = "all",
    language: str = "c",
    dtype: str = "float32",
    max_tokens: int = 4096,
    min_runs: int = _MIN_RUNS,
    min_seconds: float = _MIN_SECONDS,
    timeout_s: float = _TIMEOUT_S,
    seed: int | None = None,
) -> RunSpec:
    """Fast kernels for operations on arrays, written by a language model.

    Args:
        operation: names joined by `+`, or `all`.
        language: `c`, `cpp`, `numpy`, `numba` or `torch`.
        dtype: `float32` or `float64`.
        min_runs, min_seconds: minimum number of timed calls, and their minimum total time, for each size.
        timeout_s: for compiling a kernel and all of its calls.
        seed: of the hidden inputs, for repeating a run; by default one for each kernel that nobody knows before.
    """
    if min_runs < 1 or timeout_s <= 0 or min_seconds < 0:
        raise ConfigError(
            "kernel_programming: min_runs must be at least 1, min_seconds at least 0 and timeout_s positive, got "
            f"{min_runs}, {min_seconds:g} and {timeout_s:g}."
        )
    scenario_args: dict[str, Any] = {"language": language, "dtype": dtype}
    if operation != "all":
        scenario_args["operations"] = operation.split("+")
    usual = {
        "min_runs": (min_runs, _MIN_RUNS),
        "min_seconds": (min_seconds, _MIN_SECONDS),
        "timeout_s": (timeout_s, _TIMEOUT_S),
        "seed": (seed, None),
    }
    shown = {name: value for name, (value, default) in usual.items() if value != default}
    parts = {"operation": operation, "language": language, "dtype": dtype, **shown}
    name = ",".join(f"{key}={value}" for key, value in parts.items())
    return RunSpec(
        name=f"kernel_programming:{name}",
        scenario_spec=ScenarioSpec("helm.kernels.scenario.KernelProgrammingScenario", scenario_args),
        adapter_spec=get_bare_adapter_spec(max_tokens=max_tokens),
        metric_specs=[
            MetricSpec("helm.kernels.metrics.KernelProgrammingMetric"),
            MetricSpec("helm.benchmark.metrics.basic_metrics.InstancesPerSplitMetric"),
        ],
        groups=["kernel_programming"],
        annotators=[
            AnnotatorSpec(
                "helm.kernels.annotator.KernelAnnotator",
                {
                    "timeout_s": timeout_s,
                    "min_runs": min_runs,
                    "min_seconds": min_seconds,
                    **({} if seed is None else {"seed": seed}),
                },
            )
        ],
    )
