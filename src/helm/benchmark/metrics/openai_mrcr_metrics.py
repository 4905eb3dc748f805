"""Multi-round co-reference resolution (MRCR), as OpenAI scores it."""

from difflib import SequenceMatcher

from helm.benchmark.metrics.answer_metric import AnswerMetric, first_correct_text
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.benchmark.scenarios.scenario import Instance


class OpenAIMRCRMetric(AnswerMetric):
    """Emits `openai_mrcr_accuracy`, the similarity of the completion to the text to repeat after a random string.

    It is 0 to 1, higher is better: 0 unless the completion begins with `random_string_to_prepend` in the instance's
    `extra_data`, else `difflib`'s ratio of the two texts without it. Raises: ValueError if the instance lacks that
    string.
    """

    described_stats = ["openai_mrcr_accuracy"]

    def score_answer(self, answer: str, instance: Instance) -> NamedValues:
        prefix = (instance.extra_data or {}).get("random_string_to_prepend")
        if not isinstance(prefix, str):
            raise ValueError(f"instance {instance.id}: extra_data lacks random_string_to_prepend, a text.")
        target = first_correct_text(instance)
        if target is None:
            return []
        if not answer.startswith(prefix):
            return [("openai_mrcr_accuracy", 0.0)]
        # HELM: difflib's heuristic that ignores frequent letters in long texts stays enabled.
        matcher = SequenceMatcher(None, answer.removeprefix(prefix), target.removeprefix(prefix))
        return [("openai_mrcr_accuracy", float(matcher.ratio()))]
