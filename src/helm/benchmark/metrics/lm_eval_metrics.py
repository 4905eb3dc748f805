"""The metrics of lm-evaluation-harness tasks, as defined by that program."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.lm_eval.worker.filters import FILTER_FUNCTIONS
from helm.benchmark.lm_eval.worker.measures import exact_match, f1, matthews
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.evaluate_instances_metric import EvaluateInstancesMetric
from helm.benchmark.metrics.machine_translation_metrics import load_sacrebleu
from helm.benchmark.metrics.metric import MetricMetadata, get_completions
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.reference_metric import ReferenceMetric
from helm.benchmark.metrics.statistic import Stat, single
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.benchmark.scenarios.scenario import Instance
from helm.common.errors import MetricError, suggest

Filter = dict[str, Any]
"""`{suffix, steps: [{function, ...arguments}]}`"""

_NO_FILTER: list[Filter] = [{"suffix": "", "steps": [{"function": "take_first"}]}]


def apply_filter(texts: list[str], steps: Sequence[dict[str, Any]]) -> list[str]:
    """Return the texts after each step. An empty list stays empty. Raises: MetricError for an unknown function."""
    for step in steps:
        arguments = dict(step)
        name = arguments.pop("function")
        if name not in FILTER_FUNCTIONS:
            raise MetricError(f"There is no filter '{name}'.{suggest(name, FILTER_FUNCTIONS)}")
        texts = FILTER_FUNCTIONS[name](texts, **arguments) if texts else []
    return texts


def starts_with(reference: str, prediction: str) -> int:
    """Return 1 if the prediction begins with the reference, ignoring leading whitespace; else 0."""
    return int(prediction.lstrip().startswith(reference.lstrip()))


_SCORES: dict[str, Callable[..., int]] = {"exact_match": exact_match, "acc": starts_with}


class LMEvalGenerationMetric(StateMetric):
    """Scores the filtered completion; with several references, the best one counts.

    Emits 0 or 1 per metric and filter. `no_completion` is 1 if there is nothing to score, and is then the only stat.

    Args:
        metrics: `{name, args}`; `exact_match`, or `acc` (the completion begins with the reference).
        filters: see `apply_filter`; each yields its own scores, whose names end with its suffix.

    Raises: MetricError for an unknown metric or filter.
    """

    def __init__(self, metrics: list[dict[str, Any]], filters: list[Filter] | None = None):
        for metric in metrics:
            if metric["name"] not in _SCORES:
                name = metric["name"]
                raise MetricError(f"LMEvalGenerationMetric has no metric '{name}'.{suggest(name, _SCORES)}")
        self.metrics = metrics
        self.filters = filters or _NO_FILTER

    def score_state(self, request_state: RequestState) -> NamedValues:
        references = [reference.output.text for reference in request_state.instance.all_correct_references]
        texts = [completion.text for completion in get_completions(request_state)]
        values: NamedValues = [("no_completion", int(not texts))]
        if not texts or not references:
            return values
        for item in self.filters:
            prediction = apply_filter(texts, item["steps"])[0]
            for metric in self.metrics:
                score = _SCORES[metric["name"]]
                value = max(score(reference, prediction, **metric.get("args", {})) for reference in references)
                values.append((metric["name"] + item["suffix"], value))
        return values

    def get_metadata(self) -> list[MetricMetadata]:
        names = [metric["name"] + item["suffix"] for metric in self.metrics for item in self.filters]
        return [_describe(name, "Share of answers that are right.") for name in names]


class LMEvalCorpusMetric(EvaluateInstancesMetric):
    """Emits sacrebleu's corpus scores with their defaults: `bleu`, `chrf` (0 to 100) and `ter` (0 is best)."""

    _CLASSES = {"bleu": "BLEU", "chrf": "CHRF", "ter": "TER"}

    def __init__(self, names: list[str], filters: list[Filter] | None = None):
        for name in names:
            if name not in self._CLASSES:
                raise MetricError(f"LMEvalCorpusMetric has no metric '{name}'.{suggest(name, self._CLASSES)}")
        self.names = names
        self.filters = filters or _NO_FILTER

    def evaluate_instances(self, request_states: list[RequestState], eval_cache_path: str) -> list[Stat]:
        sacrebleu = load_sacrebleu()
        states = [state for state in request_states if get_completions(state)]
        references = []
        for state in states:
            texts = [one.output.text for one in state.instance.all_correct_references]
            if not texts:
                raise ValueError(f"instance {state.instance.id} has no reference.")
            references.append(texts)
        if not states:
            return []
        longest = max(map(len, references))
        columns = [[one[i] if i < len(one) else None for one in references] for i in range(longest)]
        stats = []
        for item in self.filters:
            texts = [apply_filter([one.text for one in get_completions(state)], item["steps"])[0] for state in states]
            for name in self.names:
                score = getattr(sacrebleu, self._CLASSES[name])().corpus_score(texts, columns).score
                stats.append(single(MetricName(name + item["suffix"]), score))
        return stats

    def get_metadata(self) -> list[MetricMetadata]:
        return [
            _describe(name + item["suffix"], f"Corpus {name.upper()} by sacrebleu.", lower_is_better=name == "ter")
            for name in self.names
            for item in self.filters
        ]


class LMEvalMultipleChoiceMetric(ReferenceMetric):
    """Measures which choice the model finds most likely as the continuation of the prompt.

    Emits `predicted_choice` (the index of the largest log-likelihood, the first in case of a tie), and, if in `names`:

    - `acc`: 1 if that choice is correct, else 0;
    - `acc_norm`, `acc_bytes`: the same with log-likelihoods divided by the characters or UTF-8 bytes of the choice;
    - `f1` (two choices, the second is positive) and `mcc` (Matthews' correlation) over all instances of a context.

    Args:
        target_delimiter: separates prompt and choice.
    """

    _NAMES = ("acc", "acc_norm", "acc_bytes", "f1", "mcc")

    def __init__(self, names: list[str], target_delimiter: str = " "):
        for name in names:
            if name not in self._NAMES:
                raise MetricError(f"LMEvalMultipleChoiceMetric has no metric '{name}'.{suggest(name, self._NAMES)}")
        self.names = names
        self.target_delimiter = target_delimiter

    def evaluate_references(
        self,
        adapter_spec: AdapterSpec,
        reference_request_states: list[RequestState],
        metric_service: MetricService,
        eval_cache_path: str,
    ) -> list[Stat]:
        references = reference_request_states[0].instance.references
        values = [_continuation_logprob(state, self.target_delimiter) for state in reference_request_states]
        best = _first_maximum(values)
        texts = [reference.output.text for reference in references]
        stats = [single(MetricName("predicted_choice"), best)]
        if "acc" in self.names:
            stats.append(single(MetricName("acc"), int(references[best].is_correct)))
        for name, sizes in (("acc_norm", map(len, texts)), ("acc_bytes", (len(text.encode()) for text in texts))):
            if name in self.names:
                best = _first_maximum([value / (size or 1) for value, size in zip(values, sizes, strict=True)])
                stats.append(single(MetricName(name), int(references[best].is_correct)))
        return stats

    def derive_per_instance_stats(self, per_instance_stats: dict[Instance, list[Stat]]) -> list[Stat]:
        pairs: list[tuple[int, int]] = []
        for instance, stats in per_instance_stats.items():
            predicted = next((stat.mean for stat in stats if stat.name.name == "predicted_choice"), None)
            right = next((i for i, reference in enumerate(instance.references) if reference.is_correct), None)
            if predicted is not None and right is not None:
                pairs.append((right, int(predicted)))
        derived = []
        if "f1" in self.names and pairs:
            derived.append(single(MetricName("f1"), f1(pairs)))
        if "mcc" in self.names and pairs:
            derived.append(single(MetricName("mcc"), matthews(pairs)))
        return derived

    def get_metadata(self) -> list[MetricMetadata]:
        return [_describe(name, "Of the choice with the largest log-likelihood.") for name in self.names]


class LMEvalLoglikelihoodMetric(ReferenceMetric):
    """Measures how likely the target is as the continuation of the prompt.

    Emits `loglikelihood` (natural logarithm, of the whole target, the first reference) and per context `perplexity`:
    the exponential of its negated mean over the instances, 1 is best.
    """

    def evaluate_references(
        self,
        adapter_spec: AdapterSpec,
        reference_request_states: list[RequestState],
        metric_service: MetricService,
        eval_cache_path: str,
    ) -> list[Stat]:
        value = _continuation_logprob(reference_request_states[0], delimiter="")
        return [single(MetricName("loglikelihood"), value)]

    def derive_stats(self, stats_dict: dict[MetricName, Stat]) -> list[Stat]:
        stat = next((stat for name, stat in stats_dict.items() if name.name == "loglikelihood"), None)
        if stat is None or stat.mean is None:
            return []
        perplexity = math.exp(-stat.mean) if stat.mean > -700 else math.inf
        return [single(MetricName("perplexity"), perplexity)]

    def get_metadata(self) -> list[MetricMetadata]:
        return [
            _describe("loglikelihood", "Log-probability of the target."),
            _describe("perplexity", "exp of minus the mean log-probability of the targets.", lower_is_better=True),
        ]


def _describe(name: str, description: str, lower_is_better: bool = False) -> MetricMetadata:
    return MetricMetadata(name, name.replace("_", " "), None, description, lower_is_better, None)


def _first_maximum(values: Sequence[float]) -> int:
    return max(range(len(values)), key=lambda i: (values[i], -i))


def _continuation_logprob(state: RequestState, delimiter: str) -> float:
    """Return the log-probability of the tokens that spell the reference after the prompt.

    Tokens are taken from the end until they cover delimiter and reference. Raises: MetricError if there are no tokens
    with log-probabilities, or one is NaN.
    """
    assert state.reference_index is not None
    completions = get_completions(state)
    if not completions or not completions[0].tokens:
        raise MetricError(
            f"The answer about reference {state.reference_index} has no tokens with log-probabilities. The deployment "
            "must echo the prompt with them; otherwise use method=multiple_choice_joint or method=generation."
        )
    wanted = len(delimiter + state.instance.references[state.reference_index].output.text)
    total, covered = 0.0, 0
    for token in reversed(completions[0].tokens):
        if covered >= wanted:
            break
        total += token.logprob
        covered += len(token.text)
    if math.isnan(total):
        raise MetricError(f"The log-probability of reference {state.reference_index} is NaN.")
    return total
