"""Programs to be optimised by an LLVM policy."""

from typing import Any, Dict, List, Optional, Sequence

from helm.benchmark.scenarios.scenario import TEST_SPLIT, Input, Instance, Scenario, ScenarioMetadata
from helm.compiler_gym.programs import DATASET, PROGRAMS, get_program_uri

ALL_PROGRAMS = "all"

DEFAULT_OBSERVATION_SPACES = (
    "IrInstructionCount",
    "IrInstructionCountO0",
    "IrInstructionCountOz",
    "ObjectTextSizeBytes",
    "ObjectTextSizeO0",
    "ObjectTextSizeOz",
)


class LlvmProgramScenario(Scenario):
    """One episode for each program: make it smaller.

    Each instance's input is the URI of its program; `extra_data` holds the fields of the `EpisodeRequest`. There are no
    references: the compiler's own figures are the score.
    """

    name = "llvm_program"
    description = "Choose LLVM passes that make a program smaller."
    tags = ["compiler", "llvm"]

    def __init__(
        self,
        program: str = ALL_PROGRAMS,
        reward_space: str = "IrInstructionCountOz",
        observation_spaces: Optional[Sequence[str]] = None,
        max_steps: Optional[int] = 64,
        seed: int = 0,
    ):
        """
        Args:
            program: a name of `helm.compiler_gym.programs.PROGRAMS`, `all` of them, the path of a `.ll` or `.bc` file,
                or the URI of a program that the service knows.
            reward_space: what the policy is rewarded for.
            observation_spaces: recorded before the first and after the last action; None: both costs and their
                baselines.
            max_steps: most actions in an answer; None: no limit.
            seed: for policies that draw random numbers.
        Raises: ScenarioError for an unknown program, naming the nearest.
        """
        super().__init__()
        self._uris = [get_program_uri(name) for name in (PROGRAMS if program == ALL_PROGRAMS else [program])]
        self._extra_data: Dict[str, Any] = {
            "reward_space": reward_space,
            "observation_spaces": list(observation_spaces or DEFAULT_OBSERVATION_SPACES),
            "max_steps": max_steps,
            "seed": seed,
        }

    def get_instances(self, output_path: str) -> List[Instance]:
        return [self._make_instance(uri) for uri in self._uris]

    def _make_instance(self, uri: str) -> Instance:
        return Instance(
            input=Input(text=uri), references=[], split=TEST_SPLIT, extra_data={"benchmark": uri, **self._extra_data}
        )

    def get_metadata(self) -> ScenarioMetadata:
        program = self._uris[0].removeprefix(DATASET) if len(self._uris) == 1 else ALL_PROGRAMS
        return ScenarioMetadata(
            name=f"llvm_{program}",
            main_metric="instruction_count_reduction_oz",
            main_split=TEST_SPLIT,
            display_name=f"LLVM: {program}",
            description=PROGRAMS.get(program, self.description),
        )
