"""What is asked of the package `inspect_evals`, in its own interpreter. It imports nothing of ours; see `packages.serve`.

A session holds the tools of one task. Whatever the graders ask a judge is answered by whoever calls: a judge's answer that is not
given yet ends the grading, and the question is returned.
"""

import asyncio
import itertools
import json
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

_loop = asyncio.new_event_loop()
_sessions: dict[int, list[Any]] = {}
_numbers = itertools.count(1)
_GRADERS = {"harmful": harmful_grading_functions, "benign": benign_grading_functions}


class NoAnswerYet(Exception):
    """The judge's answer is not known."""


class Judge:
    """Holds the answers of the grading that runs."""

    answers: dict[str, str] = {}
    question: Any = None


class JudgeApi(ModelAPI):
    """A model whose answers are given before."""

    async def generate(self, input: Any, tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
        """Return the known answer. Raises: NoAnswerYet."""
        asked = [{"role": message.role, "content": message.text} for message in input]
        key = json.dumps(asked)
        if key not in Judge.answers:
            Judge.question = {"messages": asked, "temperature": config.temperature, "max_tokens": config.max_tokens}
            raise NoAnswerYet
        return ModelOutput.from_content("judge/judge", Judge.answers[key])


@modelapi(name="judge")
def judge_api() -> type[ModelAPI]:
    """Return the class of the judge."""
    return JudgeApi


def version() -> str:
    """Return the names and versions of the packages."""
    return ", ".join(f"{name} {metadata.version(name)}" for name in ("inspect_evals", "inspect_ai"))


def open_session(kind: str, row: dict[str, Any]) -> list[Any]:
    """Make the tools of a task; return the session's number, and the tools as a model is shown them."""
    state = _state(row, [])

    async def generate(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError

    prepared = _loop.run_until_complete(setup_tools_from_metadata(kind, get_benchmark_tools(kind))(state, generate))
    number = next(_numbers)
    _sessions[number] = list(prepared.tools)
    shown = [ToolDef(tool) for tool in prepared.tools]
    return [
        number,
        [
            {"name": tool.name, "description": tool.description, "parameters": tool.parameters.model_dump(
                mode="json", exclude_none=True)}
            for tool in shown
        ],
    ]  # fmt: skip


def close_session(session: int) -> None:
    """Forget the tools."""
    _sessions.pop(session, None)


def respond(session: int, name: str, arguments: Any) -> list[Any]:
    """Call a tool; return what a model sees, and the kind of the error, or null."""
    asked = ChatMessageAssistant(content="", tool_calls=[ToolCall(id="0", function=name, arguments=arguments)])
    answer = _loop.run_until_complete(execute_tools([asked], _sessions[session])).messages[-1]
    error = answer.error
    return [answer.text if error is None else error.message, None if error is None else error.type]


def score(kind: str, row: dict[str, Any], messages: list[dict[str, Any]], answers: dict[str, str]) -> dict[str, Any]:
    """Grade a conversation, or return what the judge is asked next, as `question`."""
    judge = get_model("judge/judge")
    state = _state(row, [_message(message) for message in messages])
    Judge.answers, Judge.question = answers, None
    grade = combined_scorer(_GRADERS[kind], RefusalJudgeLLM(judge), judge)
    try:
        found = _loop.run_until_complete(grade(state, Target("")))
    except Exception:
        if Judge.question is None:
            raise
    if Judge.question is not None:
        return {"question": Judge.question}
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


CALLS = {function.__name__: function for function in (version, open_session, close_session, respond, score)}
"""What can be asked, by name."""
