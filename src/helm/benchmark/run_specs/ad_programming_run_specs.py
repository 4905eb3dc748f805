"""Run specs of language models that write derivatives."""

from __future__ import annotations

from typing import Any

from helm.benchmark.adaptation.common_adapter_specs import get_bare_adapter_spec
from helm.benchmark.metrics.metric import MetricSpec
from helm.benchmark.run_spec import RunSpec, run_spec_function
from helm.benchmark.scenarios.scenario import ScenarioSpec
from helm.benchmark.specs import AnnotatorSpec
from helm.common.errors import ConfigError

_PROGRAMMING = "helm.gradbench.programming"
_TIMEOUT_S, _MIN_RUNS, _MIN_SECONDS = 60.0, 9, 0.1


@run_spec_function("ad_programming")
def get_ad_programming_spec(
    eval: str = "all",
    library: str = "numpy",
    max_tokens: int = 4096,
    min_runs: int = _MIN_RUNS,
    min_seconds: float = _MIN_SECONDS,
    timeout_s: float = _TIMEOUT_S,
) -> RunSpec:
    """Derivatives of the functions of GradBench's evals, written by a language model.

    Args:
        eval: names joined by `+`, or `all`.
        library: `numpy`, `autograd`, `pytorch`, `jax`, or `cpp` or `ocaml`: the standard library of C++ or OCaml.
        min_runs, min_seconds: minimum number of calls of a program, and their minimum total time, for each workload.
        timeout_s: for a program and all of its calls.
    """
    if min_runs < 1 or timeout_s <= 0 or min_seconds < 0:
        raise ConfigError(
            "ad_programming: min_runs must be at least 1, min_seconds at least 0 and timeout_s positive, got "
            f"{min_runs}, {min_seconds:g} and {timeout_s:g}."
        )
    scenario_args: dict[str, Any] = {"library": library}
    if eval != "all":
        scenario_args["evals"] = eval.split("+")
    usual = {
        "min_runs": (min_runs, _MIN_RUNS),
        "min_seconds": (min_seconds, _MIN_SECONDS),
        "timeout_s": (timeout_s, _TIMEOUT_S),
    }
    shown = {name: value for name, (value, default) in usual.items() if value != default}
    name = ",".join(f"{key}={value}" for key, value in {"eval": eval, "library": library, **shown}.items())
    return RunSpec(
        name=f"ad_programming:{name}",
        scenario_spec=ScenarioSpec(
            "helm.gradbench.scenarios.ad_programming_scenario.ADProgrammingScenario", scenario_args
        ),
        adapter_spec=get_bare_adapter_spec(max_tokens=max_tokens),
        metric_specs=[
            MetricSpec(f"{_PROGRAMMING}.metrics.ADProgrammingMetric"),
            MetricSpec("helm.benchmark.metrics.basic_metrics.InstancesPerSplitMetric"),
        ],
        groups=["ad_programming"],
        annotators=[
            AnnotatorSpec(
                f"{_PROGRAMMING}.annotator.ADProgramAnnotator",
                {"timeout_s": timeout_s, "min_runs": min_runs, "min_seconds": min_seconds},
            )
        ],
    )
