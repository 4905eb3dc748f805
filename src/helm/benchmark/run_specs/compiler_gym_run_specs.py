"""Run specs with compilers as subjects."""

from typing import Any, Dict, Optional, Tuple

from helm.benchmark.adaptation.adapter_spec import ADAPT_EPISODE
from helm.benchmark.adaptation.common_adapter_specs import get_promptless_adapter_spec
from helm.benchmark.metrics.metric import MetricSpec
from helm.benchmark.run_spec import RunSpec, run_spec_function
from helm.benchmark.scenarios.scenario import ScenarioSpec
from helm.common.errors import ConfigError
from helm.common.executor_spec import ExecutorSpec

_SCENARIOS = "helm.compiler_gym.scenarios"


def _check_number(compiler: str, name: str, value: Any, kinds: Any, smallest: float) -> None:
    if isinstance(value, bool) or not isinstance(value, kinds) or value < smallest:
        what = "a whole number" if kinds is int else "a number"
        raise ConfigError(f"Run spec '{compiler}': {name} takes {what}, at least {smallest}, not '{value}'.")


def _make_spec(
    compiler: str,
    scenario_class: str,
    metric_spec: MetricSpec,
    program: str,
    max_steps: int,
    seed: int,
    reward: str,
    default_reward: str,
    connection: Optional[str],
    timeout_s: float,
) -> RunSpec:
    _check_number(compiler, "max_steps", max_steps, int, 0)
    _check_number(compiler, "seed", seed, int, 0)
    _check_number(compiler, "timeout_s", timeout_s, (int, float), 1e-3)
    options: Dict[str, Tuple[Any, Any]] = {  # what differs from its default is part of the name
        "max_steps": (max_steps, 64),
        "seed": (seed, 0),
        "reward": (reward, default_reward),
        "connection": (connection, None),
        "timeout_s": (timeout_s, 600.0),
    }
    shown = {"program": program, **{key: value for key, (value, default) in options.items() if value != default}}
    scenario_args: Dict[str, Any] = {"program": program, "max_steps": max_steps, "seed": seed, "reward_space": reward}
    executor_args: Dict[str, Any] = {"timeout_s": timeout_s}
    if connection is not None:
        executor_args["connection"] = connection
    label = str(program).replace("\\", "/").rsplit("/", 1)[-1]
    for suffix in (".ll", ".bc", ".c"):
        label = label.removesuffix(suffix)
    return RunSpec(
        name=f"{compiler}:" + ",".join(f"{name}={value}" for name, value in shown.items()),
        scenario_spec=ScenarioSpec(scenario_class, scenario_args),
        adapter_spec=get_promptless_adapter_spec(ADAPT_EPISODE),
        metric_specs=[metric_spec],
        groups=["compiler_gym", f"{compiler}_{label}"],
        executor_spec=ExecutorSpec("helm.compiler_gym.executor.EpisodeExecutor", executor_args),
    )


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
    return _make_spec(
        "llvm",
        f"{_SCENARIOS}.llvm_program_scenario.LlvmProgramScenario",
        MetricSpec("helm.compiler_gym.metrics.EpisodeMetric"),
        program,
        max_steps,
        seed,
        reward,
        "IrInstructionCountOz",
        connection,
        timeout_s,
    )


@run_spec_function("gcc")
def get_gcc_spec(
    program: str,
    max_steps: int = 64,
    seed: int = 0,
    reward: str = "obj_size",
    connection: Optional[str] = None,
    timeout_s: float = 600.0,
) -> RunSpec:
    """Make a C program smaller with GCC's options.

    Args:
        program: a program of `helm.compiler_gym.programs`, `all` of them, or the path of a `.c` file.
        max_steps: most actions in a policy's answer.
        seed: for policies that draw random numbers.
        reward: `obj_size` (bytes by which the object file shrinks) or `asm_size` (the same for the assembly).
        connection: `local`, `in_process` or `host:port`; by default as the compiler's deployment says.
        timeout_s: limit for an episode, in seconds.
    """
    return _make_spec(
        "gcc",
        f"{_SCENARIOS}.gcc_program_scenario.GccProgramScenario",
        MetricSpec("helm.compiler_gym.metrics.EpisodeMetric", {"observations": ["obj_size", "asm_size"]}),
        program,
        max_steps,
        seed,
        reward,
        "obj_size",
        connection,
        timeout_s,
    )
