"""An episode while it runs: everything that an agent may use."""

import json
import random
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, replace
from typing import Any

from helm.agents import events
from helm.agents.attacks import Attack
from helm.agents.checks import Check
from helm.agents.environments.environment import Environment
from helm.agents.errors import InfrastructureFailure, LimitReached, Refused, RequestRefused, ToolFailure
from helm.agents.events import EventLog, sha256_of
from helm.agents.model_events import index_events, model_fields, result_of
from helm.agents.tools.schema_check import find_problem
from helm.agents.tools.tool import ToolResult, ToolSet
from helm.agents.users.user import SimulatedUser, UserReply
from helm.common.agent_request import (
    AGENT_ROLE,
    BRIDGE_ROLE,
    MODEL,
    STOPPED,
    SUBMITTED,
    USER,
    USER_ROLE,
    AgentRequest,
    EpisodeCounts,
    LimitHit,
    RoleUsage,
)
from helm.common.request import FILTERED, GeneratedOutput, Request, RequestResult, Usage
from helm.common.request import REFUSED as REQUEST_REFUSED
from helm.common.sending import at_place, current_place

Send = Callable[[Request], RequestResult]
"""Sends a request the way of all requests: cached, limited, budgeted. It returns failures."""

PriceOf = Callable[[str, Usage], float | None]
"""Returns what tokens cost in US dollars; None if the price of the deployment is unknown."""


_NOT_ALLOWED = "refused"
"""The problem of a call that a person did not allow."""


class Episode:
    """What an agent sees of its episode: the conversation, its tools, and what is left of the limits.

    Args:
        request: what is asked for.
        send: the way to language models.
        log: the transcript.
        environment: where tools act, started; None without one.
        tools: all tools of the agent.
        user: the simulated user; None without one.
        check: scores the episode; None if it has no score.
        price_of: see `PriceOf`.
        earlier: the events of an interrupted attempt, whose answers are used again.
        approve: asked with the task, the tool and the arguments before each call; returns why it is not allowed, else None.
        attack: what somebody else does to the agent; None for nothing.
    """

    def __init__(
        self,
        request: AgentRequest,
        send: Send,
        log: EventLog,
        environment: Environment | None = None,
        tools: ToolSet | None = None,
        user: SimulatedUser | None = None,
        check: Check | None = None,
        price_of: PriceOf | None = None,
        earlier: Sequence[events.Event] = (),
        approve: Callable[[str, str, Any], str | None] | None = None,
        attack: Attack | None = None,
    ):
        self.request = request
        self.log = log
        self.environment = environment
        self.tools = ToolSet() if tools is None else tools
        self.user = user
        self.check = check
        self.attack = attack
        self.messages: list[dict[str, Any]] = [dict(message) for message in request.messages]
        """The conversation in the form of OpenAI's chat protocol. The agent appends to it."""
        self.random = random.Random(f"{request.task}:{request.seed}:{request.epoch}")
        """The source of random numbers of agents that need one."""
        self.answer: str | None = None
        """What was submitted, or else the last text of the agent."""
        self.outcome = STOPPED
        """How the episode ends if the agent ends now."""
        self.usage: dict[str, RoleUsage] = {}
        self.counts = EpisodeCounts()
        self.has_diverged = False
        """Whether a resumed episode goes another way than before."""
        self._waited_s = 0.0
        self._place, self._num_asked = current_place(), Counter[str]()
        self._send, self._price_of, self._approve = send, price_of, approve
        self._answers, self._results = index_events(earlier)
        self.is_resumed = bool(earlier)
        self.resumed_at: int | None = None
        """The number of the first event that is not known from before; None if all are."""

    # What an agent may do:

    def ask(
        self,
        messages: Sequence[Mapping[str, Any]] | None = None,
        with_tools: bool = True,
        tools: ToolSet | None = None,
    ) -> GeneratedOutput:
        """Ask the agent's model, by default with the whole conversation and all tools.

        Args:
            messages: another conversation.
            with_tools: whether the model may call tools.
            tools: other tools.

        Raises:
            LimitReached: A limit is used up; the agent lets this pass.
            Refused: The model's filter withheld the answer.
            InfrastructureFailure: There is no answer.
        """
        request, sampling = self.request, self.request.sampling
        offered = (self.tools if tools is None else tools) if with_tools else ToolSet()
        asked = Request(
            model=request.model,
            model_deployment=request.model_deployment,
            messages=list(self.messages if messages is None else messages),  # type: ignore[arg-type]
            temperature=sampling.temperature,
            top_p=sampling.top_p,
            max_tokens=sampling.max_tokens,
            stop_sequences=list(sampling.stop_sequences),
            tools=offered.functions or None,
            random=self.draw,
        )
        return self.send(asked)

    @property
    def draw(self) -> str | None:
        """The value of `Request.random`: epochs and seeds are separate draws."""
        request = self.request
        return f"{request.seed}:{request.epoch}" if request.seed or request.epoch else None

    def send(self, asked: Request, role: str = AGENT_ROLE, digest: str | None = None) -> GeneratedOutput:
        """Send any request to a language model on behalf of a role. See `ask`.

        `digest` finds the recorded answer of an interrupted attempt; by default it is that of the whole request.

        Raises: RequestRefused if the provider does not take a request of an outside program; else what `ask` raises.
        """
        is_agents = role in (AGENT_ROLE, BRIDGE_ROLE)
        if is_agents:
            self.check_limits(turns=1)
        digest = digest or sha256_of(asdict(asked))
        started = time.monotonic()
        recorded = self._take_answer(digest)
        number = self._num_asked[digest] = self._num_asked[digest] + 1
        if recorded is not None:
            result = result_of(recorded)
        else:
            # A further attempt gives the same request the same place, so a provider can recognize one that it has answered.
            with at_place(f"{self._place}:{digest}:{number}") if self._place is not None else nullcontext():
                result = self._send(asked)
        waited = time.monotonic() - started
        if recorded is None and not result.cached:
            self._waited_s += max(0.0, waited - (result.request_time or 0.0))
        output = result.completions[0] if result.completions else GeneratedOutput("", 0, [])
        if recorded is not None:
            cost = recorded.get("cost_usd")
        else:
            cost = self._price_of(asked.model_deployment, result.usage) if self._price_of and result.usage else None
        self.log.add(events.MODEL, **model_fields(asked, result, output, role, digest, cost))
        if is_agents:
            self.counts = replace(self.counts, turns=self.counts.turns + 1)
        if not result.success:
            if result.outcome == FILTERED and is_agents:
                raise Refused(result.error or "a content filter withheld the answer")
            if result.outcome == REQUEST_REFUSED and role == BRIDGE_ROLE:
                raise RequestRefused(result.error or "the provider refused the request")
            raise InfrastructureFailure(USER if role == USER_ROLE else MODEL, result.error or "no answer")
        self.usage[role] = self.usage.get(role, RoleUsage()).plus(result.usage, cost)
        if is_agents and output.text:
            self.answer = output.text
        return output

    def call_tool(
        self,
        name: str,
        arguments: Any,
        call_id: str | None = None,
        requestor: str = "agent",
        tools: ToolSet | None = None,
    ) -> ToolResult:
        """Call a tool, and return what the model is to see, errors included.

        Args:
            name: of the tool, as the model wrote it.
            arguments: a JSON object, or a text where the model wrote no JSON.
            call_id: what the model calls it; None makes one up.
            requestor: `agent`, `user`, or `script`. Calls of the user are not counted.
            tools: where the tool is found; None for those of the agent.

        Raises:
            LimitReached: A limit is used up.
            InfrastructureFailure: The environment does not work.
        """
        counts, offered = self.counts, self.tools if tools is None else tools
        is_counted = requestor != USER_ROLE
        self.check_limits(tool_calls=int(is_counted))
        call_id = call_id or f"call_{counts.tool_calls}"
        problem, words = _find_problem(offered, name, arguments)
        if problem is None and self._approve is not None and requestor != USER_ROLE:
            words = self._approve(self.request.task, name, arguments) or ""
            problem = _NOT_ALLOWED if words else None
        self.log.add(
            events.TOOL_CALL,
            id=call_id,
            name=name,
            arguments=arguments,
            requestor=requestor,
            valid=problem is None,
            problem=problem,
        )
        started = time.monotonic()
        if problem is not None:
            result = ToolResult(words, is_error=True, error_kind="permission" if problem == _NOT_ALLOWED else "tool")
        else:
            found = offered.get(name)
            assert found is not None
            try:
                result = found.call(arguments)
            except ToolFailure as e:
                result = ToolResult(str(e), is_error=True, error_kind=e.kind)
        if self.attack is not None and is_counted:
            result = replace(result, content=self.attack.change(name, result.content, self))
        digest = sha256_of(result.content if result.normalized is None else result.normalized)
        content, cut_bytes = cut_in_the_middle(result.content, self.request.limits.result_bytes)
        event = self.log.add(
            events.TOOL_RESULT,
            id=call_id,
            content=content,
            is_error=result.is_error,
            error_kind=result.error_kind,
            cut_bytes=cut_bytes,
            returncode=result.returncode,
            elapsed_s=round(time.monotonic() - started, 6),
            sha256=digest,
        )
        if is_counted:
            counts = self.counts  # a tool that is an agent has made calls of its own
            self.counts = replace(
                counts,
                tool_calls=counts.tool_calls + 1,
                invalid_tool_calls=counts.invalid_tool_calls + (problem not in (None, _NOT_ALLOWED)),
                tool_errors=counts.tool_errors + result.is_error,
            )
        self._compare_with_earlier(event)
        return replace(result, content=content)

    def record_call(
        self,
        call_id: str,
        name: str,
        arguments: Any,
        content: str | None = None,
        is_error: bool = False,
        normalized: str | None = None,
    ) -> None:
        """Record a call of a tool that an outside program has made by itself. Limits are checked when it next asks.

        Args:
            call_id: what the model calls it.
            name: of the program's tool.
            arguments: as the model wrote them.
            content: what the model was told; None if the program ended before.
            is_error: whether that was an error.
            normalized: what is compared with an interrupted attempt; None for the content.
        """
        fields: dict[str, Any] = {"valid": True, "problem": None}
        self.log.add(events.TOOL_CALL, id=call_id, name=name, arguments=arguments, requestor=AGENT_ROLE, **fields)
        self.counts = replace(
            self.counts, tool_calls=self.counts.tool_calls + 1, tool_errors=self.counts.tool_errors + is_error
        )
        if content is None:
            return
        cut, cut_bytes = cut_in_the_middle(content, self.request.limits.result_bytes)
        fields = {"error_kind": "tool" if is_error else None, "cut_bytes": cut_bytes, "returncode": None}
        event = self.log.add(
            events.TOOL_RESULT, id=call_id, content=cut, is_error=is_error, **fields, elapsed_s=None,
            sha256=sha256_of(content if normalized is None else normalized),
        )  # fmt: skip
        self._compare_with_earlier(event)

    def reply_of_user(self, text: str) -> UserReply:
        """Say something to the user, and return the answer. Raises: InfrastructureFailure."""
        if self.user is None:
            raise InfrastructureFailure(USER, "The episode has no user.")
        reply = self.user.reply(text, self)
        self.counts = replace(self.counts, user_turns=self.counts.user_turns + 1)
        self.log.add(events.USER, content=reply.text, stop=reply.stop)
        return reply

    def submit(self, answer: str) -> None:
        """Record the final answer."""
        self.answer, self.outcome = answer, SUBMITTED
        self.log.add(events.SUBMIT, answer=answer)

    def close(self) -> None:
        """Let go of the tools. They refer to the episode, which would wait for the garbage collector otherwise."""
        self.tools = ToolSet()

    @property
    def is_over(self) -> bool:
        """Whether an answer is submitted."""
        return self.outcome == SUBMITTED

    def reopen(self) -> bool:
        """Let the agent try again if its answer is wrong: return whether it may. Without a check, it may not."""
        if self.check is None or self.check.score(self).reward >= 1:
            return False
        self.outcome = STOPPED
        return True

    def begin_step(self, instruction: str) -> None:
        """Tell the agent the next step of its task; it acts again."""
        self.outcome = STOPPED
        self.say("user", instruction)

    def say(self, role: str, content: str) -> None:
        """Append a message that no model has written to the conversation, and to the transcript."""
        self.messages.append({"role": role, "content": content})
        self.log.add(events.MESSAGE, role=role, content=content)

    @property
    def seconds_left(self) -> float:
        """What is left of the episode's time in seconds, and of the time of one tool call; at least 0."""
        limits = self.request.limits
        return max(0.0, min(limits.seconds - self.log.elapsed_s, limits.tool_seconds))

    @property
    def limit_left_s(self) -> float:
        """What is left of the episode's time in seconds, for a program that acts by itself; at least 0."""
        return max(0.0, self.request.limits.seconds - self.log.elapsed_s)

    @property
    def working_s(self) -> float:
        """Seconds since the start, without waiting for limiters and retries."""
        return max(0.0, self.log.elapsed_s - self._waited_s)

    def check_limits(self, turns: int = 0, tool_calls: int = 0) -> None:
        """Raise LimitReached if a limit is used up.

        Args:
            turns: calls of the model that are about to be made.
            tool_calls: tool calls that are about to be made.
        """
        limits, usages = self.request.limits, [self.usage.get(role) for role in (AGENT_ROLE, BRIDGE_ROLE)]
        mine = [usage for usage in usages if usage is not None]
        costs = [usage.cost_usd for usage in mine]
        used: dict[str, tuple[float | None, float]] = {
            "turns": (limits.turns, self.counts.turns + turns),
            "tool_calls": (limits.tool_calls, self.counts.tool_calls + tool_calls),
        }
        for name, (limit, number) in used.items():
            if limit is not None and number > limit:
                raise LimitReached(LimitHit(name, limit, limit))
        measured: dict[str, tuple[float | None, float]] = {
            "tokens": (limits.tokens, sum(usage.prompt_tokens + usage.completion_tokens for usage in mine)),
            "cost_usd": (limits.cost_usd, sum(cost for cost in costs if cost is not None)),
            "seconds": (limits.seconds, self.log.elapsed_s),
            "working_seconds": (limits.working_seconds, self.working_s),
        }
        for name, (limit, amount) in measured.items():
            if limit is not None and amount >= limit:
                raise LimitReached(LimitHit(name, limit, amount))

    # Resuming:

    def _take_answer(self, digest: str) -> events.Event | None:
        """Return the recorded answer to an equal request of an interrupted attempt, which is not paid for again."""
        waiting = self._answers.get(digest)
        if waiting:
            return waiting.popleft()
        if self.is_resumed and self.resumed_at is None:
            self.resumed_at = len(self.log.events)
            if any(self._answers.values()):
                self._diverge(None, digest)
        return None

    def _compare_with_earlier(self, event: events.Event) -> None:
        if not self._results or self.has_diverged:
            return
        expected = self._results.popleft()
        if expected.get("sha256") != event["sha256"]:
            self._diverge(expected.get("sha256"), event["sha256"])

    def _diverge(self, expected: str | None, found: str) -> None:
        self.has_diverged = True
        self.log.add(events.DIVERGENCE, event=len(self.log.events) - 1, expected_sha256=expected, sha256=found)


def _find_problem(tools: ToolSet, name: str, arguments: Any) -> tuple[str | None, str]:
    """Return the kind of problem of a call and the words for the model; None if it can be made."""
    found = tools.get(name) if isinstance(name, str) else None
    if found is None:
        return "unknown_tool", tools.unknown(str(name))
    if not isinstance(arguments, dict):
        return "no_json", "The arguments are no JSON object."
    words = find_problem(arguments, found.parameters)
    return ("schema", f"{words}.") if words else (None, "")


def cut_in_the_middle(text: str, limit: int) -> tuple[str, int]:
    """Return a text of at most about `limit` bytes of UTF-8, and how many bytes were left out of its middle."""
    data = text.encode("utf-8", "surrogatepass")
    if len(data) <= limit:
        return text, 0
    head, tail = data[: limit // 2], data[len(data) - limit // 2 :]
    left_out = len(data) - len(head) - len(tail)
    words = f"\n[... {left_out} bytes left out ...]\n"
    return head.decode("utf-8", "ignore") + words + tail.decode("utf-8", "ignore"), left_out


def assistant_message(output: GeneratedOutput, number: int) -> dict[str, Any]:
    """Return a model's answer as a message of the conversation; calls without an id get one.

    Args:
        output: the answer.
        number: of the first call, for the ids.
    """
    message: dict[str, Any] = {"role": "assistant", "content": output.text}
    if output.tool_calls:
        message["tool_calls"] = [
            {
                "id": call.get("id") or f"call_{number + offset}",
                "type": "function",
                "function": {"name": str(call.get("name")), "arguments": _as_text(call.get("arguments"))},
            }
            for offset, call in enumerate(output.tool_calls)
        ]
    return message


def tool_message(call_id: str, content: str) -> dict[str, Any]:
    """Return a tool's result as a message of the conversation."""
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def _as_text(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments if arguments is not None else {})
