"""Programs to be worked on by a policy, for any compiler."""

from collections.abc import Sequence
from typing import Any

from helm.benchmark.scenarios.scenario import TEST_SPLIT, Input, Instance, Scenario
from helm.compiler_gym.programs import PROGRAMS

ALL_PROGRAMS = "all"
_EMBEDDED = "embedded"


def select_programs(program: str) -> list[str]:
    """Our own programs for `all` or `embedded`, else the one that is named."""
    return list(PROGRAMS) if program in (ALL_PROGRAMS, _EMBEDDED) else [program]


class ProgramScenario(Scenario):
    """One episode for each program.

    Each instance's input is the URI of its program; `extra_data` holds the fields of the `EpisodeRequest`. There are no
    references: what the compiler observes of the program is the score.
    """

    name = "program"
    description = "Choose what a compiler does to a program."
    tags = ["compiler"]

    def __init__(
        self,
        programs: Sequence[str],
        reward_space: str,
        observation_spaces: Sequence[str],
        max_steps: int | None = 64,
        seed: int = 0,
        action_space: str | None = None,
        labels: Sequence[str] | None = None,
        **fields: Any,
    ):
        """
        Args:
            programs: URIs: `file:///folder/name`, whose content is sent to the compiler, or what the compiler knows.
            reward_space: what the policy is rewarded for; see `helm.compiler_gym.rewards.create_reward`.
            observation_spaces: recorded before the first and after the last action.
            max_steps: most actions in an answer; None: no limit.
            seed: for policies that draw random numbers.
            action_space: None: the compiler's first one.
            labels: one for each program, by which statistics tell them apart; None: they do not.
            fields: further ones of the `EpisodeRequest`; those that are None are left out.
        """
        super().__init__()
        self.programs = list(programs)
        self._fields: dict[str, Any] = {
            "reward_space": reward_space,
            "observation_spaces": list(observation_spaces),
            "max_steps": max_steps,
            "seed": seed,
        }
        if action_space is not None:
            self._fields["action_space"] = action_space
        self._fields.update({key: value for key, value in fields.items() if value is not None})
        self.labels = list(labels) if labels is not None else [None] * len(self.programs)

    def get_instances(self, output_path: str) -> list[Instance]:
        return [
            Instance(
                input=Input(text=uri),
                references=[],
                split=TEST_SPLIT,
                sub_split=label,
                extra_data={"benchmark": uri, **self._fields},
            )
            for uri, label in zip(self.programs, self.labels, strict=True)
        ]
