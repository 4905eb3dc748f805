"""Question answering in long contexts, as scored by RULER."""

from helm.benchmark.metrics.answer_metric import AnswerMetric
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.benchmark.scenarios.scenario import Instance


class RulerQAMetric(AnswerMetric):
    """Measures whether any correct answer occurs in the completion, ignoring case.

    Emits `ruler_string_match_part` (0 or 1, higher is better); nothing without a correct reference.
    """

    described_stats = ["ruler_string_match_part"]

    def score_answer(self, answer: str, instance: Instance) -> NamedValues:
        references = instance.all_correct_references
        if not references:
            return []
        lowered = answer.lower()
        found = any(reference.output.text.lower() in lowered for reference in references)
        return [("ruler_string_match_part", 1.0 if found else 0.0)]
