"""The scenario of C programs that GCC's options make smaller."""

from collections.abc import Sequence

from helm.benchmark.scenarios.scenario import TEST_SPLIT, ScenarioMetadata
from helm.compiler_gym.programs import C_DATASET, PROGRAMS, get_program_uri
from helm.compiler_gym.scenarios.program_scenario import ALL_PROGRAMS, ProgramScenario, select_programs

DEFAULT_OBSERVATION_SPACES = ("obj_size", "asm_size", "command_line")


class GccProgramScenario(ProgramScenario):
    """A `ProgramScenario` for GCC: make the object file of each program smaller by choosing options."""

    name = "gcc_program"
    description = "Choose GCC options that make a program smaller."
    tags = ["compiler", "gcc"]

    def __init__(
        self,
        program: str = ALL_PROGRAMS,
        reward_space: str = "obj_size",
        observation_spaces: Sequence[str] | None = None,
        max_steps: int | None = 64,
        seed: int = 0,
    ):
        """Choose the programs and how their episodes are run.

        Args:
            program: a name of `helm.compiler_gym.programs.PROGRAMS`, `all` (or `embedded`) for every one, the path of a
                `.c` file, or the URI of a program that the service knows.
            reward_space: what the policy is rewarded for.
            observation_spaces: what is recorded. Default: the sizes of object file and assembly, and the command line.
            max_steps: the largest number of actions in an answer.
            seed: for policies that draw random numbers.
        Raises: ScenarioError for an unknown program, naming the nearest.
        """
        super().__init__(
            [get_program_uri(name, C_DATASET) for name in select_programs(program)],
            reward_space,
            observation_spaces or DEFAULT_OBSERVATION_SPACES,
            max_steps,
            seed,
        )

    def get_metadata(self) -> ScenarioMetadata:
        program = self.programs[0].removeprefix(C_DATASET) if len(self.programs) == 1 else ALL_PROGRAMS
        return ScenarioMetadata(
            name=f"gcc_{program}",
            main_metric="obj_size",
            main_split=TEST_SPLIT,
            display_name=f"GCC: {program}",
            description=PROGRAMS.get(program, self.description),
        )
