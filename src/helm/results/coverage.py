"""Counts how much of a run its scores are based on: `coverage.json`, in addition to the files that HELM writes.

A failed request and an empty completion are scored like wrong answers, in HELM's files and so in ours. Here they are
counted, together with what the metrics omitted, so that a score can be shown with the share of the run that was answered.
"""

import math
from collections.abc import Hashable, Iterable, Sequence
from contextlib import suppress
from itertools import repeat
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState, StateFile
from helm.benchmark.metrics.metric import MetricInterface, PerInstanceStats
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.metrics.worst_case import compute_directed_worst_case, get_directions
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.subjects import LANGUAGE_MODEL, kind_of_run
from helm.results.run_files.coverage_file import (  # noqa: F401  # read_coverage is imported from here, too
    FILTER_REASONS,
    AnnotationCounts,
    AnswerCounts,
    Coverage,
    InstanceCounts,
    RequestCounts,
    StatCounts,
    VerdictCounts,
    read_coverage,
)

ANSWERED, EMPTY, FAILED, FILTERED, UNSENT = "answered", "empty", "failed", "filtered", "unsent"

_FILTER_WORDS = ("content_filter", "content filter", "content policy", "content management policy", "blocked", "safety")


def classify_answer(
    success: bool, has_content: bool, finish_reasons: Iterable[str], error: str | None, outcome: str | None = None
) -> str:
    """Classify a request to a language model as one of the fields of `RequestCounts`.

    Args:
        has_content: whether there is a completion with more than white space, or an embedding, or no text was requested.
        finish_reasons: the finish reasons of the completions, in lower case.
        outcome: the outcome of the request; None for HELM and clients of plugins, where the message has to tell.
    """
    is_filtered = not FILTER_REASONS.isdisjoint(finish_reasons)
    if outcome == FILTERED:  # also of a successful request for pictures that the provider refuses to make
        return FILTERED
    if not success and outcome is not None:
        return FAILED
    if not success:
        said = (error or "").lower()
        return FILTERED if is_filtered or any(word in said for word in _FILTER_WORDS) else FAILED
    if has_content:
        return ANSWERED
    return FILTERED if is_filtered else EMPTY


class CoverageCounter:
    """Counts request states one by one."""

    def __init__(self) -> None:
        self._requests = RequestCounts()
        self._instances = InstanceCounts()
        self._known: set[Hashable] = set()
        self._held: list[Any] = []
        """Instances known by identity; keeping them alive keeps their identities unique."""
        self._annotations: dict[str, AnnotationCounts] = {}

    def add_state(self, state: Any, instance_key: Hashable | None = None) -> None:
        """Count a request state.

        Args:
            state: a `RequestState`, or one of `helm.results.covered_states`.
            instance_key: equal for states of one instance; None if those share the instance object.
        """
        requests, result = self._requests, state.result
        self._add_instance(state, instance_key)
        if state.prompt_truncated:
            requests.prompt_truncated += 1
        if result is None:
            requests.unsent += 1
            return
        requests.asked += 1
        if hasattr(result, "completions"):  # that of a language model
            self._add_result(state.request, result)
            requests.across_token_boundary += _starts_inside_a_token(state, result)
        else:
            requests.answered += bool(result.success)
            requests.failed += not result.success
            _increment(requests.status, result.status or result.outcome)
        if state.annotations is not None:
            self._add_annotations(state.annotations)

    def _add_instance(self, state: Any, key: Hashable | None) -> None:
        if (id(state.instance) if key is None else key) in self._known:
            return
        instance = state.instance
        if key is None:
            self._held.append(instance)
        self._known.add(id(instance) if key is None else key)
        counts = self._instances
        counts.total += 1
        counts.without_references += not instance.references
        counts.without_correct_reference += not any([reference.is_correct for reference in instance.references])

    def _add_result(self, request: Any, result: Any) -> None:
        requests, has_text, reasons = self._requests, False, []
        for completion in result.completions:
            if completion.finish_reason is not None:
                reason = str(completion.finish_reason.get("reason")).lower()
                reasons.append(reason)
                requests.cut_at_max_tokens += reason == "length"
            if completion.text and not completion.text.isspace() or completion.multimodal_content is not None:
                has_text = True
        has_content = has_text or bool(result.embedding) or _wants_no_text(request, result)
        outcome = classify_answer(result.success, has_content, reasons, result.error, result.outcome)
        if not result.success and result.outcome is not None:
            _increment(requests.outcomes, result.outcome)
        setattr(requests, outcome, getattr(requests, outcome) + 1)

    def _add_annotations(self, annotations: Any) -> None:
        if not isinstance(annotations, dict):
            annotations = {"": annotations}
        for name, annotation in annotations.items():
            counts = self._annotations.setdefault(name, AnnotationCounts())
            counts.states += 1
            values = annotation if isinstance(annotation, dict) else {"": annotation}
            if any(key.startswith("empty_output") for key in values):
                counts.empty_output += 1
                continue
            for key, value in values.items():
                verdict = counts.verdicts.setdefault(key, VerdictCounts())
                verdict.given += _is_verdict(key, value)

    def finish(self) -> Coverage:
        requests = self._requests
        requests.status = dict(sorted(requests.status.items()))
        requests.outcomes = dict(sorted(requests.outcomes.items()))
        for counts in self._annotations.values():
            kept = {key: verdict for key, verdict in counts.verdicts.items() if verdict.given or _names_verdict(key)}
            judged = counts.states - counts.empty_output
            for verdict in kept.values():
                verdict.missing = judged - verdict.given
            counts.verdicts = dict(sorted(kept.items()))
        return Coverage(
            coverage=requests.answered / requests.asked if requests.asked else None,
            requests=requests,
            instances=self._instances,
            annotations=dict(sorted(self._annotations.items())),
        )


def _starts_inside_a_token(state: Any, result: Any) -> bool:
    """Return whether the reference, with or without the space before it, begins in the middle of a token."""
    request, index = state.request, state.reference_index
    if not request.echo_prompt or index is None or not result.completions:
        return False
    tokens, references = result.completions[0].tokens, state.instance.references
    text = references[index].output.text if index < len(references) else ""
    if not text or not "".join([token.text for token in tokens]).endswith(text):
        return False  # unknown: the text was cut, or tokens are displayed differently
    length, backwards = 0, reversed(tokens)
    while length < len(text):
        token = next(backwards)
        length += len(token.text)
    return length > len(text) + token.text.startswith(" ")


def _wants_no_text(request: Any, result: Any) -> bool:
    """Return whether a request needs only the log-probabilities of the prompt."""
    return request.max_tokens == 0 and bool(result.completions)


def _is_verdict(key: str, value: Any) -> bool:
    if isinstance(value, (int, float)):
        return math.isfinite(value)
    return isinstance(value, dict) or (value is not None and _names_verdict(key))


def _names_verdict(key: str) -> bool:
    """Return whether a key is a verdict even if it never had a value; others are recognized by their values."""
    return key.endswith(("score", "judgement"))


def count_coverage(
    request_states: Sequence[RequestState],
    stats: Iterable[Stat],
    per_instance_stats: Sequence[PerInstanceStats],
    metrics: Iterable[MetricInterface],
    on_failure: str | None = None,
    num_excluded: int = 0,
    run_spec: RunSpec | None = None,
) -> Coverage:
    """Count the coverage of a run from its metrics; `stats` and `per_instance_stats` must still contain NaNs.

    Args:
        on_failure: the policy by which the scores were computed, if it is not HELM's.
        num_excluded: the number of requests excluded from the scores.
        run_spec: the run, to look at what is wrong with its answers; None leaves that out.
    """
    counter = CoverageCounter()
    is_perturbed = False
    # Spooled states do not share the object of their instance.
    keys: Iterable[int | None] = (
        request_states.instance_numbers() if isinstance(request_states, StateFile) else repeat(None)
    )
    for state, key in zip(request_states, keys, strict=False):
        counter.add_state(state, key)
        is_perturbed = is_perturbed or state.instance.perturbation is not None
    coverage = counter.finish()
    coverage.on_failure, coverage.requests.excluded = on_failure, num_excluded
    counts = coverage.stats
    for stat in stats:
        if stat.sum != stat.sum:
            _increment(counts.nan_removed, stat.name.name)
    for entry in per_instance_stats:
        for stat in [stat for stat in entry.stats if not stat.count or stat.sum != stat.sum]:
            _increment(counts.nan_removed_per_instance if stat.count else counts.without_value, stat.name.name)
    lower_is_better = _get_lower_is_better(metrics) if is_perturbed else {}
    if lower_is_better:
        coverage.worst_case = compute_directed_worst_case(per_instance_stats, lower_is_better)
    if run_spec is not None and kind_of_run(run_spec) is LANGUAGE_MODEL:
        from helm.results.diagnosis import diagnose

        coverage.answers = diagnose(run_spec, request_states)
    return coverage


def _increment(counts: dict[str, int], name: str) -> None:
    counts[name] = counts.get(name, 0) + 1


def _get_lower_is_better(metrics: Iterable[MetricInterface]) -> dict[str, bool]:
    """Return for each metric name whether lower is better, for metrics that declare it."""
    directions: dict[str, bool] = {}
    for metric in metrics:
        with suppress(NotImplementedError, AttributeError):  # a plugin's metric that says nothing of itself
            directions.update(get_directions(metric.get_metadata()))
    return {name: True for name, is_lower_better in directions.items() if is_lower_better}
