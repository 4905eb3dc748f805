"""The tokens of a run, from its aggregated statistics. Judges are not included: runs do not record their tokens."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat
from helm.results.run_files.run_reader import Run

_PROMPT_METRICS = ("num_prompt_tokens",)
_COMPLETION_METRICS = ("num_completion_tokens", "num_output_tokens")


@dataclass(frozen=True)
class TokenUsage:
    """Tokens of one or more runs."""

    prompt_tokens: float

    completion_tokens: float

    longest_mean_prompt: float = 0.0
    """The largest mean length of prompts among the runs and their contexts, in tokens."""

    def __add__(self, other: "TokenUsage") -> "TokenUsage":
        return TokenUsage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            max(self.longest_mean_prompt, other.longest_mean_prompt),
        )


def get_token_usage(run: Run) -> TokenUsage | None:
    """Return all tokens of a run, including perturbed copies and trials; None if its statistics lack them.

    In `stats.json`, a token count is the mean over the instances of a context, summed over the trials, so it is multiplied by
    the instances of that context. Dry runs contain plain sums, without a split.
    """
    instances = {_context(stat): stat.sum / stat.count for stat in run.stats_named("num_instances") if stat.count}
    prompt = _total(run, _PROMPT_METRICS, instances)
    completion = _total(run, _COMPLETION_METRICS, instances)
    if prompt is None or completion is None:
        return None
    means = [stat.mean for stat in run.stats_named(_PROMPT_METRICS[0]) if stat.mean is not None]
    return TokenUsage(prompt, completion, max(means, default=0.0))


def _context(stat: Stat) -> MetricName:
    return MetricName("", split=stat.name.split, sub_split=stat.name.sub_split, perturbation=stat.name.perturbation)


def _total(run: Run, metrics: Sequence[str], instances: Mapping[MetricName, float]) -> float | None:
    stats: list[Stat] = next(filter(None, map(run.stats_named, metrics)), [])
    total: float | None = None
    for stat in stats:
        perturbation = stat.name.perturbation
        if perturbation is not None and perturbation.computed_on != "perturbed":
            continue  # a copy of numbers already counted
        if stat.name.split is None:
            share: float | None = 1.0
        else:
            share = instances.get(_context(stat))
        if share is None:
            return None
        total = (total or 0.0) + stat.sum * share
    return total
