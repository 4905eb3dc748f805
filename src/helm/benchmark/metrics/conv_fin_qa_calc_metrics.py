"""Calculations about financial reports in a conversation (ConvFinQA)."""

import re

from helm.benchmark.metrics.answer_metric import AnswerMetric, first_correct_text
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.benchmark.scenarios.scenario import Instance

TOLERANCE = 1e-6
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def parse_first_number(text: str) -> float | None:
    """Return the first number in a text, or None. Commas and units end a number: `1,234` is 1, `5%` is 5."""
    match = _NUMBER.search(text)
    return float(match.group()) if match else None


def float_equiv(str1: str, str2: str, eps: float = TOLERANCE) -> float:
    """Return 1.0 if the first numbers of two texts differ by less than `eps`; 0.0 otherwise, or without a number."""
    first, second = parse_first_number(str1), parse_first_number(str2)
    return float(first is not None and second is not None and abs(first - second) < eps)


class ConvFinQACalcMetric(AnswerMetric):
    """Measures whether the first number of the completion equals that of the reference, within 1e-6.

    Emits `float_equiv` (0 or 1, higher is better); 0 if either has no number.
    """

    described_stats = ["float_equiv"]

    def score_answer(self, answer: str, instance: Instance) -> NamedValues:
        target = first_correct_text(instance)
        if target is None:
            return []
        return [("float_equiv", float_equiv(answer, target))]
