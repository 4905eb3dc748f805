"""The scenario of programs that LLVM's passes make smaller."""

from collections.abc import Sequence

from helm.benchmark.scenarios.scenario import TEST_SPLIT, ScenarioMetadata
from helm.compiler_gym.programs import DATASET, PROGRAMS, get_program_uri
from helm.compiler_gym.scenarios.program_scenario import ALL_PROGRAMS, ProgramScenario, select_programs

DEFAULT_OBSERVATION_SPACES = (
    "IrInstructionCount",
    "IrInstructionCountO0",
    "IrInstructionCountOz",
    "ObjectTextSizeBytes",
    "ObjectTextSizeO0",
    "ObjectTextSizeOz",
)


class LlvmProgramScenario(ProgramScenario):
    """A `ProgramScenario` for LLVM: make each program smaller by choosing passes."""

    name = "llvm_program"
    description = "Choose LLVM passes that make a program smaller."
    tags = ["compiler", "llvm"]

    def __init__(
        self,
        program: str = ALL_PROGRAMS,
        reward_space: str = "IrInstructionCountOz",
        observation_spaces: Sequence[str] | None = None,
        max_steps: int | None = 64,
        seed: int = 0,
    ):
        """Choose the programs and how their episodes are run.

        Args:
            program: a name of `helm.compiler_gym.programs.PROGRAMS`, `all` (or `embedded`) for every one, the path of a
                `.ll` or `.bc` file, or the URI of a program that the service knows.
            reward_space: what the policy is rewarded for.
            observation_spaces: what is recorded. Default: both costs and their baselines.
            max_steps: the largest number of actions in an answer.
            seed: for policies that draw random numbers.
        Raises: ScenarioError for an unknown program, naming the nearest.
        """
        super().__init__(
            [get_program_uri(name) for name in select_programs(program)],
            reward_space,
            observation_spaces or DEFAULT_OBSERVATION_SPACES,
            max_steps,
            seed,
        )

    def get_metadata(self) -> ScenarioMetadata:
        program = self.programs[0].removeprefix(DATASET) if len(self.programs) == 1 else ALL_PROGRAMS
        return ScenarioMetadata(
            name=f"llvm_{program}",
            main_metric="instruction_count_reduction_oz",
            main_split=TEST_SPLIT,
            display_name=f"LLVM: {program}",
            description=PROGRAMS.get(program, self.description),
        )
