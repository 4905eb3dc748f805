"""A policy that repeats recorded episodes."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from helm.common.episode_request import STATUS_ERROR
from helm.common.errors import ConfigError, ScenarioError
from helm.compiler_gym.envs.env_state import CompilerEnvState, CompilerEnvStateReader
from helm.compiler_gym.envs.environment import CompilerEnvironment
from helm.compiler_gym.errors import PolicyError
from helm.compiler_gym.policies import Policy

_BEFORE = ("opt", "mlir-opt")
_FILES = ("input.bc", "output.bc", "input.ll", "output.ll", "input.mlir", "output.mlir", "-o", "-S")


class Replay(Policy):
    """Applies the actions that a file of states lists for the program; if it lists several, those with the best reward.

    The file is CSV in the format of CompilerGym's leaderboards: `benchmark,reward,walltime,commandline`. The episode of a
    program that the file does not name fails.
    """

    def __init__(self, states: str):
        """Read the states.

        Args:
            states: path of the file.
        Raises: ConfigError when it cannot be read.
        """
        self._path = states
        try:
            self._states = _read_states(states, Path(states).stat().st_mtime_ns)
        except ScenarioError as error:
            raise ConfigError(str(error)) from error
        except OSError as error:
            raise ConfigError(f"Cannot read the states {states}: {error.strerror}.") from error

    def run(self, env: CompilerEnvironment) -> Sequence[str]:
        found = [state for state in self._states if state.benchmark == env.benchmark]
        if not found:
            raise PolicyError(STATUS_ERROR, f"{self._path} has no state of the program {env.benchmark}.")
        best = max(found, key=lambda state: float("-inf") if state.reward is None else state.reward)
        return parse_commandline(best.commandline)


def parse_commandline(commandline: str) -> list[str]:
    """Return the actions of a command line: all words except `opt` or gcc and their files."""
    words = commandline.split()
    if words and words[0].rpartition("/")[2] in _BEFORE:
        words = words[1:]
    return [word for word in words if word not in _FILES]


def make_commandline(actions: Sequence[str], family: str) -> str:
    """Write a command line as CompilerGym does: for LLVM that of `opt`, otherwise the actions."""
    text = " ".join(actions)
    return f"opt {text} input.bc -o output.bc" if family == "llvm" else text


def list_recorded_programs(path: str) -> list[str]:
    """List the programs that a file of states names, each once, in order.

    Raises: ScenarioError when it cannot be read.
    """
    return list(dict.fromkeys(state.benchmark for state in read_states(path)))


def read_states(path: str) -> list[CompilerEnvState]:
    """Read all states of a file.

    Raises: ScenarioError when it cannot be read or contains none.
    """
    try:
        states = list(CompilerEnvStateReader.read_paths([path]))
    except (OSError, ValueError) as error:
        raise ScenarioError(f"Cannot read the states {path}: {error}") from error
    if not states:
        raise ScenarioError(f"The file {path} has no states.")
    return states


@lru_cache(maxsize=16)
def _read_states(path: str, changed_ns: int) -> list[CompilerEnvState]:
    return read_states(path)
