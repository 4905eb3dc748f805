"""Wrappers that change what an agent can do."""

from collections.abc import Iterable, Sequence
from typing import Any

from helm.compiler_gym.envs.compiler_env import StepResult
from helm.compiler_gym.envs.gym_spaces import Commandline, CommandlineFlag
from helm.compiler_gym.envs.step_result import make_result, read_result
from helm.compiler_gym.wrappers.core import ActionWrapper, CompilerEnvWrapper


class CommandlineWithTerminalAction(CompilerEnvWrapper):
    """Adds an action at the end of the space with which the agent ends the episode."""

    def __init__(
        self,
        env: Any,
        terminal: CommandlineFlag = CommandlineFlag("end-of-episode", "# end-of-episode", "End the current episode"),
    ):
        """Wrap an environment.

        Raises: TypeError when the actions are not flags of a command line.
        """
        super().__init__(env)
        space = _require_commandline(env)
        self._terminal = len(space.items)
        self._space = Commandline([*space.items, terminal], f"{space.name} with terminal action")

    def multistep(self, actions: Iterable[Any], *args: Any, **kwargs: Any) -> StepResult:
        """Apply actions up to the terminal one; later ones are dropped."""
        codes = [self._space[action] if isinstance(action, str) else action for action in actions]
        is_over = self._terminal in codes
        if is_over:
            codes = codes[: codes.index(self._terminal)]
        observation, reward, terminated, truncated, info = read_result(self.env.multistep(codes, *args, **kwargs))
        if is_over:
            terminated, info["terminal_action"] = True, True
        return make_result(self.unwrapped, observation, reward, terminated, truncated, info)


class ConstrainedCommandline(ActionWrapper):
    """Restricts the actions to some flags, in the given order and with new indices."""

    def __init__(self, env: Any, flags: Sequence[str], name: str | None = None):
        """Wrap an environment.

        Args:
            env: the environment.
            flags: the flags to keep.
            name: name of the smaller space.
        Raises: TypeError when the actions are not flags of a command line; ValueError for an unknown flag, or none.
        """
        super().__init__(env)
        space = _require_commandline(env)
        self._forward = [space[flag] for flag in flags]
        self._backward = {index: number for number, index in enumerate(self._forward)}
        items = [space.items[index] for index in self._forward]
        self._space = Commandline(items, name or f"{space.name}[{','.join(flags)}]")

    @property
    def actions(self) -> list[int]:
        """The actions applied in this episode, as indices of the smaller space."""
        return [self.reverse_action(action) for action in self.env.actions]

    def action(self, action: Any) -> int:
        """Translate an action of the smaller space.

        Raises: ValueError for a flag or an index that it lacks.
        """
        if isinstance(action, str):
            return self._forward[self._space[action]]
        if not 0 <= action < len(self._forward):
            raise ValueError(f"Action {action} is not in range [0, {len(self._forward)}).")
        return self._forward[action]

    def reverse_action(self, action: int) -> int:
        return self._backward[action]


def _require_commandline(env: Any) -> Commandline:
    space = env.action_space
    if not isinstance(space, Commandline):
        raise TypeError(f"The actions must be flags of a command line, not {type(space).__name__}.")
    return space
