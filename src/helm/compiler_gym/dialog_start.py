"""How the dialogs of a run with a language model begin: what is known of them before anything is sent."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from helm.common.episode_request import EpisodeRequest
from helm.common.errors import ScenarioError
from helm.common.request import Request, RequestResult
from helm.compiler_gym.backends import get_backend_family
from helm.compiler_gym.envs.environment import CompilerEnvironment
from helm.compiler_gym.language_model_policy import LanguageModelPolicy
from helm.compiler_gym.programs import load_benchmark
from helm.compiler_gym.rewards import create_reward
from helm.compiler_gym.runtime.service_client import LOCAL, connect


@dataclass(frozen=True)
class DialogStart:
    """The beginning of the dialog of one episode."""

    request: Request
    """The first one."""

    rounds: int
    """Requests at the most."""

    max_feedback_characters: int
    """Longest text that a round adds to the prompt besides the model's reply."""


def get_dialog_starts(
    episodes: Sequence[EpisodeRequest], backend: str, connection: str | None = None
) -> tuple[list[DialogStart], list[str]]:
    """(one for each episode, what is wrong with programs whose episodes have no dialog, because they fail before it)

    The policy of the episodes is a `LanguageModelPolicy`. The compiler is asked about each program.

    Args:
        backend: short name or class path of a compiler.
        connection: `local`, `in_process` or `host:port`; None: `local`.
    Raises: ServiceError when the compiler cannot be started, or ends; ConfigError for wrong arguments.
    """
    starts: list[DialogStart] = []
    problems: list[str] = []
    with connect(connection or LOCAL, backend) as opened:
        for episode in episodes:
            try:
                starts.append(_get_start(episode, opened, get_backend_family(backend)))
            except (ValueError, NotImplementedError, FileNotFoundError, ScenarioError) as error:
                problems.append(f"{episode.benchmark}: {error}")
    return starts, problems


def _get_start(episode: EpisodeRequest, connection: Any, family: str) -> DialogStart:
    assert episode.policy is not None
    policy = LanguageModelPolicy(ask=_refuse, **episode.policy.args)
    reward = create_reward(episode.reward_space, connection.observation_spaces)
    program = load_benchmark(episode.benchmark, family)
    env = CompilerEnvironment(connection, program, reward, episode.action_space, episode.max_steps)
    try:
        env.reset()
        return DialogStart(policy.make_first_request(env), policy.rounds, policy.get_max_feedback_characters(env))
    finally:
        env.close()


def _refuse(request: Request) -> RequestResult:
    raise AssertionError("nothing is sent for an estimate")
