"""Errors in clinical notes (MEDEC)."""

import re

from helm.benchmark.metrics.answer_metric import AnswerMetric, first_correct_text
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.benchmark.scenarios.scenario import Instance

NO_ERROR = "CORRECT"
_LEADING_ID = re.compile(r"(\d+)")


def parse_sentence_id(text: str) -> int | None:
    """Return the number at the beginning of a text, or None."""
    match = _LEADING_ID.match(text.strip())
    return int(match.group(1)) if match else None


class MedecMetric(AnswerMetric):
    """Measures whether the model detects that a note has an error, and in which sentence.

    The reference is `CORRECT`, or the number of the wrong sentence and its correction; so is the answer. Emits
    `medec_error_flag_accuracy` (both or neither are `CORRECT`) and `medec_error_sentence_accuracy` (both are `CORRECT`,
    or both begin with the same number), 0 or 1, higher is better. (crfm-helm 0.5.16 parses the number of a reference
    only if nothing follows it, so a sentence found by a model never counts.)
    """

    described_stats = ["medec_error_flag_accuracy", "medec_error_sentence_accuracy"]

    def score_answer(self, answer: str, instance: Instance) -> NamedValues:
        target = first_correct_text(instance)
        if target is None:
            return []
        want_none, got_none = target.strip() == NO_ERROR, answer.strip() == NO_ERROR
        want_id, got_id = parse_sentence_id(target), parse_sentence_id(answer)
        is_same_sentence = want_none if got_none else not want_none and got_id is not None and got_id == want_id
        return [
            ("medec_error_flag_accuracy", int(want_none == got_none)),
            ("medec_error_sentence_accuracy", int(is_same_sentence)),
        ]
