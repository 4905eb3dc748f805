"""Run specs of the evals of automatic-differentiation tools. A run names its tool: ``model=gradbench/numpy``."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Optional, TypeVar, Union, cast

from helm.benchmark.adaptation.adapter_spec import ADAPT_EVALUATE
from helm.benchmark.adaptation.common_adapter_specs import get_promptless_adapter_spec
from helm.benchmark.metrics.metric import MetricSpec
from helm.benchmark.run_spec import RunSpec, get_run_spec_function, get_run_spec_function_names, run_spec_function
from helm.benchmark.scenarios.scenario import ScenarioSpec
from helm.common.errors import ConfigError, suggest
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
    scenario_path: str,
    shown: dict[str, Any],
    scenario_args: dict[str, Any],
    min_runs: int,
    min_seconds: float,
    timeout_s: float,
) -> RunSpec:
    """The run spec of one eval.

    Args:
        scenario_path: module and class.
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
        scenario_spec=ScenarioSpec(f"helm.gradbench.scenarios.{scenario_path}", scenario_args),
        adapter_spec=get_promptless_adapter_spec(ADAPT_EVALUATE),
        metric_specs=[
            MetricSpec("helm.gradbench.metrics.ValidityMetric"),
            MetricSpec("helm.gradbench.metrics.TimingMetric"),
            MetricSpec("helm.benchmark.metrics.basic_metrics.InstancesPerSplitMetric"),
        ],
        groups=["gradbench", f"gradbench_{eval_name}"],
        executor_spec=ExecutorSpec("helm.gradbench.executor.ToolExecutor", {"timeout_s": timeout_s}),
    )


def _named_run_spec(
    eval_name: str, settings: dict[str, Any], min_runs: int, min_seconds: float, timeout_s: float, sizes: str = ""
) -> RunSpec:
    """The run spec of an eval that has no scenario class of its own.

    Args:
        settings: what the run says about the eval; None leaves the eval's default and is not shown in the name.
        sizes: which of them are sizes, one letter each.
    """
    shown = {name: value for name, value in settings.items() if value is not None}
    args = {k: parse_sizes(f"gradbench_{eval_name}: {k}", v) if k in sizes else v for k, v in shown.items()}
    args = {"eval_name": eval_name, **args, "min_runs": min_runs, "min_seconds": min_seconds}
    scenario_path = "gradbench_scenario.GradbenchScenario"
    return _run_spec(eval_name, scenario_path, shown, args, min_runs, min_seconds, timeout_s)


F = TypeVar("F", bound=Callable[..., RunSpec])


def _measured(function: F) -> F:
    """Adds the arguments about measuring and judging that all evals share.

    ``repeats``: processes of the tool that take turns (1). ``warmups``: evaluations before the one that counts (0).
    ``compat``: judge outputs as the original evals do, instead of strictly; true or false (false).
    """

    @functools.wraps(function)
    def wrapped(
        *args: Any, repeats: int = 1, warmups: int = 0, compat: Union[bool, str] = False, **kwargs: Any
    ) -> RunSpec:
        run_spec = function(*args, **kwargs)
        if repeats != 1 or warmups:
            run_spec = _repeated(run_spec, repeats, warmups)
        word = str(compat).lower()
        if word not in ("true", "false"):
            raise ConfigError(f"{run_spec.name}: compat takes true or false, not '{compat}'.")
        return _judged_as_the_original(run_spec) if word == "true" else run_spec

    signature = inspect.signature(function)
    own = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in _SHARED_PARAMETERS]
    wrapped.__signature__ = signature.replace(parameters=[*signature.parameters.values(), *own])  # type: ignore[attr-defined]
    return cast(F, wrapped)


_SHARED_PARAMETERS = (
    inspect.Parameter("repeats", inspect.Parameter.KEYWORD_ONLY, default=1, annotation=int),
    inspect.Parameter("warmups", inspect.Parameter.KEYWORD_ONLY, default=0, annotation=int),
    inspect.Parameter("compat", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Union[bool, str]),
)


def _repeated(run_spec: RunSpec, repeats: int, warmups: int) -> RunSpec:
    if not isinstance(repeats, int) or not isinstance(warmups, int) or repeats < 1 or warmups < 0:
        raise ConfigError(
            f"{run_spec.name}: repeats takes a whole number of at least 1 and warmups one of at least 0, not {repeats} "
            f"and {warmups}."
        )
    shown = {name: value for name, value, usual in (("repeats", repeats, 1), ("warmups", warmups, 0)) if value != usual}
    assert run_spec.executor_spec is not None
    executor_spec = replace(run_spec.executor_spec, args={**run_spec.executor_spec.args, **shown})
    return replace(_named(run_spec, **shown), executor_spec=executor_spec)


def _named(run_spec: RunSpec, **shown: Any) -> RunSpec:
    """The same with more arguments in its name."""
    text = ",".join(f"{name}={value}" for name, value in shown.items())
    return replace(run_spec, name=f"{run_spec.name}{',' if ':' in run_spec.name else ':'}{text}")


def _judged_as_the_original(run_spec: RunSpec) -> RunSpec:
    metric_specs = [
        replace(spec, args={**spec.args, "compat": True}) if spec.class_name.endswith(".ValidityMetric") else spec
        for spec in run_spec.metric_specs
    ]
    return replace(_named(run_spec, compat="true"), metric_specs=metric_specs)


@run_spec_function("gradbench")
def get_gradbench_spec(eval: str, **settings: Any) -> RunSpec:
    """Any eval by its name: ``gradbench:eval=gmm,tool=numpy``; further arguments are those of ``gradbench_<eval>``."""
    prefix = "gradbench_"
    names = [name.removeprefix(prefix) for name in get_run_spec_function_names() if name.startswith(prefix)]
    function = get_run_spec_function(f"{prefix}{eval}") if eval in names else None
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


@run_spec_function("gradbench_hello")
@_measured
def get_gradbench_hello_spec(timeout_s: float = _DEFAULT_TIMEOUT_S) -> RunSpec:
    """Squares and their derivatives in a chain; whether a tool works at all."""
    run_spec = _run_spec("hello", "hello_scenario.HelloScenario", {}, {}, 1, 1, timeout_s)
    # Each evaluation goes on with the output of the last, so a sample of them could not be run.
    return replace(run_spec, adapter_spec=replace(run_spec.adapter_spec, max_eval_instances=_NUM_HELLO_EVALUATIONS))


@run_spec_function("gradbench_llsq")
@_measured
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
    return _run_spec("llsq", "llsq_scenario.LlsqScenario", {"n": n, "m": m}, args, min_runs, min_seconds, timeout_s)


@run_spec_function("gradbench_gmm")
@_measured
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
    return _run_spec(
        "gmm", "gmm_scenario.GmmScenario", {"d": d, "k": k, "n": n}, args, min_runs, min_seconds, timeout_s
    )


@run_spec_function("gradbench_lse")
@_measured
def get_gradbench_lse_spec(
    n: Sizes = "2500-40000",
    min_runs: int = 1,
    min_seconds: float = 1,
    timeout_s: float = _DEFAULT_TIMEOUT_S,
) -> RunSpec:
    """Log of the sum of the exponentials of ``n`` numbers. The original goes up to ``n=2500-1280000``."""
    settings = {"n": n}
    return _named_run_spec("lse", settings, min_runs, min_seconds, timeout_s, "n")


@run_spec_function("gradbench_kmeans")
@_measured
def get_gradbench_kmeans_spec(
    k: Sizes = "10+100",
    n: Sizes = 1000,
    d: Sizes = "8+16",
    min_runs: int = 1,
    min_seconds: float = 1,
    timeout_s: float = _DEFAULT_TIMEOUT_S,
) -> RunSpec:
    """Clusters of ``n`` points in ``d`` dimensions around ``k`` centroids.

    The original goes up to ``k=10+100+1000,n=1000+10000``.
    """
    settings = {"k": k, "n": n, "d": d}
    return _named_run_spec("kmeans", settings, min_runs, min_seconds, timeout_s, "knd")


@run_spec_function("gradbench_det")
@_measured
def get_gradbench_det_spec(
    l: Sizes = "5+6+7+8+9",  # noqa: E741
    min_runs: int = 1,
    min_seconds: float = 1,
    timeout_s: float = _DEFAULT_TIMEOUT_S,
) -> RunSpec:
    """Determinants of ``l`` x ``l`` matrices by expansion. The original goes up to ``l=5+6+7+8+9+10+11``."""
    settings = {"l": l}
    return _named_run_spec("det", settings, min_runs, min_seconds, timeout_s, "l")


@run_spec_function("gradbench_ode")
@_measured
def get_gradbench_ode_spec(
    n: Sizes = "1000+10000",
    s: Sizes = "1+10+100",
    min_runs: int = 1,
    min_seconds: float = 1,
    timeout_s: float = _DEFAULT_TIMEOUT_S,
) -> RunSpec:
    """Chains of ``n`` differential equations in ``s`` steps. The original goes up to ``n=1000+10000+100000``."""
    settings = {"n": n, "s": s}
    return _named_run_spec("ode", settings, min_runs, min_seconds, timeout_s, "ns")


@run_spec_function("gradbench_particle")
@_measured
def get_gradbench_particle_spec(
    min_runs: int = 1,
    min_seconds: float = 1,
    timeout_s: float = _DEFAULT_TIMEOUT_S,
) -> RunSpec:
    """Derivatives within derivatives: steer a particle among charges."""
    return _named_run_spec("particle", {}, min_runs, min_seconds, timeout_s)


@run_spec_function("gradbench_saddle")
@_measured
def get_gradbench_saddle_spec(
    min_runs: int = 1,
    min_seconds: float = 1,
    timeout_s: float = _DEFAULT_TIMEOUT_S,
) -> RunSpec:
    """Derivatives within derivatives: a saddle point by minimising a maximum."""
    return _named_run_spec("saddle", {}, min_runs, min_seconds, timeout_s)


@run_spec_function("gradbench_lstm")
@_measured
def get_gradbench_lstm_spec(
    l: Sizes = "2+4+6",  # noqa: E741
    c: Sizes = 1024,
    text: Optional[str] = None,
    min_runs: int = 1,
    min_seconds: float = 1,
    timeout_s: float = _DEFAULT_TIMEOUT_S,
) -> RunSpec:
    """Networks of ``l`` layers that predict a text of ``c`` characters, the beginning of the file ``text`` or made up.

    The original goes up to ``c=1024+4096+8192``.
    """
    settings = {"l": l, "c": c, "text": text}
    return _named_run_spec("lstm", settings, min_runs, min_seconds, timeout_s, "lc")


@run_spec_function("gradbench_ba")
@_measured
def get_gradbench_ba_spec(
    min: int = 1,
    max: int = 6,
    data: Optional[str] = None,
    min_runs: int = 1,
    min_seconds: float = 1,
    timeout_s: float = _DEFAULT_TIMEOUT_S,
) -> RunSpec:
    """Bundle adjustment, problems ``min`` to ``max`` of the folder ``data`` or those of the package.

    The original goes up to ``max=14``.
    """
    settings = {"min": min, "max": max, "data": data}
    return _named_run_spec("ba", settings, min_runs, min_seconds, timeout_s)


@run_spec_function("gradbench_ht")
@_measured
def get_gradbench_ht_spec(
    min: int = 1,
    max: int = 5,
    hand: str = "small",
    variant: str = "complicated",
    data: Optional[str] = None,
    min_runs: int = 1,
    min_seconds: float = 1,
    timeout_s: float = _DEFAULT_TIMEOUT_S,
) -> RunSpec:
    """Hand tracking, hands ``min`` to ``max`` of the folder ``data`` or made up. ``hand`` is ``small`` or ``big``.

    The original goes up to ``max=12`` with ``hand=big``.
    """
    settings = {"min": min, "max": max, "model": hand, "variant": variant, "data": data}
    return _named_run_spec("ht", settings, min_runs, min_seconds, timeout_s)
