"""Run specs with compilers as subjects."""

from typing import Any, Dict, Optional, Tuple

from helm.benchmark.adaptation.adapter_spec import ADAPT_EPISODE
from helm.benchmark.adaptation.common_adapter_specs import get_promptless_adapter_spec
from helm.benchmark.metrics.metric import MetricSpec
from helm.benchmark.run_spec import RunSpec, run_spec_function
from helm.benchmark.scenarios.scenario import ScenarioSpec
from helm.common.errors import ConfigError
from helm.common.executor_spec import ExecutorSpec

_SCENARIO = "helm.compiler_gym.scenarios.llvm_program_scenario.LlvmProgramScenario"


def _check_number(name: str, value: Any, kinds: Any, smallest: float) -> None:
    if isinstance(value, bool) or not isinstance(value, kinds) or value < smallest:
        what = "a whole number" if kinds is int else "a number"
        raise ConfigError(f"Run spec 'llvm': {name} takes {what}, at least {smallest}, not '{value}'.")


@run_spec_function("llvm")
def get_llvm_spec(
    program: str,
    max_steps: int = 64,
    seed: int = 0,
    reward: str = "IrInstructionCountOz",
    connection: Optional[str] = None,
    timeout_s: float = 600.0,
) -> RunSpec:
    """Make a program smaller with LLVM's passes.

    Args:
        program: a program of `helm.compiler_gym.programs`, `all` of them, or the path of a `.ll` or `.bc` file.
        max_steps: most actions in a policy's answer.
        seed: for policies that draw random numbers.
        reward: what the policy is rewarded for, for example `ObjectTextSizeOz`.
        connection: `local`, `in_process` or `host:port`; by default as the compiler's deployment says.
        timeout_s: limit for an episode, in seconds.
    """
    _check_number("max_steps", max_steps, int, 0)
    _check_number("seed", seed, int, 0)
    _check_number("timeout_s", timeout_s, (int, float), 1e-3)
    options: Dict[str, Tuple[Any, Any]] = {  # what differs from its default is part of the name
        "max_steps": (max_steps, 64),
        "seed": (seed, 0),
        "reward": (reward, "IrInstructionCountOz"),
        "connection": (connection, None),
        "timeout_s": (timeout_s, 600.0),
    }
    shown = {"program": program, **{key: value for key, (value, default) in options.items() if value != default}}
    scenario_args: Dict[str, Any] = {"program": program, "max_steps": max_steps, "seed": seed, "reward_space": reward}
    executor_args: Dict[str, Any] = {"timeout_s": timeout_s}
    if connection is not None:
        executor_args["connection"] = connection
    label = str(program).replace("\\", "/").rsplit("/", 1)[-1].removesuffix(".ll").removesuffix(".bc")
    return RunSpec(
        name="llvm:" + ",".join(f"{name}={value}" for name, value in shown.items()),
        scenario_spec=ScenarioSpec(_SCENARIO, scenario_args),
        adapter_spec=get_promptless_adapter_spec(ADAPT_EPISODE),
        metric_specs=[MetricSpec("helm.compiler_gym.metrics.EpisodeMetric")],
        groups=["compiler_gym", f"llvm_{label}"],
        executor_spec=ExecutorSpec("helm.compiler_gym.executor.EpisodeExecutor", executor_args),
    )
