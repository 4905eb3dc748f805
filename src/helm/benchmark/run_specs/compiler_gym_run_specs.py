"""Run specs with compilers as subjects."""

from dataclasses import replace
from typing import Any

from helm.benchmark.adaptation.adapter_spec import ADAPT_COMPILER_DIALOG, ADAPT_EPISODE
from helm.benchmark.adaptation.common_adapter_specs import get_promptless_adapter_spec
from helm.benchmark.metrics.metric import MetricSpec
from helm.benchmark.run_spec import RunSpec, run_spec_function
from helm.benchmark.scenarios.scenario import ScenarioSpec
from helm.common.errors import ConfigError, suggest
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
    connection: str | None,
    timeout_s: float,
) -> RunSpec:
    _check_number(compiler, "max_steps", max_steps, int, 0)
    _check_number(compiler, "seed", seed, int, 0)
    _check_number(compiler, "timeout_s", timeout_s, (int, float), 1e-3)
    options: dict[str, tuple[Any, Any]] = {  # options that differ from their default are part of the name
        "max_steps": (max_steps, 64),
        "seed": (seed, 0),
        "reward": (reward, default_reward),
        "connection": (connection, None),
        "timeout_s": (timeout_s, 600.0),
    }
    shown = {"program": program, **{key: value for key, (value, default) in options.items() if value != default}}
    scenario_args: dict[str, Any] = {"program": program, "max_steps": max_steps, "seed": seed, "reward_space": reward}
    executor_args: dict[str, Any] = {"timeout_s": timeout_s}
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
    connection: str | None = None,
    timeout_s: float = 600.0,
) -> RunSpec:
    """Make a program smaller with LLVM's passes.

    Args:
        program: a program of `helm.compiler_gym.programs`, `all` of them, or the path of a `.ll` or `.bc` file.
        max_steps: maximum number of actions in a policy's answer.
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
    connection: str | None = None,
    timeout_s: float = 600.0,
) -> RunSpec:
    """Make a C program smaller with GCC's options.

    Args:
        program: a program of `helm.compiler_gym.programs`, `all` of them, or the path of a `.c` file.
        max_steps: maximum number of actions in a policy's answer.
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


_LM = "lm"
_FAMILIES = ("llvm", "gcc")
"""Compilers with their own policies."""
_STEPWISE_POLICIES = ("greedy", "beam", "epsilon_greedy")
"""Policies that repeatedly take the action with the highest reward."""
_BUILT_IN = ("llvm", "llvm-library", "llvm-opt", "gcc", "mlir", "loop_tool")
_SHOWN = ("features", "ir", "both")
_OBSERVED_SIZES = {"gcc": ["obj_size", "asm_size"]}


@run_spec_function("compiler")
def get_compiler_spec(
    env: str = "llvm",
    policy: str | None = None,
    reward: str | None = None,
    benchmarks: str = "embedded",
    max_steps: int = 64,
    max_compilations: int | None = None,
    max_seconds: float | None = None,
    max_programs: int | None = None,
    seed: int = 0,
    rounds: int | None = None,
    show: str | None = None,
    states: str | None = None,
    validate: str = "true",
    connection: str | None = None,
    timeout_s: float = 600.0,
    episodes: int = 1,
    observe: str | None = None,
) -> RunSpec:
    """Let a policy work on each program of a set.

    Args:
        env: `llvm`, `gcc`, `gcc:COMMAND` (a gcc by name or path), `mlir`, `loop_tool`, or the class path of a
            `CompilationSession`.
        policy: short name of a compiler policy (`greedy` means the model `llvm/greedy`, with other compilers than LLVM
            and GCC `compiler/greedy`), its full name, or `lm` for a language model, which `model=` then names. None:
            `model=` names the policy.
        reward: what the policy is rewarded for; None: `IrInstructionCountOz` for LLVM, `obj_size` for GCC,
            `IrInstructionCount` for MLIR, `flops` for loop_tool.
        benchmarks: `embedded`, the name of one of our programs, a URI, the name of a data set, a folder or a file.
        max_steps: maximum number of actions in a policy's answer.
        max_compilations: actions that the search may apply; then the best answer so far counts.
        max_seconds: seconds that the search may take; then the best answer so far counts.
        max_programs: maximum number of programs.
        seed: for policies that draw random numbers.
        rounds: proposals that a language model may make, by default 3.
        show: what a language model sees of a program: `features`, `ir` or `both`.
        states: CSV file of states, for `policy=replay`.
        validate: `true`: run every optimised program, and count a broken one as a failed episode; `false`: do not.
        connection: `local`, `in_process` or `host:port`; by default as the compiler's deployment says.
        timeout_s: limit for an episode, in seconds.
        episodes: number for each program, with the seeds `seed`, `seed + 1`, ...
        observe: further observations to record before and after, joined by `+`, for example `Ir+Autophase`.
    """
    for name, value, kinds, smallest in (
        ("max_steps", max_steps, int, 0),
        ("seed", seed, int, 0),
        ("timeout_s", timeout_s, (int, float), 1e-3),
        ("max_compilations", max_compilations, int, 1),
        ("max_seconds", max_seconds, (int, float), 0),
        ("max_programs", max_programs, int, 1),
        ("rounds", rounds, int, 1),
        ("episodes", episodes, int, 1),
    ):
        if value is not None:
            _check_number("compiler", name, value, kinds, smallest)
    _check_word("validate", validate, ("true", "false"))
    if show is not None:
        _check_word("show", show, _SHOWN)
    is_dialog = policy == _LM
    if not is_dialog and (rounds is not None or show is not None):
        raise ConfigError("Run spec 'compiler': rounds and show can only be used with policy=lm.")
    is_replay = policy is not None and policy.rpartition("/")[2] == "replay"
    if is_replay != (states is not None):
        raise ConfigError("Run spec 'compiler': states=FILE belongs to policy=replay, and policy=replay needs it.")
    if "." not in env and env.partition(":")[0] not in _BUILT_IN:
        raise ConfigError(
            f"Run spec 'compiler': env takes {', '.join(_BUILT_IN)}, gcc:COMMAND or the class path of a compiler, not "
            f"'{env}'.{suggest(env, _BUILT_IN)}"
        )
    family = _get_family(env)
    options: dict[str, tuple[Any, Any]] = {  # options that differ from their default are part of the name
        "policy": (_LM if is_dialog else None, None),
        "reward": (reward, None),
        "benchmarks": (benchmarks, None),
        "max_steps": (max_steps, 64),
        "max_compilations": (max_compilations, None),
        "max_seconds": (max_seconds, None),
        "max_programs": (max_programs, None),
        "seed": (seed, 0),
        "episodes": (episodes, 1),
        "observe": (observe, None),
        "rounds": (rounds, None),
        "show": (show, None),
        "states": (states, None),
        "validate": (validate, "true"),
        "connection": (connection, None),
        "timeout_s": (timeout_s, 600.0),
    }
    shown = {"env": env, **{key: value for key, (value, default) in options.items() if value != default}}
    policy_args = {key: value for key, value in (("rounds", rounds), ("show", show)) if value is not None}
    scenario_args: dict[str, Any] = {"env": env, "benchmarks": str(benchmarks), "max_steps": max_steps, "seed": seed}
    further = {
        "reward_space": reward,
        "max_compilations": max_compilations,
        "max_seconds": max_seconds,
        "max_programs": max_programs,
        "states": states,
        "episodes": episodes if episodes > 1 else None,
        "observe": [name for name in observe.split("+") if name] if observe is not None else None,
        "policy_args": policy_args or None,
    }
    scenario_args.update({key: value for key, value in further.items() if value is not None})
    executor_args: dict[str, Any] = {"backend": env, "validate": validate == "true", "timeout_s": timeout_s}
    if connection is not None:
        executor_args["connection"] = connection
    adapter_spec = get_promptless_adapter_spec(ADAPT_COMPILER_DIALOG if is_dialog else ADAPT_EPISODE)
    if is_dialog:
        adapter_spec = replace(adapter_spec, max_tokens=1000)
    elif policy is not None:
        if family == "gcc" and policy in _STEPWISE_POLICIES:
            raise ConfigError(
                f"Run spec 'compiler': policy={policy} cannot be used with gcc. The first option of an episode earns nothing, "
                "so a search that goes step by step does not begin. Take random, evolution or nevergrad."
            )
        prefix = family if family in _FAMILIES else "compiler"
        adapter_spec = replace(adapter_spec, model=policy if "/" in policy else f"{prefix}/{policy}")
    metric_args: dict[str, Any] = {"validates": validate == "true"}
    if family in _OBSERVED_SIZES:
        metric_args["observations"] = _OBSERVED_SIZES[family]
    executor_class = "dialog_executor.DialogExecutor" if is_dialog else "executor.EpisodeExecutor"
    return RunSpec(
        name="compiler:" + ",".join(f"{name}={value}" for name, value in shown.items()),
        scenario_spec=ScenarioSpec(f"{_SCENARIOS}.compiler_scenario.CompilerScenario", scenario_args),
        adapter_spec=adapter_spec,
        metric_specs=[MetricSpec("helm.compiler_gym.compiler_metrics.CompilerMetric", metric_args)],
        groups=[f"compiler_{family}" if family in _FAMILIES else "compiler_other"],
        executor_spec=ExecutorSpec(f"helm.compiler_gym.{executor_class}", executor_args),
    )


def _check_word(name: str, value: Any, words: tuple[str, ...]) -> None:
    if value not in words:
        raise ConfigError(
            f"Run spec 'compiler': {name} takes {', '.join(words)}, not '{value}'.{suggest(str(value), words)}"
        )


def _get_family(env: str) -> str:
    """Equivalent to `helm.compiler_gym.backends.get_backend_family`, which a recipe does not import."""
    first = env.partition(":")[0]
    return env if "." in first else first.partition("-")[0]
