"""Replays a recorded episode: the model's answers are those of the record, the tools are really called again."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from helm.agents import events
from helm.agents.events import Event, EventLog
from helm.agents.executor import AgentExecutor
from helm.benchmark.executing.execution import EXCLUDE
from helm.benchmark.run_settings import RunSettings
from helm.common.agent_request import AgentRequest, AgentResult
from helm.common.request import REFUSED, Request, RequestResult

_NOT_RECORDED = "The record has no answer to this request, because the episode went another way."


@dataclass(frozen=True)
class Replay:
    """What came out of a replay."""

    recorded: AgentResult

    result: AgentResult

    first_difference: int | None
    """The number of the first event that is not as recorded; None if all are."""

    @property
    def is_same(self) -> bool:
        """Whether the episode went the same way to the same score."""
        return self.first_difference is None and self.result.rewards == self.recorded.rewards


class RecordedAnswers:
    """Stands for the way to language models: nothing is sent."""

    def get_client(self, deployment: str) -> None:
        """Return None: there is no endpoint."""

    def make_request(self, request: Request) -> RequestResult:
        """Refuse a request that the record does not answer."""
        return RequestResult(
            success=False, cached=False, completions=[], embedding=[], error=_NOT_RECORDED, outcome=REFUSED
        )


def replay(
    request: AgentRequest,
    recorded: AgentResult,
    watch: Callable[[Event], None] | None = None,
    allow_host_tools: bool = False,
) -> Replay:
    """Run an episode again with recorded answers, in a fresh environment.

    Args:
        request: the episode.
        recorded: what happened then.
        watch: called with each event.
        allow_host_tools: whether tools may be programs outside the sandbox.

    Raises: ConfigError if this machine lacks what the episode needs; AgentError.
    """
    settings = RunSettings(on_failure=EXCLUDE, allow_host_tools=allow_host_tools)
    executor = AgentExecutor(RecordedAnswers(), settings, retries=0)  # type: ignore[arg-type]
    executor.check_machine([request])
    result = executor.attempt(request, EventLog(watch=watch), recorded.events)
    return Replay(recorded, result, find_difference(recorded.events, result.events))


def find_difference(one: Sequence[Event], other: Sequence[Event]) -> int | None:
    """Return the number of the first event of the second episode that differs from the first; None if none does.

    Times, costs, and the words of environments do not count.
    """
    mine, theirs = ([event for event in found if _key(event) is not None] for found in (one, other))
    for first, second in zip(mine, theirs, strict=False):
        if _key(first) != _key(second):
            return int(second["n"])
    if len(mine) != len(theirs):
        longer = mine if len(mine) > len(theirs) else theirs
        return int(longer[min(len(mine), len(theirs))]["n"])
    return None


def _key(event: Event) -> tuple[Any, ...] | None:
    """Return what an event is compared by; None if it does not matter."""
    kind = event.get("kind")
    fields = {
        events.MODEL: ("role", "request_sha256", "text", "tool_calls"),
        events.TOOL_CALL: ("name", "arguments", "problem"),
        events.TOOL_RESULT: ("sha256", "is_error"),
        events.USER: ("content", "stop"),
        events.SUBMIT: ("answer",),
        events.SCORE: ("rewards",),
    }.get(str(kind))
    return (kind, *(event.get(name) for name in fields)) if fields is not None else None
