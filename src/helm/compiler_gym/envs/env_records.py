"""Episodes as text and as records, from which they can be repeated."""

import warnings
from collections.abc import Iterable
from typing import Any

from helm.compiler_gym.benchmarks.benchmark import Benchmark
from helm.compiler_gym.checks.validation import ValidationResult
from helm.compiler_gym.envs.env_spaces import ChosenSpaces
from helm.compiler_gym.envs.env_state import CompilerEnvState
from helm.compiler_gym.envs.gym_spaces import NamedDiscrete
from helm.compiler_gym.envs.step_result import read_result
from helm.compiler_gym.errors import SessionNotFound


class RecordedEpisodes(ChosenSpaces):
    """Writes the actions of an environment's episode as a command line or a state, and replays them."""

    actions: list[Any]
    """The actions applied in this episode, as the caller gave them."""

    _benchmark: Benchmark | None = None

    @property
    def episode_walltime(self) -> float:
        raise NotImplementedError

    def _get_code(self, action: Any) -> Any:
        """Return the code that is sent for an action: the index of a name if the space has names."""
        if isinstance(action, str) and isinstance(self._action_space, NamedDiscrete):
            return self._action_space[action]
        return action

    def action_string(self, actions: Iterable[Any]) -> str:
        """Write actions as text: names separated by spaces if they have names, else values separated by commas."""
        if isinstance(self._action_space, NamedDiscrete):
            return " ".join(self._action_space.names[self._get_code(action)] for action in actions)
        return ",".join(str(action) for action in actions)

    def commandline(self) -> str:
        """The actions of this episode as a command line."""
        return self.action_string(self.actions)

    def commandline_to_actions(self, commandline: str) -> list[Any]:
        """Read the actions of a command line.

        Raises: ValueError or LookupError when it cannot be read.
        """
        if isinstance(self._action_space, NamedDiscrete):
            return self._action_space.from_string(commandline)
        return [_read_number(text) for text in commandline.split(",") if text.strip()]

    @property
    def state(self) -> CompilerEnvState:
        """A record of this episode, which can be saved and replayed by `apply`."""
        if self._benchmark is None:
            raise SessionNotFound("Must call reset() before there is a state.")
        return CompilerEnvState(
            benchmark=str(self._benchmark.uri),
            commandline=self.commandline(),
            walltime=self.episode_walltime,
            reward=self._episode_reward,
        )

    def apply(self, state: CompilerEnvState) -> None:
        """Replay a state, after a reset to its benchmark unless an episode is in progress.

        Raises: ValueError when the compiler fails, or ends the session, on the way.
        """
        env: Any = self
        if not self.in_episode:
            env.reset(benchmark=state.benchmark)
        elif str(env.benchmark) != state.benchmark:
            warnings.warn(f"Applying a state of {state.benchmark} to {env.benchmark}.", stacklevel=2)
        terminated = False
        info: dict[str, Any] = {}
        for action in self.commandline_to_actions(state.commandline):
            _, _, terminated, _, info = read_result(env.step(action))
            if "error_type" in info:
                break
        if terminated:
            raise ValueError(f"Environment terminated with error: {info.get('error_details', 'end of session')}")

    def validate(self, state: CompilerEnvState | None = None) -> ValidationResult:
        """Replay a state (by default the current one), compare its reward, and run the checks of its benchmark."""
        from helm.compiler_gym.validate import validate

        return validate(self, state)


def _read_number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        return float(text)
