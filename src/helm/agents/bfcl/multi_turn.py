"""Whether the calls of several turns have the effects that are expected: the rules of the leaderboard."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from helm.agents.bfcl.backends.arithmetic import MathAPI
from helm.agents.bfcl.backends.backend import Backend, execute_calls
from helm.agents.bfcl.backends.file_system import GorillaFileSystem
from helm.agents.bfcl.backends.long_texts import LongTexts
from helm.agents.bfcl.backends.social import MessageAPI, TicketAPI, TwitterAPI
from helm.agents.bfcl.backends.trading import TradingBot
from helm.agents.bfcl.backends.travel import TravelAPI
from helm.agents.bfcl.backends.vehicle import VehicleControlAPI

BACKENDS: dict[str, type[Backend]] = {
    made.__name__: made
    for made in (
        GorillaFileSystem,
        MathAPI,
        MessageAPI,
        TwitterAPI,
        TicketAPI,
        TradingBot,
        TravelAPI,
        VehicleControlAPI,
    )
}
"""The simulated programs by the names that the data set gives them."""

_EMPTY, _STATE, _RESULTS = (
    "multi_turn:empty_turn_model_response",
    "multi_turn:instance_state_mismatch",
    "multi_turn:execution_response_mismatch",
)


@dataclass(frozen=True)
class TurnsVerdict:
    """Whether all turns are right."""

    problem: str | None = None
    """The kind of the first problem, as the leaderboard names it; None if all is right."""

    turn: int | None = None
    """The turn with the problem, counted from 0."""

    program: str | None = None
    """The simulated program whose state differs."""

    attributes: tuple[str, ...] = ()
    """What of its state differs."""

    @property
    def is_valid(self) -> bool:
        return self.problem is None


def create_backends(
    classes: Sequence[str], config: Mapping[str, Any], long_texts: LongTexts | None = None
) -> list[Backend]:
    """Return fresh programs. Raises: ValueError for an unknown one."""
    for name in classes:
        if name not in BACKENDS:
            raise ValueError(f"there is no simulated program '{name}'; known are {', '.join(BACKENDS)}")
    return [BACKENDS[name](config.get(name), long_texts) for name in classes]


def check_turns(
    classes: Sequence[str],
    config: Mapping[str, Any],
    turns: Sequence[Sequence[Sequence[str]]],
    expected: Sequence[Sequence[str]],
    long_texts: LongTexts | None = None,
) -> TurnsVerdict:
    """Execute the calls of a model and the expected ones, and compare states and results after each turn.

    Args:
        classes: the simulated programs.
        config: their states by name.
        turns: for each turn its steps, each a list of calls written as Python.
        expected: for each turn its calls; a turn without any is executed, and not checked.
        long_texts: see `Backend`.
    """
    mine, gold = (create_backends(classes, config, long_texts) for _ in range(2))
    results: list[str] = []
    for number, wanted in enumerate(expected):
        steps = turns[number] if number < len(turns) else []
        for calls in steps:
            results += execute_calls(mine, calls)
        wanted_results = execute_calls(gold, wanted)
        if not wanted:
            continue
        if not any(steps):
            return TurnsVerdict(_EMPTY, number)
        for one, other in zip(mine, gold, strict=True):
            names = _different(one.state(), other.state())
            if names:
                return TurnsVerdict(_STATE, number, type(one).__name__, tuple(names))
        if Counter(wanted_results) - Counter(results):
            return TurnsVerdict(_RESULTS, number)
    return TurnsVerdict()


def _different(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    return sorted(key for key in {**one, **other} if one.get(key) != other.get(key))
