"""The metrics that nearly every run uses."""

import math
from collections.abc import Iterable, Sequence
from functools import reduce
from operator import add
from typing import Any

from helm.benchmark.adaptation.adapter_spec import (
    ADAPT_MULTIPLE_CHOICE_SEPARATE_CALIBRATED,
    ADAPT_MULTIPLE_CHOICE_SEPARATE_ORIGINAL,
    ADAPT_RANKING_BINARY,
    AdapterSpec,
)
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.calibration import compute_calibration_metrics
from helm.benchmark.metrics.code_metric_names import CODE_METRIC_NAMES
from helm.benchmark.metrics.display_data import (
    CALIBRATION_METRICS,
    LANGUAGE_MODELING_METRICS,
    PERPLEXITY_METRICS,
    REQUEST_STATE_METRICS,
    get_display_data,
)
from helm.benchmark.metrics.efficiency_metrics import EfficiencyMetric
from helm.benchmark.metrics.evaluate_reference_metrics import (
    compute_reference_values,
    get_reference_metric,
    metric_fn_mapping,
)
from helm.benchmark.metrics.metric import (
    Metric,
    MetricInterface,
    MetricMetadata,
    MetricResult,
    Processor,
    call_for_instance,
    get_unique_stat_by_name,
)
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.reference_metric import ReferenceMetric
from helm.benchmark.metrics.statistic import Stat, merge_stat, single
from helm.benchmark.metrics.trial_stats import NamedValues, TrialStats, to_stats
from helm.benchmark.scenarios.scenario import Instance
from helm.benchmark.window_services.no_tokenizer_window_service import NoTokenizerWindowService
from helm.benchmark.window_services.window_service import WindowService
from helm.common.request import GeneratedOutput, Token

_FINISH_REASONS = ["length", "stop", "endoftext", "unknown"]
_FINISH_REASON_VALUES = {
    reason: [(f"finish_reason_{other}", 1 if other == reason else 0) for other in _FINISH_REASONS]
    for reason in _FINISH_REASONS
}
_BYTES_PREFIX = "bytes:"


class BasicGenerationMetric(Metric):
    """Emits general stats of a generation, scores against the references, and log-probabilities.

    Emits for every generation the stats of `compute_request_state_metrics`; `max_prob` and the named reference metrics
    (see `evaluate_reference_metrics`) when the instance has references; and those of
    `compute_language_modeling_metrics`. Per context it adds perplexity and calibration.
    """

    def __init__(self, names: list[str]):
        for name in names:
            if name not in CODE_METRIC_NAMES:
                get_reference_metric(name)  # fail now rather than after all requests have been sent
        self.waits_on_io = any(name in CODE_METRIC_NAMES for name in names)
        if self.waits_on_io:
            from helm.common.sandbox import get_sandbox

            get_sandbox()  # raises SandboxError where there is nowhere to run programs
        self.names = list(names)
        self.efficiency_metric = EfficiencyMetric()

    def evaluate_generation(
        self,
        adapter_spec: AdapterSpec,
        request_state: RequestState,
        metric_service: MetricService,
        eval_cache_path: str,
    ) -> list[Stat]:
        return to_stats(self._compute_values(adapter_spec, request_state, metric_service))

    def _compute_values(
        self, adapter_spec: AdapterSpec, request_state: RequestState, metric_service: MetricService
    ) -> NamedValues:
        values = get_request_state_values(self.efficiency_metric, adapter_spec, request_state, metric_service)
        if request_state.instance.references:
            values += compute_reference_values(self.names, adapter_spec, request_state)
        return values + compute_language_modeling_values(request_state)

    # Avoids creating intermediate Stat objects, unless a subclass needs them.

    def _needs_stats(self) -> bool:
        return type(self).evaluate_generation is not BasicGenerationMetric.evaluate_generation

    def _score(self, processor: Processor, instance: Instance, states: list[RequestState]) -> Any:
        if self._needs_stats():
            return super()._score(processor, instance, states)
        state = self._get_only_state(instance, states)
        adapter_spec, service = processor.adapter_spec, processor.metric_service
        return call_for_instance(self, instance, self._compute_values, adapter_spec, state, service)

    def _add_scores(self, trial_stats: TrialStats, instance: Instance, scores: Any) -> list[Stat]:
        if self._needs_stats():
            return super()._add_scores(trial_stats, instance, scores)
        return trial_stats.add_values(instance, scores)

    def _add_all_scores(
        self, trial_stats: TrialStats, scored: Iterable[tuple[Instance, Any]]
    ) -> Iterable[tuple[Instance, list[Stat]]]:
        if self._needs_stats():
            return super()._add_all_scores(trial_stats, scored)
        return trial_stats.add_all_values(scored)

    def derive_stats(self, stats_dict: dict[MetricName, Stat]) -> list[Stat]:
        return compute_perplexity_metrics(stats_dict)

    def derive_per_instance_stats(self, per_instance_stats: dict[Instance, list[Stat]]) -> list[Stat]:
        return compute_calibration_metrics(per_instance_stats)

    def get_metadata(self) -> list[MetricMetadata]:
        names = [*REQUEST_STATE_METRICS, "max_prob", *self.names, *LANGUAGE_MODELING_METRICS]
        own = [_describe(name) for name in self.names if name in metric_fn_mapping and not get_display_data([name])]
        return get_display_data([*names, *PERPLEXITY_METRICS, *CALIBRATION_METRICS]) + own


def _describe(name: str) -> MetricMetadata:
    """Describe a function that a plugin added to `metric_fn_mapping`. The best reference counts, so higher is better."""
    docstring = (metric_fn_mapping[name].__doc__ or "").strip()
    return MetricMetadata(
        name,
        display_name=name.replace("_", " ").capitalize(),
        description=docstring.split("\n")[0] or None,
        lower_is_better=False,
    )


class BasicReferenceMetric(ReferenceMetric):
    """Selects the reference that the model finds most likely; for methods with one request per reference.

    The score of a reference is the log-probability of its tokens divided by their number, or for
    `multiple_choice_separate_calibrated` the log-probability minus that without the question. Emits the stats of
    `compute_request_state_metrics` merged over the requests, `max_prob` (largest softmax of the scores), `exact_match`
    (fraction of correct ones among the best references) and `predicted_index` (first of the best).
    """

    def __init__(self) -> None:
        self.efficiency_metric = EfficiencyMetric()

    def evaluate_references(
        self,
        adapter_spec: AdapterSpec,
        reference_request_states: list[RequestState],
        metric_service: MetricService,
        eval_cache_path: str,
    ) -> list[Stat]:
        merged: dict[MetricName, Stat] = {}
        for state in reference_request_states:
            for stat in compute_request_state_metrics(self.efficiency_metric, adapter_spec, state, metric_service):
                merge_stat(merged, stat)
        references = reference_request_states[0].instance.references
        window_service = self.efficiency_metric.get_window_service(adapter_spec, metric_service)
        logprobs = sum_reference_logprobs(reference_request_states, window_service)
        scores = _score_references(adapter_spec.method, len(references), logprobs)
        best = max(scores)
        weights = [math.exp(score - best) for score in scores]
        answers = [i for i, score in enumerate(scores) if score == best]
        num_correct = sum(references[i].is_correct for i in answers)
        return [
            *merged.values(),
            single(MetricName("max_prob"), max(weights) / math.fsum(weights)),
            single(MetricName("exact_match"), num_correct / len(answers)),
            single(MetricName("predicted_index"), answers[0]),
        ]

    def get_metadata(self) -> list[MetricMetadata]:
        return get_display_data([*REQUEST_STATE_METRICS, "max_prob", "exact_match", "predicted_index"])


def sum_reference_logprobs(
    states: Sequence[RequestState], window_service: WindowService
) -> dict[tuple[int, str | None], tuple[float, int]]:
    """Map (reference index, request mode) to the log-probability of the reference's tokens, and their number."""
    logprobs: dict[tuple[int, str | None], tuple[float, int]] = {}
    for state in states:
        assert state.reference_index is not None
        text = state.instance.references[state.reference_index].output.text
        if isinstance(window_service, NoTokenizerWindowService):  # it treats every text as one token
            num_tokens = _count_last_tokens(state, text)
        else:
            num_tokens = window_service.get_num_tokens(f" {text}")
        logprobs[state.reference_index, state.request_mode] = (_sum_last_logprobs(state, num_tokens), num_tokens)
    return logprobs


def _count_last_tokens(state: RequestState, text: str) -> int:
    """Return how many tokens, counted from the end of the answer, spell a text; at least 1."""
    completions: list[GeneratedOutput] = state.result.completions  # type: ignore[union-attr]
    number = length = 0
    for token in reversed(completions[0].tokens if completions else []):
        if length >= len(text):
            break
        number, length = number + 1, length + len(token.text)
    return max(1, number)


def _sum_last_logprobs(state: RequestState, num_tokens: int) -> float:
    """Return the log-probability of the last tokens of the only completion, which spell the reference after the prompt."""
    completions: list[GeneratedOutput] = state.result.completions  # type: ignore[union-attr]
    assert len(completions) == 1, f"Expected 1 completion for reference {state.reference_index}, got {len(completions)}"
    logprob = 0.0
    for token in completions[0].tokens[-num_tokens:]:
        logprob += token.logprob
    assert not math.isnan(logprob), f"The log-probability of reference {state.reference_index} is NaN"
    return logprob


def _score_references(
    method: str, num_references: int, logprobs: dict[tuple[int, str | None], tuple[float, int]]
) -> list[float]:
    """Map (index, request mode) -> (log-probability, number of tokens) to one score per reference."""
    if method in (ADAPT_MULTIPLE_CHOICE_SEPARATE_ORIGINAL, ADAPT_RANKING_BINARY):
        originals = [logprobs[i, "original"] for i in range(num_references)]
        return [logprob / num_tokens for logprob, num_tokens in originals]
    if method == ADAPT_MULTIPLE_CHOICE_SEPARATE_CALIBRATED:
        return [logprobs[i, "original"][0] - logprobs[i, "calibration"][0] for i in range(num_references)]
    raise ValueError(f"Unknown adapter method: {method}")


class InstancesPerSplitMetric(MetricInterface):
    """Emits `num_instances` for every context; each perturbation has its own context."""

    request_type = object

    def evaluate(
        self, scenario_state: ScenarioState, metric_service: MetricService, eval_cache_path: str, parallelism: int
    ) -> MetricResult:
        # Every trial evaluates the scenario's instances again, and counts as one value.
        totals: dict[MetricName, Stat] = {}
        for trial in range(scenario_state.adapter_spec.num_train_trials):
            counts: dict[tuple[Any, ...], int] = {}
            seen = set()
            for state in scenario_state.request_states:
                instance = state.instance
                if state.train_trial_index == trial and id(instance) not in seen:
                    seen.add(id(instance))
                    context = (instance.split, instance.sub_split, instance.perturbation)
                    counts[context] = counts.get(context, 0) + 1
            for context, count in counts.items():
                merge_stat(totals, single(MetricName("num_instances", *context), count).take_mean())
        return MetricResult(list(totals.values()), [])

    def get_metadata(self) -> list[MetricMetadata]:
        return get_display_data(["num_instances"])


def compute_request_state_metrics(
    efficiency_metric: EfficiencyMetric,
    adapter_spec: AdapterSpec,
    request_state: RequestState,
    metric_service: MetricService,
) -> list[Stat]:
    """Return `get_request_state_values` as stats without context."""
    return to_stats(get_request_state_values(efficiency_metric, adapter_spec, request_state, metric_service))


def get_request_state_values(
    efficiency_metric: EfficiencyMetric,
    adapter_spec: AdapterSpec,
    request_state: RequestState,
    metric_service: MetricService,
) -> NamedValues:
    """Return the stats that every request has: references, trials, efficiency, finish reason, examples, truncation.

    `finish_reason_...` is 1 for the finish reason of the first completion; any other reason counts as `unknown`.
    """
    values: NamedValues = [
        ("num_references", len(request_state.instance.references)),
        ("num_train_trials", adapter_spec.num_train_trials),
    ]
    values += efficiency_metric.compute_values(adapter_spec, request_state, metric_service)
    finish_reason = request_state.result.completions[0].finish_reason  # type: ignore[union-attr]
    reason = finish_reason["reason"] if finish_reason else "unknown"
    values += _FINISH_REASON_VALUES.get(reason) or _FINISH_REASON_VALUES["unknown"]
    values.append(("num_train_instances", request_state.num_train_instances))
    values.append(("prompt_truncated", int(request_state.prompt_truncated)))
    return values


def get_request_state_metrics_metadata(efficiency_metric: EfficiencyMetric) -> list[MetricMetadata]:
    """Return how tables show the stats of `compute_request_state_metrics`."""
    return get_display_data(list(REQUEST_STATE_METRICS))


def compute_language_modeling_metrics(
    adapter_spec: AdapterSpec, request_state: RequestState, metric_service: MetricService
) -> list[Stat]:
    """Return `compute_language_modeling_values` as stats without context."""
    return to_stats(compute_language_modeling_values(request_state))


def compute_language_modeling_values(request_state: RequestState) -> NamedValues:
    """Return log-probability, number and bytes of the first completion's tokens after the conditioning ones."""
    tokens: list[Token] = request_state.result.completions[0].tokens  # type: ignore[union-attr]
    num_conditioning_tokens = request_state.num_conditioning_tokens
    if num_conditioning_tokens > 0:
        if tokens and not tokens[0].text:
            tokens = tokens[1:]
        tokens = tokens[num_conditioning_tokens:]
    logprob = reduce(add, [token.logprob for token in tokens], 0)
    return [("logprob", logprob), ("num_perplexity_tokens", len(tokens)), ("num_bytes", get_num_bytes(tokens))]


def get_num_bytes(tokens: list[Token]) -> int:
    r"""Return the UTF-8 bytes of the tokens; a token `bytes:\\xe2\\x80` has as many bytes as it has escapes."""
    texts = [token.text for token in tokens]
    joined = "".join(texts)
    if _BYTES_PREFIX not in joined:
        return len(joined) if joined.isascii() else len(joined.encode("utf-8", "surrogatepass"))
    return reduce(
        add, [t.count("\\x") if t.startswith(_BYTES_PREFIX) else len(t.encode("utf-8", "surrogatepass")) for t in texts]
    )


def convert_tokens_to_text(tokens: list[Token]) -> list[dict[str, Any]]:
    """Group tokens that form text, as `{"text": ..., "tokens": [...]}`; adjacent byte tokens are decoded together."""
    groups: list[dict[str, Any]] = []
    i = 0
    while i < len(tokens):
        start = i
        while i < len(tokens) and tokens[i].text.startswith(_BYTES_PREFIX):
            i += 1
        if i > start:
            escapes = "".join(token.text[len(_BYTES_PREFIX) :] for token in tokens[start:i])
            text = bytes.fromhex(escapes.replace("\\x", "")).decode("utf-8", errors="replace")
        else:
            text = tokens[i].text
            i += 1
        groups.append({"text": text, "tokens": tokens[start:i]})
    return groups


def compute_perplexity_metrics(stats: dict[MetricName, Stat]) -> list[Stat]:
    """Return `perplexity`, `bits_per_byte` and `logprob_per_byte` of one context, from totals over the corpus."""
    logprob = get_unique_stat_by_name(stats.values(), "logprob")
    num_tokens = get_unique_stat_by_name(stats.values(), "num_perplexity_tokens")
    num_bytes = get_unique_stat_by_name(stats.values(), "num_bytes")
    derived: list[Stat] = []
    if logprob is None:
        return derived
    if num_tokens is not None and num_tokens.sum > 0:
        try:
            perplexity = math.e ** (-logprob.sum / num_tokens.sum)
        except OverflowError:
            perplexity = math.inf
        derived.append(Stat(MetricName("perplexity")).add(perplexity))
    if num_bytes is not None and num_bytes.sum > 0:
        derived.append(Stat(MetricName("bits_per_byte")).add(-logprob.sum / num_bytes.sum / math.log(2)))
        derived.append(Stat(MetricName("logprob_per_byte")).add(logprob.sum / num_bytes.sum))
    return derived
