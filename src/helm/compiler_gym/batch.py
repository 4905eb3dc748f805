"""Trying many sequences of actions from one state, in one call where the service offers it."""

from dataclasses import dataclass, field
from typing import Any, Optional, Sequence

from helm.compiler_gym import proto
from helm.compiler_gym.conversions import event_to_python, python_to_event
from helm.compiler_gym.errors import DEFAULT_TIMEOUT_S
from helm.compiler_gym.service_client import ServiceConnection


@dataclass(frozen=True)
class TriedSequence:
    """What a sequence of actions would lead to."""

    observations: list[list[Any]] = field(default_factory=list)
    """For each action that was applied, the observations after it."""

    end_of_session: bool = False
    """The last of them ended the session."""

    error: Optional[str] = None
    """Why the compiler refused the action after those; None when it refused none."""


def try_in_one_call(
    connection: ServiceConnection,
    session_id: int,
    sequences: Sequence[Sequence[Any]],
    observation_spaces: Sequence[int],
    timeout_s: float = DEFAULT_TIMEOUT_S,
) -> list[TriedSequence]:
    """Try sequences on forks that the service makes and drops; the session stays as it is.

    Args:
        sequences: lists of actions, as they are sent.
        observation_spaces: indices of what to observe after every action.
    Raises: NotImplementedError when the service does not offer it, or the compiler cannot fork.
    """
    request = proto.TryActionsRequest(session_id=session_id, observation_space=observation_spaces)
    for sequence in sequences:
        added = request.sequence.add()
        for action in sequence:
            if type(action) is int:  # nearly all are; the general way takes several times as long
                added.action.add(int64_value=action)
            else:
                added.action.append(python_to_event(action))
    reply = connection.call("TryActions", request, timeout_s)
    return [
        TriedSequence(
            [[event_to_python(event) for event in observed.observation] for observed in tried.after],
            tried.end_of_session,
            f"{tried.status}: {tried.details}" if tried.status else None,
        )
        for tried in reply.tried
    ]


def try_on_fork(
    connection: ServiceConnection, session_id: int, sequence: Sequence[Any], observation_spaces: Sequence[int]
) -> TriedSequence:
    """Try one sequence on a fork, for services that know only the original protocol.

    Raises: NotImplementedError when the compiler cannot fork.
    """
    fork = connection.call("ForkSession", proto.ForkSessionRequest(session_id=session_id)).session_id
    observations: list[list[Any]] = []
    try:
        for action in sequence:
            request = proto.StepRequest(
                session_id=fork, action=[python_to_event(action)], observation_space=observation_spaces
            )
            reply = connection.call("Step", request)
            observations.append([event_to_python(event) for event in reply.observation])
            if reply.end_of_session:
                return TriedSequence(observations, True)
    except (ValueError, NotImplementedError, FileNotFoundError) as error:
        return TriedSequence(observations, False, f"{type(error).__name__}: {error}")
    finally:
        connection.call("EndSession", proto.EndSessionRequest(session_id=fork))
    return TriedSequence(observations)
