"""The environment with the files of an exercise, the agent that tries several times, and the check of what it has reached."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from helm.agents.agents.agent import Agent
from helm.agents.checks import Check, Score
from helm.agents.environments.environment import Environment
from helm.agents.episode import assistant_message
from helm.agents.errors import AgentError, InfrastructureFailure
from helm.benchmark.metrics.frontier.edits import APPLY, EditError
from helm.benchmark.metrics.frontier.exercises import ExerciseTests
from helm.common.agent_request import VERIFIER

if TYPE_CHECKING:
    from helm.agents.episode import Episode

_MOST_OUTPUT = 6000
"""How many characters of what the tests print are shown: the end of it, since compilers and test programs sum up there."""

# Ours, after Aider's second message.
_FAILED = (
    "The tests fail; what they print is below. The tests are right. Mend the code in {files}, in the same form as before.\n\n"
    "```\n{output}\n```"
)
_NO_EDITS = "No edit could be applied: {reason}. Write the changes of {files} again, in the form that was asked for."


class PolyglotExercise(Environment):
    """The files of an exercise.

    Args:
        files: the files that may be edited, by path.
        tests: `files`, the other files, and `test`, the paths of those with tests.
        language, timeout: as `helm.benchmark.metrics.frontier.exercises.ExerciseTests`.
        edit_format: how edits are written.
    """

    name = "polyglot"

    def __init__(
        self,
        files: Mapping[str, str],
        tests: Mapping[str, Any],
        language: str,
        edit_format: str = "whole",
        timeout: float = 180.0,
    ):
        self.files = dict(files)
        self._tests, self._apply = tests, APPLY[edit_format]
        self._runner = ExerciseTests(language, timeout)
        self.outcomes: list[str] = []
        """Of each attempt: `passed`, `failed` or `not applied`."""

    def state(self) -> Any:
        return {"files": dict(self.files), "outcomes": list(self.outcomes)}

    def attempt(self, text: str) -> str | None:
        """Apply the edits in a text and run the tests. Return what the model is told; None if the tests pass."""
        named = " and ".join(self.files)
        try:
            self.files = self._apply(text, self.files)
        except EditError as e:
            self.outcomes.append("not applied")
            return _NO_EDITS.format(reason=e, files=named)
        outcome = self._runner.run({**self.files, **self._tests["files"]}, self._tests["test"])
        self.outcomes.append("passed" if outcome.passed else "failed")
        return None if outcome.passed else _FAILED.format(files=named, output=outcome.output[-_MOST_OUTPUT:])


class PolyglotAttempts(Agent):
    """Asks for edits until the tests pass.

    Args:
        attempts: how often at most.
    """

    def __init__(self, attempts: int = 2):
        self._attempts = attempts

    def run(self, episode: "Episode") -> None:
        exercise = episode.environment
        if not isinstance(exercise, PolyglotExercise):
            raise AgentError("PolyglotAttempts needs the environment PolyglotExercise.")
        for number in range(self._attempts):
            output = episode.ask()
            episode.messages.append(assistant_message(output, 0))
            told = exercise.attempt(output.text)
            if told is None:
                return
            if number + 1 < self._attempts:
                episode.say("user", told)


class PolyglotCheck(Check):
    """Gives 1 if the last attempt has passed; `passed_at_1`: whether the first has; `applied_at_1`: whether its edits fit."""

    def score(self, episode: "Episode") -> Score:
        exercise = episode.environment
        if not isinstance(exercise, PolyglotExercise):
            raise InfrastructureFailure(VERIFIER, "PolyglotCheck needs the environment PolyglotExercise.")
        outcomes: Sequence[str] = exercise.outcomes
        first = outcomes[:1]
        numbers = {
            "passed_at_1": float(first == ["passed"]),
            "applied_at_1": float(bool(first) and first != ["not applied"]),
        }
        return Score(float(outcomes[-1:] == ["passed"]), numbers, {"outcomes": list(outcomes)})
