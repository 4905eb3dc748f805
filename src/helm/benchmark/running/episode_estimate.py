"""Estimates what episodes of agents would send and cost.

A model sees the whole conversation at each turn. With T turns, a first prompt of p tokens, and m tokens of output and r of tool
results a turn, the prompts have T·p + T(T-1)/2·(m+r) tokens together. All but the new ones of each turn can come from the
provider's prompt cache.
"""

import json
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.price_registry import get_price
from helm.benchmark.run_settings import RunSettings
from helm.benchmark.run_spec import RunSpec
from helm.common.agent_request import AgentRequest
from helm.common.errors import HelmError
from helm.common.object_spec import ObjectSpec, create_object, get_class_by_name
from helm.common.request import Request

USUAL_TURNS = 15
_USUAL_OUTPUT = 150
"""Tokens of a usual turn: a sentence and a call."""
_USUAL_RESULT = 300
"""Tokens of a usual result of a tool."""
_USER_SHARE = 0.5
"""Turns of a simulated user for each of the agent."""
_CHARACTERS_PER_TOKEN = 4
_TOOL_CHARACTERS = 3000
"""Descriptions of the tools; which ones there are is known when the environment runs."""


@dataclass(frozen=True)
class Tokens:
    """The tokens of all episodes together."""

    prompt: float = 0.0

    repeated: float = 0.0
    """The tokens of prompts that an earlier prompt of the same episode had, too."""

    completion: float = 0.0

    def __add__(self, other: "Tokens") -> "Tokens":
        return Tokens(self.prompt + other.prompt, self.repeated + other.repeated, self.completion + other.completion)


@dataclass(frozen=True)
class EpisodesEstimate:
    """What the episodes of a run would need. The order of the fields is their order in `estimate.json`."""

    episodes: int

    usual_turns: float
    """Turns of an episode: the median of earlier runs of the scenario in this suite, else 15, or the limit if that is less."""

    most_turns: int
    """The largest limit of an episode."""

    repeated_prompt_tokens: int
    """Prompt tokens of usual episodes that a prompt cache of the provider may have."""

    cost_with_prompt_cache: float | None
    """The expected cost in US dollars if it has all of them; None if a price is unknown."""

    environments: int
    """The largest number at one time."""

    environment_memory_mb: int | None
    """The memory that these may use together, in MiB; None if it is not limited."""


def tokens_of_turns(turns: float, first: float, output: float, result: float) -> Tokens:
    """Return the tokens of one episode; see the formula above."""
    prompt = turns * first + turns * (turns - 1) / 2 * (output + result)
    new = first + max(0.0, turns - 1) * (output + result)
    return Tokens(prompt, max(0.0, prompt - new), turns * output)


def find_usual_turns(run_spec: RunSpec, suite_path: str) -> float | None:
    """Return the median number of turns of the finished runs of the same scenario in a suite; None if there is none."""
    from helm.results.run_results import load

    try:
        runs = load(suite_path)
    except (HelmError, OSError):
        return None
    found = []
    for run in runs:
        try:
            if run.run_spec.scenario_spec != run_spec.scenario_spec:
                continue
            found += [stat.mean for stat in run.stats() if stat.name.name == "agent_turns" and stat.mean]
        except (HelmError, OSError):
            continue
    return float(statistics.median(found)) if found else None


def needs_model(agent: ObjectSpec | None) -> bool:
    """Return whether an agent asks a model; one that cannot be found is taken to."""
    try:
        return bool(getattr(get_class_by_name(agent.class_name), "needs_model", True)) if agent is not None else True
    except (ImportError, AttributeError, ValueError):
        return True


def count_episode(request: AgentRequest, turns: float | None) -> tuple[Tokens, Tokens, Tokens]:
    """Return the tokens of an episode at least, as expected, and at most; without those of the user.

    Args:
        request: the episode.
        turns: the usual number; None takes 15.
    """
    if not needs_model(request.agent):
        return Tokens(), Tokens(), Tokens()
    first = _first_prompt(request)
    usual = min(turns if turns is not None else USUAL_TURNS, request.limits.turns)
    most, result = request.limits.turns, request.limits.result_bytes / _CHARACTERS_PER_TOKEN
    if request.agent is not None and request.agent.class_name.endswith(".SingleTurnToolUse"):
        usual = most = 1
    longest = request.sampling.max_tokens
    return (
        tokens_of_turns(1, first, 1, 0),
        tokens_of_turns(usual, first, min(_USUAL_OUTPUT, longest), _USUAL_RESULT),
        tokens_of_turns(most, first, longest, result),
    )


def count_user(request: AgentRequest, turns: float | None) -> Tokens:
    """Return the tokens that a simulated user is expected to need; none if no model plays it."""
    if request.user is None or "instructions" not in request.user.args:
        return Tokens()
    usual = min(turns if turns is not None else USUAL_TURNS, request.limits.turns) * _USER_SHARE
    first = len(str(request.user.args["instructions"])) / _CHARACTERS_PER_TOKEN
    return tokens_of_turns(max(1.0, usual), first, _USUAL_OUTPUT, _USUAL_OUTPUT)


def price_of(deployment: str, tokens: Tokens, with_cache: bool = False) -> float | None:
    """Return what tokens cost in US dollars; None if the price is unknown."""
    price = get_price(deployment)
    if price is None:
        return None
    whole = replace(price, up_to_prompt_tokens=None)
    cached = math.floor(tokens.repeated) if with_cache else 0
    return whole.cost(math.ceil(tokens.prompt), math.ceil(tokens.completion), cached)


def get_episodes(state: ScenarioState) -> list[AgentRequest]:
    """Return the requests of a run that are episodes."""
    return [one.request for one in state.request_states if isinstance(one.request, AgentRequest)]


def find_problems(
    run_spec: RunSpec, requests: Sequence[AgentRequest], context: Any, settings: RunSettings
) -> list[str]:
    """Return what this machine lacks for the episodes, in one line each."""
    from helm.agents.executor import AgentExecutor

    try:
        AgentExecutor(context, settings).check_machine(requests)
    except HelmError as e:
        return [f"{run_spec.name}: {e}"]
    return []


def count_environments(requests: Sequence[AgentRequest], settings: RunSettings) -> tuple[int, int | None]:
    """Return how many environments there are at one time, and the memory in MiB that they may use together."""
    from helm.agents.environments.environment import Environment

    sizes: dict[str, int | None] = {}
    found: list[int | None] = []
    for request in requests:
        spec = request.environment
        if spec is None:
            continue
        key = json.dumps([spec.class_name, spec.args], sort_keys=True, default=str)
        if key not in sizes:
            try:
                made = create_object(spec)
            except Exception:
                made = None  # the run reports it
            sizes[key] = made.memory_mb if isinstance(made, Environment) else None
        found.append(sizes[key])
    number = min(len(found), settings.max_in_flight)
    known = sorted((size for size in found if size is not None), reverse=True)
    return number, sum(known[:number]) if known else None


def _first_prompt(request: AgentRequest) -> float:
    """Return the tokens of the first prompt: its messages, and some for the tools."""
    characters = sum(len(str(message.get("content", ""))) for message in request.messages)
    has_tools = request.environment is not None or bool(request.tools)
    return (characters + has_tools * _TOOL_CHARACTERS) / _CHARACTERS_PER_TOKEN


def first_request(request: AgentRequest) -> Request:
    """Return a request like the first one of an episode, which is not looked up but shows whether a key is missing."""
    return Request(model=request.model, model_deployment=request.model_deployment, prompt="?")
