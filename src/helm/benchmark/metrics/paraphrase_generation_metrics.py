"""Measures how well completions paraphrase their input."""

import warnings

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.display_data import get_display_data
from helm.benchmark.metrics.evaluate_instances_metric import EvaluateInstancesMetric
from helm.benchmark.metrics.metric import MetricMetadata, get_completions
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat
from helm.common.optional_dependencies import needs_extra


class CLEVAParaphraseGenerationMetric(EvaluateInstancesMetric):
    """Emits `chinese_ibleu`: similarity to the references minus similarity to the input, per context.

    It is alpha * BLEU-1(references, completion) - (1 - alpha) * BLEU-1(input, completion), on unmodified characters.
    The first completion counts, and references count even if they are not correct.

    Source: Sun and Zhou, "Joint Learning of a Dual SMT System for Paraphrase Generation", 2012.
    """

    def __init__(self, alpha: float = 0.8):
        self.alpha = alpha

    def evaluate_instances(self, request_states: list[RequestState], eval_cache_path: str) -> list[Stat]:
        inputs: list[list[list[str]]] = []
        golds: list[list[list[str]]] = []
        predictions: list[list[str]] = []
        for state in request_states:
            completions = get_completions(state)
            if not completions or not state.instance.references:
                missing = "reference" if completions else "completion"
                raise ValueError(f"{type(self).__name__}: instance {state.instance.id} has no {missing}.")
            inputs.append([list(state.instance.input.text)])
            golds.append([list(reference.output.text) for reference in state.instance.references])
            predictions.append(list(completions[0].text))
        score = self.alpha * _bleu_1(golds, predictions) - (1 - self.alpha) * _bleu_1(inputs, predictions)
        return [Stat(MetricName("chinese_ibleu")).add(score)]

    def get_metadata(self) -> list[MetricMetadata]:
        return get_display_data(["chinese_ibleu"])


def _bleu_1(references: list[list[list[str]]], predictions: list[list[str]]) -> float:
    with needs_extra("metrics"):
        from nltk.translate.bleu_score import corpus_bleu
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NLTK warns about every order without a match
        return corpus_bleu(references, predictions, weights=(1, 0, 0, 0))
