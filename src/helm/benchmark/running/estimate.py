"""Estimates what a command would send, cost and take: the output of `helm-run --dry-run`.

Tokens are counted as `DryRunMetric` does, those of pictures by their size and of sounds by their length; what is in the
response cache already costs nothing. Three costs are given: `low` (one token for each completion), `expected` (completions as
long as those in the cache are on average, else a quarter of what is allowed), and `worst` (every completion as long as
allowed). Requests of judges are not in them.
"""

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from helm.benchmark.adaptation.adapter_spec import ADAPT_AGENT, ADAPT_COMPILER_DIALOG
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.executing.capability_check import MEDIA, needs_of
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.model_deployment_registry import get_model_deployment
from helm.benchmark.price_registry import get_price
from helm.benchmark.run_settings import RunSettings
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.running.picture_tokens import picture_tokens
from helm.benchmark.running.sound_tokens import sound_tokens
from helm.common.budgets.spending import expected_completion_tokens
from helm.common.episode_request import EpisodeRequest
from helm.common.errors import HelmError
from helm.common.request import Request, RequestResult
from helm.common.sending import nothing_sent

if TYPE_CHECKING:
    from helm.benchmark.running.episode_estimate import EpisodesEstimate

FILE_NAME = "estimate.json"
_CHARACTERS_PER_TOKEN = 4
"""A rule of thumb for English, for deployments without a tokenizer."""
# Typical figures of hosted models; the estimate only has to get the order of magnitude right.
_SECONDS_PER_REQUEST = 1.0
_TOKENS_PER_SECOND = 60.0
_USUAL_CONCURRENCY = 32
_DIALOG_ROUNDS = 3
"""How often a language model is asked to work on a program, if the run does not specify it."""
_USUAL_FEEDBACK = 0.25
"""Length of the feedback on its proposal, as a fraction of the maximum."""


@dataclass(frozen=True)
class Cost:
    """An amount in US dollars."""

    low: float

    expected: float

    worst: float

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.low + other.low, self.expected + other.expected, self.worst + other.worst)


@dataclass(frozen=True)
class RunEstimate:
    """The estimate of one run. The order of the fields is their order in `estimate.json`."""

    run: str

    model_deployment: str

    instances: int

    requests: int

    cached: int
    """Number of requests whose answer is in the response cache."""

    prompt_tokens: int
    """Total over the requests that would be sent."""

    max_completion_tokens: int
    """Total over the requests that would be sent."""

    expected_completion_tokens: int
    """Total over the requests that would be sent."""

    cost: Cost | None
    """None if the deployment has no price, or it is unknown."""

    rough_seconds: float
    """Assumes a second per request, 60 tokens per second, and the allowed concurrency, but at most 32."""

    judges: list[str] = field(default_factory=list)
    """Annotators, whose requests are not counted."""

    problems: list[str] = field(default_factory=list)
    """What would fail: a missing key, a client that cannot be created, a run whose requests cannot be built."""

    missing_data: list[str] = field(default_factory=list)
    """What would have to be downloaded although downloads are disabled."""

    in_batches: int | None = None
    """Number of requests that would be sent as batches; these take up to a day and are not part of `rough_seconds`.
    None if requests are sent singly."""

    picture_tokens: int | None = None
    """The part of `prompt_tokens` that is for pictures. None if there are none."""

    sound_tokens: int | None = None
    """The part of `prompt_tokens` that is for sounds. None if there are none."""

    episodes: "EpisodesEstimate | None" = None
    """What the episodes need. None if the run has no agents."""


def estimate_run(
    run_spec: RunSpec,
    state: ScenarioState,
    stats: Sequence[Stat],
    context: Any,
    settings: RunSettings,
    batch_share: float | None = None,
) -> RunEstimate:
    """Estimate a run whose requests are built but not sent. `context` looks up answers in the response cache.

    `batch_share` is what requests cost, as a share of the usual price, when they are sent as batches; None: they are not.
    """
    if run_spec.adapter_spec.method == ADAPT_COMPILER_DIALOG:
        return _estimate_dialogs(run_spec, state, context, settings.max_in_flight)
    if run_spec.adapter_spec.method == ADAPT_AGENT:
        return _estimate_episodes(run_spec, state, context, settings)
    sums = {stat.name.name: stat.sum for stat in stats}
    requests = [s.request for s in state.request_states if isinstance(s.request, Request)]
    found, problems = _look_up(requests, context)
    num_sent = len(requests) - len(found)
    # Only totals are known, so they are scaled by the fraction of requests that is not cached.
    share = num_sent / len(requests) if requests else 0.0
    all_tokens = sums.get("num_prompt_tokens", 0)
    if requests and get_model_deployment(requests[0].model_deployment).tokenizer_name is None:
        all_tokens = sum(_num_characters(request) for request in requests) / _CHARACTERS_PER_TOKEN
    of_pictures, of_sounds = picture_tokens(requests), sound_tokens(requests)
    prompt_tokens = round((all_tokens + (of_pictures or 0) + (of_sounds or 0)) * share)
    allowed = round(sum(r.max_tokens * r.num_completions for r in requests) * share)
    completions = round(sum(r.num_completions for r in requests) * share)
    expected = min(allowed, round(completions * _expected_length(requests, found)))
    # Every completion has at least one token.
    tokens = [(prompt_tokens, n) for n in (min(completions, allowed), expected, allowed)]
    cost = _get_cost(run_spec.adapter_spec.model_deployment, tokens, num_sent, batch_share, completions)
    concurrency = max(1, min(settings.max_in_flight, _USUAL_CONCURRENCY))
    seconds = (num_sent * _SECONDS_PER_REQUEST + expected / _TOKENS_PER_SECOND) / concurrency
    if batch_share is not None:
        seconds = 0.0
    return RunEstimate(
        run=run_spec.name,
        model_deployment=run_spec.adapter_spec.model_deployment,
        instances=len({(s.instance.id, repr(s.instance.perturbation)) for s in state.request_states}),
        requests=len(requests) or len(state.request_states),
        cached=len(found),
        prompt_tokens=prompt_tokens,
        max_completion_tokens=allowed,
        expected_completion_tokens=expected,
        cost=cost,
        rough_seconds=round(seconds, 1),
        judges=[spec.class_name.rpartition(".")[2] for spec in run_spec.annotators or []],
        problems=problems,
        in_batches=num_sent if batch_share is not None else None,
        picture_tokens=None if of_pictures is None else round(of_pictures * share),
        sound_tokens=None if of_sounds is None else round(of_sounds * share),
    )


def _get_cost(
    deployment: str,
    tokens: Sequence[tuple[int, int]],
    num_sent: int,
    batch_share: float | None = None,
    num_completions: int = 0,
) -> Cost | None:
    """Return the cost of (prompt tokens, completion tokens) at least, as expected, and at most; None if unknown.

    Each completion is a picture if the deployment has a price for pictures.
    """
    price = get_price(deployment)
    if price is None:
        return None
    share = 1.0
    if batch_share is not None:
        share = batch_share if price.batch_share is None else price.batch_share
    average = math.ceil(tokens[-1][0] / num_sent) if num_sent else 0  # the limit of a price applies to single prompts
    if price.up_to_prompt_tokens is not None and average > price.up_to_prompt_tokens:
        return None
    whole = replace(price, up_to_prompt_tokens=None)
    pictures = (price.image or 0.0) * num_completions
    return Cost(*((whole.cost(prompts, completions) or 0.0) * share + pictures for prompts, completions in tokens))


def _estimate_dialogs(run_spec: RunSpec, state: ScenarioState, context: Any, max_in_flight: int) -> RunEstimate:
    """Estimate the dialogs of a language model with a compiler as upper bounds: every dialog has all its rounds.

    The first prompt is known, because the compiler describes the program. Each further one has everything before it, the
    reply and what the reply earned.
    """
    from helm.compiler_gym.dialog_start import DialogStart, get_dialog_starts

    deployment = run_spec.adapter_spec.model_deployment
    episodes = [s.request for s in state.request_states if isinstance(s.request, EpisodeRequest)]
    settings = [episode.policy.args for episode in episodes if episode.policy is not None]
    num_rounds = sum(int(args.get("rounds", _DIALOG_ROUNDS)) for args in settings)
    problems = []
    starts: list[DialogStart] = []
    executor_args = run_spec.executor_spec.args if run_spec.executor_spec is not None else {}
    try:
        starts, refused = get_dialog_starts(episodes, executor_args["backend"], executor_args.get("connection"))
        problems += [f"{run_spec.name}: the compiler refuses {reason}" for reason in refused]
    except (HelmError, OSError) as error:
        problems.append(f"{run_spec.name}: the prompts are not in the estimate, because the compiler failed: {error}")
    first = [start.request for start in starts]
    found, problems_of_client = _look_up(first, context)
    share = 1 - len(found) / len(first) if first else 1.0  # fraction of the first prompts; later ones are not looked up
    max_tokens = max((int(args.get("max_tokens", 0)) for args in settings), default=0)
    num_sent = num_rounds - len(found)
    expected = min(max_tokens, round(_expected_length(first, found))) if first else max_tokens
    lengths = _count_prompt_tokens(run_spec, first, context)
    tokens = []
    for reply, feedback_share in ((1, 0.0), (expected, _USUAL_FEEDBACK), (max_tokens, 1.0)):
        prompts = 0.0
        for start, length in zip(starts, lengths, strict=True):
            added = reply + feedback_share * start.max_feedback_characters / _CHARACTERS_PER_TOKEN
            prompts += length * (share + start.rounds - 1) + added * start.rounds * (start.rounds - 1) / 2
        tokens.append((math.ceil(prompts), reply * num_sent))
    concurrency = max(1, min(max_in_flight, _USUAL_CONCURRENCY))
    seconds = (num_sent * _SECONDS_PER_REQUEST + tokens[1][1] / _TOKENS_PER_SECOND) / concurrency
    return RunEstimate(
        run=run_spec.name,
        model_deployment=deployment,
        instances=len(episodes),
        requests=num_rounds,
        cached=len(found),
        prompt_tokens=tokens[2][0],
        max_completion_tokens=tokens[2][1],
        expected_completion_tokens=tokens[1][1],
        cost=_get_cost(deployment, tokens, num_sent) if starts else None,
        rough_seconds=round(seconds, 1),
        problems=[*problems_of_client, *problems],
    )


def _estimate_episodes(run_spec: RunSpec, state: ScenarioState, context: Any, settings: RunSettings) -> RunEstimate:
    """Estimate episodes of agents: at least one turn each, usually as many as in earlier runs, and at most the limit."""
    from helm.benchmark.running import episode_estimate as episodes

    deployment = run_spec.adapter_spec.model_deployment
    requests = episodes.get_episodes(state)
    asking = [request for request in requests if episodes.needs_model(request.agent)]
    suite_path = os.path.join(settings.output_path, "runs", settings.suite)
    usual = episodes.find_usual_turns(run_spec, suite_path)
    none = episodes.Tokens()
    counted = [episodes.count_episode(request, usual) for request in asking]
    low, expected, most = (sum((one[kind] for one in counted), none) for kind in range(3))
    known_costs: list[list[float | None]] = [
        [
            episodes.price_of(deployment, low),
            episodes.price_of(deployment, expected),
            episodes.price_of(deployment, most),
        ],
    ]
    with_cache = [episodes.price_of(deployment, expected, with_cache=True)]
    for request in asking:
        tokens = episodes.count_user(request, usual)
        if tokens.prompt:
            name = str((request.user.args if request.user else {}).get("model_deployment") or deployment)
            price = episodes.price_of(name, tokens)
            known_costs.append([0.0, price, price])
            with_cache.append(episodes.price_of(name, tokens, with_cache=True))
            expected += tokens
    is_priced = not any(value is None for costs in known_costs for value in costs)
    cost = Cost(*(sum(costs[kind] or 0.0 for costs in known_costs) for kind in range(3))) if is_priced else None
    turns = [min(usual or episodes.USUAL_TURNS, request.limits.turns) for request in asking]
    problems = episodes.find_problems(run_spec, requests, context, settings)
    if asking:
        problems += _look_up([episodes.first_request(asking[0])], context)[1]
    number, memory_mb = episodes.count_environments(requests, settings)
    concurrency = max(1, min(settings.max_in_flight, _USUAL_CONCURRENCY))
    seconds = (sum(turns) * _SECONDS_PER_REQUEST + expected.completion / _TOKENS_PER_SECOND) / concurrency
    return RunEstimate(
        run=run_spec.name,
        model_deployment=deployment,
        instances=len({request.task for request in requests}),
        requests=round(sum(turns)),
        cached=0,
        prompt_tokens=round(expected.prompt),
        max_completion_tokens=round(most.completion),
        expected_completion_tokens=round(expected.completion),
        cost=cost if asking else Cost(0.0, 0.0, 0.0),
        rough_seconds=round(seconds, 1),
        problems=problems,
        episodes=episodes.EpisodesEstimate(
            episodes=len(requests),
            usual_turns=round(sum(turns) / len(turns), 2) if turns else 0.0,
            most_turns=max((request.limits.turns for request in asking), default=0),
            repeated_prompt_tokens=round(expected.repeated),
            cost_with_prompt_cache=sum(one or 0.0 for one in with_cache) if is_priced else None,
            environments=number,
            environment_memory_mb=memory_mb,
        ),
    )


def _count_prompt_tokens(run_spec: RunSpec, requests: Sequence[Request], context: Any) -> list[float]:
    """Count the prompt tokens of each request, with the deployment's tokenizer if there is one."""
    if not requests or get_model_deployment(requests[0].model_deployment).tokenizer_name is None:
        return [_num_characters(request) / _CHARACTERS_PER_TOKEN for request in requests]
    from helm.benchmark.metrics.efficiency_metrics import EfficiencyMetric
    from helm.benchmark.metrics.metric_service import MetricService

    metric, service = EfficiencyMetric(), MetricService(context)
    return [float(metric.count_prompt_tokens(run_spec.adapter_spec, request, service)) for request in requests]


def estimate_of_failure(run_spec: RunSpec, error: Exception, missing_data: Sequence[str]) -> RunEstimate:
    """Return the estimate of a run that would fail before its first request."""
    problem = f"{run_spec.name}: {error}" if isinstance(error, HelmError) else f"{run_spec.name}: {error!r}"
    return RunEstimate(
        run=run_spec.name,
        model_deployment=run_spec.adapter_spec.model_deployment,
        instances=0,
        requests=0,
        cached=0,
        prompt_tokens=0,
        max_completion_tokens=0,
        expected_completion_tokens=0,
        cost=None,
        rough_seconds=0.0,
        problems=[problem],
        missing_data=list(missing_data),
    )


def _num_characters(request: Request) -> int:
    texts = [request.prompt, *(str(message.get("content", "")) for message in request.messages or [])]
    if request.multimodal_prompt is not None:
        texts.append(request.multimodal_prompt.text)
    return sum(len(text) for text in texts)


def _look_up(requests: Sequence[Request], context: Any) -> tuple[list[RequestResult], list[str]]:
    """Return the answers that the cache has, and the problems found; sends nothing."""
    found: list[RequestResult] = []
    problems: list[str] = []
    if not requests:
        return found, problems
    try:
        client = context.get_client(requests[0].model_deployment)
    except HelmError as e:
        return found, [str(e)]
    if client is None:
        return found, problems
    if client.missing_key:
        problems.append(client.missing_key)
    for need in needs_of(requests)[0]:
        if need in client.lacks:
            verb = "take" if need in MEDIA else "give"
            problems.append(f"{requests[0].model_deployment} does not {verb} {need}: {client.lacks[need]}.")
    if client.limiter is None:
        return found, problems
    with nothing_sent():
        for request in requests:
            result = client.make_request(request)
            if result.success and result.cached:
                found.append(result)
    return found, problems


def _expected_length(requests: Sequence[Request], found: Sequence[RequestResult]) -> float:
    known = [(r.usage.completion_tokens, len(r.completions)) for r in found if r.usage is not None and r.completions]
    if known:
        return sum(tokens for tokens, _ in known) / sum(number for _, number in known)
    longest = max((request.max_tokens for request in requests), default=0)
    return expected_completion_tokens(longest)


def summarize(estimates: Sequence[RunEstimate]) -> dict[str, Any]:
    """Return the content of `estimate.json`."""
    from helm.common.codec import asdict_without_nones

    costs = [estimate.cost for estimate in estimates if estimate.cost is not None]
    total = Cost(0.0, 0.0, 0.0)
    for cost in costs:
        total += cost
    in_batches = sum(estimate.in_batches or 0 for estimate in estimates)
    return {
        "version": 1,
        "total": {
            "runs": len(estimates),
            **{
                name: sum(getattr(estimate, name) for estimate in estimates)
                for name in ("instances", "requests", "cached", "prompt_tokens", "max_completion_tokens")
            },
            "cost": asdict_without_nones(total) if costs else None,
            "runs_without_price": sum(estimate.cost is None for estimate in estimates),
            "rough_seconds": round(sum(estimate.rough_seconds for estimate in estimates), 1),
            **({"in_batches": in_batches} if in_batches else {}),
            "problems": sorted({problem for estimate in estimates for problem in estimate.problems}),
            "missing_data": sorted({url for estimate in estimates for url in estimate.missing_data}),
        },
        "runs": [asdict_without_nones(estimate) for estimate in estimates],
    }


def describe_episodes(estimates: Sequence[RunEstimate]) -> list[str]:
    """Return a line for each run of agents: turns, the cost with a prompt cache, and what environments need."""
    lines = []
    for estimate in estimates:
        found = estimate.episodes
        if found is None:
            continue
        parts = [f"{found.episodes} episode{'' if found.episodes == 1 else 's'}"]
        if found.most_turns:
            parts.append(f"about {found.usual_turns:g} turns each, at most {found.most_turns}")
        if found.cost_with_prompt_cache:
            parts.append(f"${found.cost_with_prompt_cache:.4f} if the provider has repeated prompts in its cache")
        if found.environments:
            memory = f" of {found.environment_memory_mb:,} MiB together" if found.environment_memory_mb else ""
            parts.append(f"{found.environments} environment{'' if found.environments == 1 else 's'} at once{memory}")
        lines.append(f"{estimate.run}: {'; '.join(parts)}")
    return lines


def table(estimates: Sequence[RunEstimate]) -> str:
    """Format the estimates for a terminal: one line per run, and the total."""
    from tabulate import tabulate

    def row(name: str, rows: Sequence[RunEstimate]) -> list[str]:
        costs = [r.cost for r in rows if r.cost is not None]
        low, expected, worst = (
            f"{sum(getattr(cost, kind) for cost in costs):.4f}" if costs else "?"
            for kind in ("low", "expected", "worst")
        )
        counts = [f"{sum(getattr(r, c) for r in rows):,}" for c in ("instances", "requests", "cached", "prompt_tokens")]
        return [name, *counts, f"{sum(r.max_completion_tokens for r in rows):,}", low, expected, worst]

    rows = [row(estimate.run, [estimate]) for estimate in estimates]
    if len(rows) > 1:
        rows.append(row("all", estimates))
    headers = ["run", "instances", "requests", "cached", "prompt tokens", "completion tokens, at most"]
    return tabulate(rows, [*headers, "$ low", "$ expected", "$ worst"], tablefmt="simple", disable_numparse=True,
                    colalign=("left", *["right"] * 8))  # fmt: skip
