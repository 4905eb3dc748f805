"""The environment and the check of an episode of tau2-bench."""

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from helm.agents import events
from helm.agents.checks import Check, Score
from helm.agents.environments.environment import Environment
from helm.agents.errors import AgentError, InfrastructureFailure
from helm.agents.tau2.airline import AirlineDomain
from helm.agents.tau2.domain import ASSISTANT, USER, DataBases, Domain, ToolDescription
from helm.agents.tau2.evaluation import AGENT_STOP, USER_STOP, evaluate
from helm.agents.tau2.mock import MockDomain
from helm.agents.tau2.package_domain import PackageDomain, get_tau2_process
from helm.agents.tau2.retail import RetailDomain
from helm.agents.tools.tool import Tool, ToolResult, ToolSet
from helm.common.agent_request import AGENT_ROLE, JUDGE_ROLE, USER_ROLE, VERIFIER, EpisodeLimits
from helm.common.errors import suggest
from helm.common.request import Request

if TYPE_CHECKING:
    from helm.agents.episode import Episode

DOMAINS: dict[str, type[Domain]] = {made.name: made for made in (AirlineDomain, MockDomain, RetailDomain)}
"""The domains by name."""


class Tau2World(Environment):
    """The data bases of a task, and the tools that act on them.

    Args:
        domain: one of `DOMAINS`, or any of the package's.
        task: in the form of the data set.
        db: path of the agent's data base; of our own domains alone.
        user_db: path of the user's; None if the user has no data.
        solo: whether the agent has the user's tools too, and there is no user.
        package: where the package is that holds the domain, as `path` (see `get_tau2_process`), and `settings` of the domain;
            None for our own domains.
    """

    def __init__(
        self,
        domain: str,
        task: Mapping[str, Any],
        db: str | None = None,
        user_db: str | None = None,
        solo: bool = False,
        package: Mapping[str, Any] | None = None,
    ):
        if package is None and domain not in DOMAINS:
            raise AgentError(f"There is no domain '{domain}' of tau2.{suggest(domain, DOMAINS)}")
        self.name, self.task = f"tau2/{domain}", dict(task)
        self._domain, self._db, self._user_db, self._solo = domain, db, user_db, solo
        self._package = package
        self._made: list[DataBases] = []
        self.domain: DataBases = None  # type: ignore[assignment]  # made by start
        self.calls: list[dict[str, Any]] = []
        """The messages about tool calls so far, in the form of the data set."""

    def new_domain(self) -> DataBases:
        """Return fresh data bases, before the initial state of the task. They are closed with the world, if not before."""
        made: DataBases
        if self._package is not None:
            process = get_tau2_process(self._package.get("path"))
            made = PackageDomain(process, self._domain, self._solo, self.task, self._package.get("settings"))
        else:
            assert self._db is not None
            user_db = _read(self._user_db) if self._user_db else None
            made = DOMAINS[self._domain](_read(self._db), user_db, self._solo)
        self._made.append(made)
        return made

    def start(self, limits: EpisodeLimits) -> None:
        self.domain = self.new_domain()
        self.domain.prepare(self.task.get("initial_state"))

    def close(self) -> None:
        for made in self._made:
            made.close()
        self._made = []

    def offered_tools(self) -> list[Tool]:
        return [_DomainTool(self, tool, ASSISTANT) for tool in self.domain.described(ASSISTANT)]

    def user_tools(self) -> list[Tool]:
        """Return the tools of the user."""
        return [_DomainTool(self, tool, USER) for tool in self.domain.described(USER)]

    def respond(self, requestor: str, name: str, arguments: Mapping[str, Any]) -> tuple[str, bool]:
        """Call a tool, note it, and return what the caller sees, and whether it is an error."""
        content, is_error = self.domain.respond(requestor, name, arguments)
        call_id = f"c{len(self.calls)}"
        call = {"id": call_id, "name": name, "arguments": dict(arguments), "requestor": requestor}
        self.calls.append({"role": requestor, "tool_calls": [call]})
        self.calls.append(
            {"role": "tool", "id": call_id, "content": content, "requestor": requestor, "error": is_error}
        )
        return content, is_error

    def solve(self, episode: "Episode") -> None:
        """Make the gold calls of both sides, and say what is to be said, for `agents/oracle`."""
        criteria = self.task.get("evaluation_criteria") or {}
        of_user = ToolSet(self.user_tools())
        for action in criteria.get("actions") or []:
            is_users = (action.get("requestor") or ASSISTANT) == USER and not self._solo
            tools, requestor = (of_user, USER_ROLE) if is_users else (None, "script")
            episode.call_tool(action["name"], dict(action["arguments"]), requestor=requestor, tools=tools)
        if said := " ".join(criteria.get("communicate_info") or []):
            episode.say(ASSISTANT, said)

    def state(self) -> Any:
        return self.domain.state()

    def describe(self) -> dict[str, Any]:
        return {"name": self.name, **(self.domain.describe() if self.domain is not None else {})}


@lru_cache(maxsize=8)
def _read_bytes(path: str, stamp: int) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _read(path: str) -> dict[str, Any]:
    """Return a fresh copy of a data base."""
    return dict(json.loads(_read_bytes(path, os.stat(path).st_mtime_ns)))


class _DomainTool(Tool):
    """A tool of a domain. Arguments of wrong types are the domain's to refuse, as in the original."""

    parameters = {"type": "object"}

    def __init__(self, world: Tau2World, described: ToolDescription, requestor: str):
        self.name, self.description = described.name, described.description
        self._shown, self._world, self._requestor = described.parameters, world, requestor

    @property
    def function(self) -> dict[str, Any]:
        """The tool in the form of OpenAI's chat protocol."""
        described = {"name": self.name, "description": self.description, "parameters": self._shown}
        return {"type": "function", "function": described}

    def call(self, arguments: dict[str, Any]) -> ToolResult:
        content, is_error = self._world.respond(self._requestor, self.name, arguments)
        return ToolResult(content, is_error, "tool" if is_error else None)


class Tau2Check(Check):
    """Scores the conversation by the rules of tau2-bench: data bases, assertions, what was said and done.

    Args:
        judge: deployment of the model that judges assertions in words; empty for the one that acts as agent.
        stop: what the agent says to end the conversation.
    """

    def __init__(self, judge: str = "", stop: str = "###STOP###"):
        self._judge, self._stop = judge, stop

    def score(self, episode: "Episode") -> Score:
        world = episode.environment
        if not isinstance(world, Tau2World):
            raise InfrastructureFailure(VERIFIER, "Tau2Check needs the environment Tau2World.")
        said = _texts(episode)
        messages = [*world.calls, *said]
        reason = self._reason(episode)
        result = evaluate(world.new_domain, world.task, messages, reason, lambda a: self._ask(episode, said, a))
        rewards = {name.lower(): value for name, value in result.breakdown.items()}
        partial = (result.partial_action_reward or {}).get("total")
        if partial is not None:
            rewards["actions"] = partial["proportion"]
        return Score(result.reward, rewards, {**asdict(result), "termination_reason": reason})

    def _reason(self, episode: "Episode") -> str:
        """Return how the conversation ended, in the words of the original."""
        found = "max_steps"
        has_model = False
        for event in episode.log.events:
            kind = event["kind"]
            if kind == events.USER and event["stop"] is not None:
                found = USER_STOP
            elif kind == events.SUBMIT:  # alone, an agent says by a tool that it is done
                found = AGENT_STOP
            elif kind == events.MODEL and event["role"] == AGENT_ROLE:
                has_model = True
                if self._stop in (event["text"] or ""):
                    found = AGENT_STOP
        return found if has_model or found == USER_STOP else AGENT_STOP  # a script makes its calls and ends

    def _ask(self, episode: "Episode", said: Sequence[Mapping[str, Any]], assertions: Sequence[str]) -> list[bool]:
        """Return for each assertion whether the judge finds it fulfilled. Raises: InfrastructureFailure."""
        talk = "\n".join(f"{message['role']}: {message['content']}" for message in said)
        numbered = "\n".join(f"{number}. {text}" for number, text in enumerate(assertions, 1))
        request = Request(
            model=self._judge or episode.request.model,
            model_deployment=self._judge or episode.request.model_deployment,
            messages=[
                {
                    "role": "user",
                    "content": "Below are a conversation of a service agent (assistant) with a customer (user), and statements "
                    "about what the agent did. Decide for each statement whether it is true. Answer with a JSON list of "
                    f"{len(assertions)} booleans, in order, and nothing else.\n\n<conversation>\n{talk}\n</conversation>\n\n"
                    f"<statements>\n{numbered}\n</statements>",
                }
            ],
            temperature=0.0,
            max_tokens=1024,
            random=episode.draw,
        )
        answer = episode.send(request, JUDGE_ROLE).text
        for match in reversed(re.findall(r"\[[^\[\]]*\]", answer)):
            try:
                found = json.loads(match)
            except ValueError:
                continue
            if len(found) == len(assertions) and all(isinstance(value, bool) for value in found):
                return found
        raise InfrastructureFailure(VERIFIER, f"The judge gave no list of {len(assertions)} booleans: {answer!r:.200}")


def _texts(episode: "Episode") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for event in episode.log.events:
        if event["kind"] == events.MODEL and event["role"] == AGENT_ROLE and event["text"]:
            found.append({"role": ASSISTANT, "content": event["text"]})
        elif event["kind"] == events.USER:
            found.append({"role": USER, "content": event["content"]})
        elif event["kind"] == events.MESSAGE and event["role"] == ASSISTANT:
            found.append({"role": ASSISTANT, "content": event["content"]})
    return found
