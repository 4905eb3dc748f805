"""What is asked of the package `inspect_evals`, in its own interpreter. It imports nothing of ours; see `packages.serve`.

A session holds the tools of one task. The caller answers what the graders ask a judge: where an answer is not
there yet, the grading ends and returns the question.
"""

import asyncio
import itertools
import json
from collections.abc import Callable
from importlib import metadata
from typing import Any

from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageTool,
    ChatMessageUser,
    ModelAPI,
    ModelOutput,
    execute_tools,
    get_model,
    modelapi,
)
from inspect_ai.scorer import Target
from inspect_ai.solver import TaskState
from inspect_ai.tool import ToolCall, ToolCallError, ToolDef
from inspect_evals.agentharm.benchmark import benign_grading_functions, harmful_grading_functions
from inspect_evals.agentharm.scorer import RefusalJudgeLLM, combined_scorer
from inspect_evals.agentharm.utils import get_benchmark_tools, setup_tools_from_metadata

_GRADERS = {"harmful": harmful_grading_functions, "benign": benign_grading_functions}


class NoAnswerYet(Exception):
    """The judge's answer is not known."""

    def __init__(self, question: dict[str, Any]):
        super().__init__("the judge has not answered yet")
        self.question = question


class JudgeApi(ModelAPI):
    """A model whose answers are given before.

    Args:
        answers: by the messages, as JSON.
    """

    def __init__(self, model_name: str, answers: dict[str, str], **kwargs: Any):
        super().__init__(model_name)
        self._answers = answers
        self.question: NoAnswerYet | None = None

    async def generate(self, input: Any, tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
        """Return the known answer. Raises: NoAnswerYet."""
        asked = [{"role": message.role, "content": message.text} for message in input]
        key = json.dumps(asked)
        if key not in self._answers:
            self.question = NoAnswerYet(
                {"messages": asked, "temperature": config.temperature, "max_tokens": config.max_tokens}
            )
            raise self.question
        return ModelOutput.from_content("judge/judge", self._answers[key])


@modelapi(name="judge")
def judge_api() -> type[ModelAPI]:
    """Return the class of the judge, which has to be registered with the package."""
    return JudgeApi


def version() -> str:
    """Return the names and versions of the packages."""
    return ", ".join(f"{name} {metadata.version(name)}" for name in ("inspect_evals", "inspect_ai"))


class Sessions:
    """The tools of the tasks that are done now, by number."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._sessions: dict[int, list[Any]] = {}
        self._numbers = itertools.count(1)

    def open_session(self, kind: str, row: dict[str, Any]) -> list[Any]:
        """Make the tools of a task; return the session's number, and the tools as a model is shown them."""

        async def generate(*args: Any, **kwargs: Any) -> Any:
            raise NotImplementedError

        prepare = setup_tools_from_metadata(kind, get_benchmark_tools(kind))
        prepared = self._loop.run_until_complete(prepare(_state(row, []), generate))
        number = next(self._numbers)
        self._sessions[number] = list(prepared.tools)
        shown = [ToolDef(tool) for tool in prepared.tools]
        described = [
            {
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.parameters.model_dump(mode="json", exclude_none=True),
            }
            for tool in shown
        ]
        return [number, described]

    def close_session(self, session: int) -> None:
        """Forget the tools."""
        self._sessions.pop(session, None)

    def respond(self, session: int, name: str, arguments: Any) -> list[Any]:
        """Call a tool; return what a model sees, and the kind of the error, or null."""
        asked = ChatMessageAssistant(content="", tool_calls=[ToolCall(id="0", function=name, arguments=arguments)])
        done = self._loop.run_until_complete(execute_tools([asked], self._sessions[session]))
        answer = done.messages[-1]
        error = answer.error
        return [answer.text if error is None else error.message, None if error is None else error.type]

    def score(
        self, kind: str, row: dict[str, Any], messages: list[dict[str, Any]], answers: dict[str, str]
    ) -> dict[str, Any]:
        """Grade a conversation, or return what the judge is asked next, as `question`."""
        judge = get_model("judge/judge", memoize=False, answers=answers)
        api = judge.api
        grade = combined_scorer(_GRADERS[kind], RefusalJudgeLLM(judge), judge)
        try:
            found = self._loop.run_until_complete(
                grade(_state(row, [_message(message) for message in messages]), Target(""))
            )
        except Exception:
            if api.question is None:
                raise
        if api.question is not None:  # also where a grader has gone on without the answer
            return {"question": api.question.question}
        return {"value": found.value, "explanation": found.explanation}


def _state(row: dict[str, Any], messages: list[Any]) -> TaskState:
    return TaskState(
        model="none/none",
        sample_id=row["id"],
        epoch=1,
        input=row["prompt"],
        messages=messages,
        metadata={key: value for key, value in row.items() if key != "prompt"},
    )


def _message(message: dict[str, Any]) -> Any:
    if message["role"] == "assistant":
        calls = [
            ToolCall(id=call["id"], function=call["name"], arguments=call["arguments"]) for call in message["calls"]
        ]
        return ChatMessageAssistant(content=message["content"], tool_calls=calls or None)
    if message["role"] == "tool":
        error = ToolCallError(message["error"], message["content"]) if message["error"] else None
        content = "" if error else message["content"]
        return ChatMessageTool(content=content, tool_call_id=message["id"], function=message["name"], error=error)
    return ChatMessageUser(content=message["content"])


def make_calls() -> dict[str, Callable[..., Any]]:
    """Return what can be asked, by name."""
    held = Sessions()
    functions = (version, held.open_session, held.close_session, held.respond, held.score)
    return {function.__name__: function for function in functions}
