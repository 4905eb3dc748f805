"""Checks of entries of the leaderboard."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from helm.agents import events
from helm.agents.bfcl.call_check import Call, check_calls
from helm.agents.bfcl.conversation import BfclPrograms
from helm.agents.bfcl.decoding import PYTHON, NoCallsError, decode_calls, is_calls
from helm.agents.bfcl.multi_turn import check_turns
from helm.agents.checks import Check, Score
from helm.agents.errors import InfrastructureFailure
from helm.common.agent_request import VERIFIER

if TYPE_CHECKING:
    from helm.agents.episode import Episode


class BfclCallCheck(Check):
    """Gives 1 if the calls of the one answer are those that are expected, else 0.

    Args:
        category: of the leaderboard.
        language: `python`, `java` or `javascript`.
        functions: documentation of the functions.
        expected: for each call `{name: {parameter: allowed values}}`; None if only their number counts, as for irrelevance.
        in_text: whether the model writes its calls as text.
    """

    def __init__(
        self,
        category: str,
        language: str = PYTHON,
        functions: Sequence[Mapping[str, Any]] = (),
        expected: Sequence[Call] | None = None,
        in_text: bool = False,
    ):
        self._category, self._language, self._in_text = category, language, in_text
        self._functions, self._expected = list(functions), expected

    def score(self, episode: "Episode") -> Score:
        calls = _calls_in_text(episode.answer or "", self._language) if self._in_text else _calls_made(episode)
        if self._expected is None:
            wants_calls = "irrelevance" not in self._category
            problem = (
                None if bool(calls) == wants_calls else f"{self._category}:{'no_calls' if wants_calls else 'calls'}"
            )
        elif calls is None:
            problem = "ast_decoder:decoder_failed"
        else:
            verdict = check_calls(
                self._category, self._language, self._functions, calls, self._expected, underscored=not self._in_text
            )
            problem = verdict.problem
        return Score(float(problem is None), checks={"problem": problem, "calls": calls})


def _calls_in_text(text: str, language: str) -> list[Call] | None:
    try:
        calls = decode_calls(text, language)
    except NoCallsError:
        return None
    return calls if is_calls(calls) else None


def _calls_made(episode: "Episode") -> list[Call] | None:
    """Return the calls of the model's answer, or those that a script has made; None if they cannot be read."""
    made: list[tuple[str, Any]] = []
    for event in episode.log.events:
        if event["kind"] == events.MODEL:
            made = [(str(call.get("name")), call.get("arguments")) for call in event["tool_calls"]]
        elif event["kind"] == events.TOOL_CALL:
            made.append((event["name"], event["arguments"]))
    calls: list[Call] = []
    for name, arguments in made:
        if isinstance(arguments, str):
            try:
                arguments = json.loads(arguments or "{}")
            except ValueError:
                return None
        if not isinstance(arguments, dict):
            return None
        calls.append({name: arguments})
    return calls or None


class BfclTurnsCheck(Check):
    """Gives 1 if the calls of all turns have the expected effects, else 0.

    Args:
        expected: for each turn its calls, as Python.
    """

    def __init__(self, expected: Sequence[Sequence[str]]):
        self.expected = [list(turn) for turn in expected]

    def score(self, episode: "Episode") -> Score:
        programs = episode.environment
        if not isinstance(programs, BfclPrograms):
            raise InfrastructureFailure(VERIFIER, "BfclTurnsCheck needs the environment BfclPrograms.")
        if programs.is_forced or len(programs.turns) < len(self.expected):
            return Score(0.0, checks={"problem": "multi_turn:force_terminated", "turn": len(programs.turns) - 1})
        turns = [[calls] if calls else [] for calls in programs.turns]
        verdict = check_turns(programs.classes, programs.config, turns, self.expected, programs.long_texts)
        details = {"problem": verdict.problem, "turn": verdict.turn, "program": verdict.program}
        return Score(float(verdict.is_valid), checks={**details, "attributes": list(verdict.attributes)})
