"""Metrics of short answers to questions about pictures: ChartQA and DocVQA; `frontier/pictures.py` has the rules."""

from helm.benchmark.metrics.frontier.pictures import anls, relaxed_match, soft_relaxed_match
from helm.benchmark.metrics.frontier_metrics import FinalAnswerMetric, correct_texts
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.benchmark.scenarios.scenario import Instance

_FINAL_ANSWER = "FINAL ANSWER:"


class RelaxedAccuracyMetric(FinalAnswerMetric):
    """Compares answers about charts, of which the text after the last `FINAL ANSWER:` counts if there is one.

    Emits `relaxed_accuracy`, 1 for a number within 5 percent of the reference or an equal text, whatever its case, and
    `relaxed_accuracy_soft`, the same with lm-evaluation-harness's rule: without quotation marks, currencies and thousands marks.
    """

    described_stats = ("relaxed_accuracy", "relaxed_accuracy_soft")

    def score_text(self, text: str, instance: Instance) -> NamedValues:
        answer = text.rpartition(_FINAL_ANSWER)[2].strip()
        golds = correct_texts(instance)
        return [
            ("relaxed_accuracy", int(any(relaxed_match(answer, gold) for gold in golds))),
            ("relaxed_accuracy_soft", int(any(soft_relaxed_match(answer, gold) for gold in golds))),
        ]


class ANLSMetric(FinalAnswerMetric):
    """Emits `anls`, the average normalized Levenshtein similarity to the closest correct reference, from 0 to 1.

    Similarities of one half and less count as 0.
    """

    described_stats = ("anls",)

    def score_text(self, text: str, instance: Instance) -> NamedValues:
        return [("anls", anls(text, correct_texts(instance)))]
