"""The environment and the check of an episode of AgentHarm: the tools and the graders of the package `inspect_evals`."""

import json
import math
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from helm.agents import events
from helm.agents.checks import Check, Score
from helm.agents.environments.environment import Environment
from helm.agents.errors import InfrastructureFailure
from helm.agents.packages.interpreters import find_interpreter
from helm.agents.packages.package_process import PackageError, PackageProcess, get_package_process
from helm.agents.tools.tool import Tool, ToolResult
from helm.common.agent_request import AGENT_ROLE, JUDGE_ROLE, SANDBOX, VERIFIER, EpisodeLimits
from helm.common.request import Request

if TYPE_CHECKING:
    from helm.agents.episode import Episode

_SIDE = str(Path(__file__).with_name("package_side.py"))
_INSTALL = (
    "Make an environment for it, such as `python -m venv inspect-env && inspect-env/bin/pip install inspect-evals`, and say "
    "inspect_path=inspect-env."
)
_ERROR_KINDS = {"timeout": "timeout", "permission": "permission", "limit": "limit", "output_limit": "output"}
_MOST_QUESTIONS = 40
"""How often the graders of one task may ask the judge."""


def get_inspect_process(path: str | None) -> PackageProcess:
    """Return the process of the package. `path` is that of an environment or interpreter; None for this one."""
    interpreter = find_interpreter("agentharm", path, _INSTALL)
    return get_package_process("inspect_evals", (interpreter,), _SIDE, _INSTALL)


class AgentHarmWorld(Environment):
    """The tools of a task. They only look real: nothing leaves the process.

    Args:
        kind: harmful or benign.
        row: of the data set.
        path: of the environment with the package; None for the interpreter that runs this.
    """

    def __init__(self, kind: str, row: Mapping[str, Any], path: str | None = None):
        self.name = f"agentharm/{kind}"
        self._kind, self._row, self._path = kind, dict(row), path
        self._process: PackageProcess | None = None
        self._session: int | None = None
        self._generation: int | None = None
        self._tools: list[dict[str, Any]] = []
        self._version = ""
        self.errors: list[tuple[str, str | None]] = []
        """The tools that were called, in order, and the package's kinds of their errors."""

    def start(self, limits: EpisodeLimits) -> None:
        self._process = get_inspect_process(self._path)
        self._process.acquire()
        try:
            self._session, self._tools = self._process.call("open_session", kind=self._kind, row=self._row)
            self._version = self._process.call("version")
        except PackageError as e:
            raise InfrastructureFailure(SANDBOX, f"inspect_evals: {e}") from e
        self._generation = self._process.generation

    def offered_tools(self) -> list[Tool]:
        return [_PackageTool(self, tool) for tool in self._tools]

    def ask(self, function: str, **arguments: Any) -> Any:
        """Ask the package. Raises: PackageError; InfrastructureFailure."""
        assert self._process is not None
        return self._process.call(function, self._generation, **arguments)

    def respond(self, name: str, arguments: Mapping[str, Any]) -> tuple[str, str | None]:
        """Call a tool as the package does, and return what the caller sees, and the kind of the error."""
        try:
            content, error = self.ask("respond", session=self._session, name=name, arguments=dict(arguments))
        except PackageError as e:  # a tool that fails on its arguments ends the package's own run, too
            raise InfrastructureFailure(SANDBOX, f"inspect_evals: {name}: {e}") from e
        self.errors.append((name, error))
        return content, error

    def grade(self, messages: list[dict[str, Any]], answers: Mapping[str, str]) -> dict[str, Any]:
        """Return the verdict, or the next question to the judge. Raises: InfrastructureFailure."""
        try:
            return dict(self.ask("score", kind=self._kind, row=self._row, messages=messages, answers=dict(answers)))
        except PackageError as e:
            raise InfrastructureFailure(VERIFIER, f"inspect_evals: {e}") from e

    def describe(self) -> dict[str, Any]:
        return {"name": self.name, "package": self._version}

    def close(self) -> None:
        if self._process is None:
            return
        try:
            if self._session is not None:
                self.ask("close_session", session=self._session)
        except (InfrastructureFailure, PackageError):
            pass  # then nothing is left to close
        self._process.release()
        self._process = None


class _PackageTool(Tool):
    """A tool of the package, which checks the arguments itself."""

    parameters = {"type": "object"}

    def __init__(self, world: AgentHarmWorld, shown: Mapping[str, Any]):
        self.name, self.description = shown["name"], shown["description"]
        self._shown, self._world = shown["parameters"], world

    @property
    def function(self) -> dict[str, Any]:
        """The tool in the form of OpenAI's chat protocol."""
        described = {"name": self.name, "description": self.description, "parameters": self._shown}
        return {"type": "function", "function": described}

    def call(self, arguments: dict[str, Any]) -> ToolResult:
        content, error = self._world.respond(self.name, arguments)
        return ToolResult(content, error is not None, _ERROR_KINDS.get(error, "tool") if error is not None else None)


class AgentHarmCheck(Check):
    """Gives the share of a task's points, by the package's grader, and says whether the agent refused, by a judge.

    Args:
        judge: deployment of the model that judges refusals and texts; empty for the one that acts as agent.
    """

    def __init__(self, judge: str = ""):
        self._judge = judge

    def score(self, episode: "Episode") -> Score:
        world = episode.environment
        if not isinstance(world, AgentHarmWorld):
            raise InfrastructureFailure(VERIFIER, "AgentHarmCheck needs the environment AgentHarmWorld.")
        messages, answers = conversation_of(episode, world), dict[str, str]()
        for _ in range(_MOST_QUESTIONS):
            found = world.grade(messages, answers)
            if "question" not in found:
                break
            question = found["question"]
            answers[json.dumps(question["messages"])] = self._ask(episode, question)
        else:
            raise InfrastructureFailure(VERIFIER, f"The grader asked the judge more than {_MOST_QUESTIONS} times.")
        points, refusal = float(found["value"]["score"]), float(found["value"]["refusal"])
        for name, value in (("score", points), ("refusal", refusal)):
            if not math.isfinite(value):
                raise InfrastructureFailure(VERIFIER, f"The grader gave no {name}: {found['explanation']!r:.500}")
        rewards = {"refusal": refusal, **({} if refusal else {"without_refusal": points})}
        return Score(points, rewards, {"explanation": found["explanation"]})

    def _ask(self, episode: "Episode", question: Mapping[str, Any]) -> str:
        deployment = self._judge or episode.request.model_deployment
        request = Request(
            model=self._judge or episode.request.model,
            model_deployment=deployment,
            messages=question["messages"],
            temperature=question["temperature"] or 0.0,
            max_tokens=question["max_tokens"] or 2048,
            random=episode.draw,
        )
        return episode.send(request, JUDGE_ROLE).text


def conversation_of(episode: "Episode", world: AgentHarmWorld) -> list[dict[str, Any]]:
    """Return what was said and called, in order, as the graders read it."""
    found: list[dict[str, Any]] = []
    results: list[dict[str, Any]] = []
    said: dict[str, Any] | None = None
    errors = deque(world.errors)
    names: dict[str, tuple[str, str | None]] = {}

    def finish() -> None:
        nonlocal said, results
        found.extend([said] if said is not None else [])
        found.extend(results)
        said, results = None, []

    for event in episode.log.events:
        kind = event["kind"]
        if kind == events.MESSAGE and event["role"] == "user":
            finish()
            found.append({"role": "user", "content": str(event["content"])})
        elif kind == events.MODEL and event["role"] == AGENT_ROLE:
            finish()
            said = {"role": "assistant", "content": event["text"] or "", "calls": []}
        elif kind == events.TOOL_CALL:
            said = said if said is not None else {"role": "assistant", "content": "", "calls": []}
            arguments = event["arguments"] if isinstance(event["arguments"], dict) else {}
            said["calls"].append({"id": event["id"], "name": event["name"], "arguments": arguments})
            error = None if event["valid"] else "parsing"
            if event["valid"] and errors and errors[0][0] == event["name"]:
                error = errors.popleft()[1]
            names[event["id"]] = (event["name"], error)
        elif kind == events.TOOL_RESULT:
            name, error = names[event["id"]]
            results.append(
                {"role": "tool", "id": event["id"], "name": name, "error": error, "content": event["content"]}
            )
    finish()
    return found
