"""The scenario of programs for runs with any compiler."""

from collections.abc import Sequence
from typing import Any

from helm.benchmark.scenarios.scenario import TEST_SPLIT, Instance, Scenario, ScenarioMetadata
from helm.common.errors import ScenarioError
from helm.compiler_gym.backends import get_backend_family
from helm.compiler_gym.benchmarks.program_sets import list_program_uris, make_labels
from helm.compiler_gym.scenarios.program_scenario import ProgramScenario

OBSERVATION_SPACES: dict[str, Sequence[str]] = {
    "llvm": (
        "IrInstructionCount",
        "IrInstructionCountO0",
        "IrInstructionCountO3",
        "IrInstructionCountOz",
        "ObjectTextSizeBytes",
        "ObjectTextSizeO0",
        "ObjectTextSizeO3",
        "ObjectTextSizeOz",
    ),
    "gcc": ("obj_size", "asm_size", "command_line"),
    "mlir": ("MlirOpCount", "IrInstructionCount", "IrInstructionCountO0", "ObjectTextSizeBytes", "ObjectTextSizeO0"),
    "loop_tool": ("flops",),
}
"""Recorded observations, by family of compilers."""

DEFAULT_REWARDS = {
    "llvm": "IrInstructionCountOz",
    "gcc": "obj_size",
    "mlir": "IrInstructionCount",
    "loop_tool": "flops",
}
MAIN_METRICS = {"llvm": "instruction_count_reduction_oz", "gcc": "obj_size_reduction_oz"}

_BASELINES: dict[str, dict[str, list[str]]] = {"gcc": {"O0": ["-O0"], "O3": ["-O3"], "Oz": ["-Oz"]}}
"""Episodes to compare with, for compilers that do not observe such figures themselves."""


class CompilerScenario(Scenario):
    """One episode for each program of a set.

    Each instance's input is the URI of its program and its `sub_split` a short name of it; `extra_data` holds the fields
    of the `EpisodeRequest`. There are no references: the compiler's observations of the program are the score.
    """

    name = "compiler"
    description = "Choose what a compiler does to each program of a set."
    tags = ["compiler"]

    def __init__(
        self,
        env: str = "llvm",
        benchmarks: str = "embedded",
        reward_space: str | None = None,
        observation_spaces: Sequence[str] | None = None,
        max_steps: int | None = 64,
        max_compilations: int | None = None,
        max_seconds: float | None = None,
        max_programs: int | None = None,
        seed: int = 0,
        episodes: int = 1,
        observe: Sequence[str] = (),
        states: str | None = None,
        policy_args: dict[str, Any] | None = None,
    ):
        """Choose the programs and how their episodes are run.

        Args:
            env: the compiler: `llvm`, `gcc`, `gcc:COMMAND`, `mlir`, `loop_tool`, or the class path of a `CompilationSession`.
            benchmarks: see `helm.compiler_gym.benchmarks.program_sets.list_program_uris`.
            reward_space: what the policy is rewarded for. Default: that of the compiler, see `DEFAULT_REWARDS`.
            observation_spaces: what is recorded. Default: that of the compiler, see `OBSERVATION_SPACES`.
            max_steps: the largest number of actions in an answer.
            max_compilations: number of actions that a search may apply. Default: no limit.
            max_seconds: time that a search may take, in seconds. Default: no limit.
            max_programs: the largest number of programs, from the first on. Default: no limit.
            seed: for policies that draw random numbers.
            episodes: number of episodes for each program, with the seeds `seed`, `seed + 1`, ...
            observe: further observations to record, for example `Ir`.
            states: path of a CSV file of states, for the policy `Replay`: only programs that it names are used.
            policy_args: further arguments of the policy.
        Raises: ScenarioError when no reward is given for a user's compiler.
        """
        super().__init__()
        self.family = get_backend_family(env)
        reward_space = reward_space or DEFAULT_REWARDS.get(self.family)
        if reward_space is None:
            raise ScenarioError(f"The compiler '{env}' has no default reward; name one, with reward=NAME.")
        self.env, self.benchmarks, self.states, self.max_programs = env, benchmarks, states, max_programs
        policy_args = {**(policy_args or {}), **({"states": states} if states else {})}
        self._seeds = range(seed, seed + episodes)
        self._fields: dict[str, Any] = {
            "reward_space": reward_space,
            "observation_spaces": list(
                dict.fromkeys([*(observation_spaces or OBSERVATION_SPACES.get(self.family, ())), *observe])
            ),
            "max_steps": max_steps,
            "max_compilations": max_compilations,
            "max_seconds": max_seconds,
            "baselines": _BASELINES.get(self.family),
            "policy_args": policy_args or None,
        }

    def get_instances(self, output_path: str) -> list[Instance]:
        if self.states is None:
            uris = list_program_uris(self.benchmarks, self.family, self.max_programs)
        else:
            from helm.compiler_gym.replay import list_recorded_programs

            uris = list_recorded_programs(self.states)[: self.max_programs]
        labels = make_labels(uris)
        return [
            instance
            for seed in self._seeds
            for instance in ProgramScenario(uris, labels=labels, seed=seed, **self._fields).get_instances(output_path)
        ]

    def get_metadata(self) -> ScenarioMetadata:
        return ScenarioMetadata(
            name=f"compiler_{self.family}",
            main_metric=MAIN_METRICS.get(self.family, "episode_reward"),
            main_split=TEST_SPLIT,
            display_name=f"{self.env}: {self.benchmarks}",
            description=self.description,
        )
