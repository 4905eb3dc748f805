"""The environment, the check and the attack of an episode of AgentDojo."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from helm.agents import events
from helm.agents.agentdojo.suites import EXTRA, get_suite
from helm.agents.attacks import Attack
from helm.agents.checks import Check, Score
from helm.agents.environments.environment import Environment
from helm.agents.errors import InfrastructureFailure
from helm.agents.tools.tool import Tool, ToolResult
from helm.common.agent_request import USER_ROLE, VERIFIER, EpisodeLimits
from helm.common.optional_dependencies import needs_extra

if TYPE_CHECKING:
    from helm.agents.episode import Episode


class AgentDojoWorld(Environment):
    """The data of a suite, with the texts of an attack in it, and the tools that act on them.

    Args:
        suite: workspace, travel, banking or slack.
        version: of the suites, such as v1.2.2.
        user_task: id of the task.
        injections: texts by the names of their places; None for the data as they are.
    """

    def __init__(self, suite: str, version: str, user_task: str, injections: Mapping[str, str] | None = None):
        self.name = f"agentdojo/{suite}"
        self._suite_name, self._version, self._user_task = suite, version, user_task
        self._injections = dict(injections or {})
        self._suite: Any = None
        self._task: Any = None
        self._loaded: Any = None
        self._data: Any = None

    def start(self, limits: EpisodeLimits) -> None:
        self._suite = get_suite(self._suite_name, self._version)
        self._task = self._suite.get_user_task_by_id(self._user_task)
        self._loaded = self._suite.load_and_inject_default_environment(self._injections)
        self._data = self._task.init_environment(self._loaded.model_copy(deep=True))

    def offered_tools(self) -> list[Tool]:
        return [_SuiteTool(self, function) for function in self._suite.tools]

    def respond(self, name: str, arguments: Mapping[str, Any]) -> tuple[str, bool]:
        """Call a tool as the package does, and return what the caller sees, and whether it is an error."""
        from agentdojo.agent_pipeline import ToolsExecutor
        from agentdojo.functions_runtime import FunctionCall, FunctionsRuntime
        from agentdojo.types import get_text_content_as_str

        asked = {
            "role": "assistant",
            "content": None,
            "tool_calls": [FunctionCall(function=name, args=dict(arguments))],
        }
        runtime = FunctionsRuntime(self._suite.tools)
        *_, messages, _ = ToolsExecutor().query("", runtime, self._data, [asked])
        answer = messages[-1]
        error = answer["error"]
        return (error, True) if error else (get_text_content_as_str(answer["content"]), False)

    def judge(self, episode: "Episode", injection_task: str | None) -> tuple[bool, bool]:
        """Return whether the user's task is done, and whether the goal of the injection is reached.

        The package itself judges: it is given the data as the agent has left them, its calls and its last words.
        """
        from agentdojo.agent_pipeline import BasePipelineElement
        from agentdojo.functions_runtime import FunctionCall
        from agentdojo.types import text_content_block_from_string

        after = self._data
        calls = [
            FunctionCall(
                function=event["name"], args=event["arguments"] if isinstance(event["arguments"], dict) else {}
            )
            for event in episode.log.of_kind(events.TOOL_CALL)
            if event["requestor"] != USER_ROLE
        ]
        said = [text_content_block_from_string(episode.answer or "")]
        done = [{"role": "assistant", "content": None, "tool_calls": [call]} for call in calls]
        messages = [*done, {"role": "assistant", "content": said, "tool_calls": None}]

        class Recorded(BasePipelineElement):
            name = "recorded"

            def query(self, query: str, runtime: Any, *args: Any, **kwargs: Any) -> Any:
                return query, runtime, after, messages, {}

        goal = self._suite.get_injection_task_by_id(injection_task) if injection_task is not None else None
        utility, security = self._suite.run_task_with_pipeline(
            Recorded(), self._task, goal, self._injections, environment=self._loaded.model_copy(deep=True)
        )
        return bool(utility), bool(security)

    def solve(self, episode: "Episode") -> None:
        """Do the user's task as the package does, for `agents/oracle`."""
        for call in self._task.ground_truth(self._data.model_copy(deep=True)):
            done = call.model_dump(mode="json")
            episode.call_tool(done["function"], done["args"], requestor="script")
        episode.submit(self._task.GROUND_TRUTH_OUTPUT)

    def state(self) -> Any:
        return json.loads(self._data.model_dump_json())

    def describe(self) -> dict[str, Any]:
        from importlib.metadata import version

        return {"name": self.name, "version": self._version, "package": f"agentdojo {version('agentdojo')}"}

    @classmethod
    def check_machine(cls) -> None:
        with needs_extra(EXTRA):
            import agentdojo  # noqa: F401


class _SuiteTool(Tool):
    """A tool of a suite. Arguments of wrong types are the package's to convert or refuse."""

    parameters = {"type": "object"}

    def __init__(self, world: AgentDojoWorld, function: Any):
        self.name, self.description = function.name, function.description
        self._shown, self._world = function.parameters.model_json_schema(), world

    @property
    def function(self) -> dict[str, Any]:
        """The tool in the form of OpenAI's chat protocol."""
        described = {"name": self.name, "description": self.description, "parameters": self._shown}
        return {"type": "function", "function": described}

    def call(self, arguments: dict[str, Any]) -> ToolResult:
        content, is_error = self._world.respond(self.name, arguments)
        return ToolResult(content, is_error, "tool" if is_error else None)


class AgentDojoCheck(Check):
    """Gives 1 if the user's task is done, whatever else was done, else 0."""

    def score(self, episode: "Episode") -> Score:
        return Score(float(_world_of(episode).judge(episode, None)[0]))


class AgentDojoAttack(Attack):
    """Works when the goal of an injection is reached. Its texts are in the data of the environment.

    Args:
        injection_task: id of the goal.
        name: of the attack that has made the texts, for the reader.
    """

    def __init__(self, injection_task: str, name: str):
        self._injection_task, self.name = injection_task, name

    def change(self, tool: str, content: str, episode: "Episode") -> str:
        return content

    def has_worked(self, episode: "Episode") -> bool:
        return _world_of(episode).judge(episode, self._injection_task)[1]


def _world_of(episode: "Episode") -> AgentDojoWorld:
    if not isinstance(episode.environment, AgentDojoWorld):
        raise InfrastructureFailure(VERIFIER, "AgentDojo needs the environment AgentDojoWorld.")
    return episode.environment
