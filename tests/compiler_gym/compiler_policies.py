"""Policies that do what no policy should, for the tests of the executor."""

import os
import signal
import time
from collections.abc import Sequence
from typing import Any

from helm.compiler_gym.envs.environment import CompilerEnvironment
from helm.compiler_gym.policies import Policy


class Raising(Policy):
    def run(self, env: CompilerEnvironment) -> Sequence[str]:
        return [][0]


class Returning(Policy):
    def __init__(self, value: Any):
        self.value = value

    def run(self, env: CompilerEnvironment) -> Any:
        return self.value


class KillingTheService(Policy):
    """Kills the service process in the middle of its search."""

    def run(self, env: CompilerEnvironment) -> Sequence[str]:
        env.step(env.action_names[0])
        os.kill(env._episode.connection.process.pid, signal.SIGKILL)
        env.step(env.action_names[0])
        raise AssertionError("a dead service answered")


class Sleeping(Policy):
    def run(self, env: CompilerEnvironment) -> Sequence[str]:
        time.sleep(0.3)
        env.step(env.action_names[0])
        return env.actions


class Hanging(Policy):
    """Makes the toy compiler hang."""

    def run(self, env: CompilerEnvironment) -> Sequence[str]:
        env._episode.send_parameters([("toy.sleep", "60")])
        raise AssertionError("a hanging service answered")


class SearchAndReset(Policy):
    """Uses everything that an environment offers, and answers with something else."""

    def run(self, env: CompilerEnvironment) -> Sequence[str]:
        env.step(env.action_names[0])
        env.reset()
        env.try_actions([[name] for name in env.action_names])
        return [env.action_names[1]]


class Trying(Policy):
    """Tries sequences after some steps, then answers with nothing."""

    def __init__(self, sequences: Sequence[Sequence[str]], steps: Sequence[str] = ()):
        self.sequences, self.steps = sequences, steps

    def run(self, env: CompilerEnvironment) -> Sequence[str]:
        for action in self.steps:
            env.step(action)
        env.try_actions(self.sequences)
        return []


class CrashingOnce(Policy):
    """Its service dies of something else while sequences are tried."""

    def run(self, env: CompilerEnvironment) -> Sequence[str]:
        os.kill(env._episode.connection.process.pid, signal.SIGKILL)
        env.try_actions([["0"], ["1"]])
        raise AssertionError("a dead service answered")


class SearchingForEver(Policy):
    """Does the actions in turn, by steps or by trials, again and again from the untouched program."""

    def __init__(self, actions: Sequence[str], by_trials: bool):
        self.actions, self.by_trials = actions, by_trials

    def run(self, env: CompilerEnvironment) -> Sequence[str]:
        while True:
            env.reset()
            if self.by_trials:
                env.try_actions([[name] for name in self.actions])
            else:
                for action in self.actions:
                    env.step(action)
