"""Multi-round co-reference resolution (MRCR), version 2, as DeepMind scores it."""

from difflib import SequenceMatcher

from helm.benchmark.metrics.answer_metric import AnswerMetric, first_correct_text
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.benchmark.scenarios.scenario import Instance

PREFIX_LENGTH = 12
"""Length of the random string at the start of every target."""


class DeepMindMRCRV2Metric(AnswerMetric):
    """Emits the similarity of completion and target after the target's random string, as `deepmind_mrcr_v2_score`.

    It is 0 to 1, higher is better: 0 if the random string (the first 12 characters of the target) does not occur in the
    completion. Its last occurrence counts, so a model may reason before it answers.
    """

    described_stats = ["deepmind_mrcr_v2_score"]

    def score_answer(self, answer: str, instance: Instance) -> NamedValues:
        target = first_correct_text(instance)
        if target is None:
            return []
        position = answer.rfind(target[:PREFIX_LENGTH])
        if position < 0:
            return [("deepmind_mrcr_v2_score", 0.0)]
        given, wanted = answer[position + PREFIX_LENGTH :].strip(), target[PREFIX_LENGTH:].strip()
        return [("deepmind_mrcr_v2_score", float(SequenceMatcher(None, given, wanted).ratio()))]
