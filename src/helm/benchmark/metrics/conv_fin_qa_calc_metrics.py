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


class ConvFinQACalcMetric(AnswerMetric):
    """Measures whether the first number of the completion equals that of the reference, within 1e-6.

    Emits `float_equiv` (0 or 1, higher is better); 0 if either has no number.
    """

    described_stats = ["float_equiv"]

    def score_answer(self, answer: str, instance: Instance) -> NamedValues:
        target = first_correct_text(instance)
        if target is None:
            return []
        want, got = parse_first_number(target), parse_first_number(answer)
        same = want is not None and got is not None and abs(got - want) < TOLERANCE
        return [("float_equiv", 1.0 if same else 0.0)]
