"""A compiler that does next to nothing, so that what stands around a compiler can be measured."""

from pathlib import Path
from typing import Any, ClassVar

from helm.compiler_gym import proto
from helm.compiler_gym.runtime.session import ActionResult, CompilationSession


class TrivialSession(CompilationSession):
    """A number that every action raises by one."""

    compiler_version: ClassVar[str] = "trivial"
    action_spaces: ClassVar[list[Any]] = [
        proto.ActionSpace(name="raise", space=proto.Space(named_discrete=proto.NamedDiscreteSpace(name=["one"])))
    ]
    observation_spaces: ClassVar[list[Any]] = [
        proto.ObservationSpace(
            name="number",
            space=proto.Space(int64_value=proto.Int64Range(min=0)),
            deterministic=True,
            default_observation=proto.Event(int64_value=0),
        )
    ]

    def __init__(self, working_directory: Path, action_space: Any, benchmark: Any):
        super().__init__(working_directory, action_space, benchmark)
        self.number = 0

    def apply_action(self, action: Any) -> ActionResult:
        self.number += 1
        return False, None, False

    def get_observation(self, observation_space: Any) -> Any:
        return proto.Event(int64_value=self.number)

    def fork(self) -> "TrivialSession":
        forked = TrivialSession(self.working_dir, self.action_space, self.benchmark)
        forked.number = self.number
        return forked
