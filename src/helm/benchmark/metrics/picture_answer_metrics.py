"""Metrics of answers about pictures, from ChartQA to OCRBench; `frontier/pictures.py` has the rules."""

import re

from helm.benchmark.metrics.frontier.pictures import (
    anls,
    contains_answer,
    find_choice,
    is_open_match,
    mathvista_answer,
    relaxed_match,
    soft_relaxed_match,
)
from helm.benchmark.metrics.frontier_metrics import FinalAnswerMetric, correct_texts, extra_value
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.benchmark.scenarios.scenario import Instance

_ANSWER_LETTER = re.compile(r"(?i)answer[ \t]*:[ \t*]*\(?\$?([A-J])\b")
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


class PictureChoiceMetric(FinalAnswerMetric):
    """Finds the choice that an answer names: the letter after the last `Answer:`, else as MMMU's own program finds it.

    Emits `picture_choice_accuracy`, 0 or 1, and `letter_missing`, 1 if no choice is named, which counts as wrong; the published
    program draws one at random.
    """

    described_stats = ("picture_choice_accuracy", "letter_missing")

    def score_text(self, text: str, instance: Instance) -> NamedValues:
        is_right, letter = _named_choice(text, instance)
        return [("picture_choice_accuracy", int(is_right)), ("letter_missing", int(letter is None))]


def _named_choice(text: str, instance: Instance) -> tuple[bool, str | None]:
    """Return whether the choice that a text names is right, and its letter."""
    correct_texts(instance)
    options = [reference.output.text for reference in instance.references]
    named = _ANSWER_LETTER.findall(text)
    letter = named[-1].upper() if named else find_choice(text, options)
    correct = [chr(ord("A") + i) for i, reference in enumerate(instance.references) if reference.is_correct]
    return letter in correct, letter


class MMMUMetric(FinalAnswerMetric):
    """Scores questions with choices as `PictureChoiceMetric`, and open ones as MMMU's own program.

    Emits `mmmu_accuracy`, 0 or 1. A question without wrong references is open: its answer is right if it has a number equal to a
    reference to two decimals, or a reference within a phrase behind a key word.
    """

    described_stats = ("mmmu_accuracy",)

    def score_text(self, text: str, instance: Instance) -> NamedValues:
        if any(not reference.is_correct for reference in instance.references):
            is_right, _ = _named_choice(text, instance)
        else:
            is_right = is_open_match(text, correct_texts(instance))
        return [("mmmu_accuracy", int(is_right))]


class MathVistaMetric(FinalAnswerMetric):
    """Emits `mathvista_accuracy`, 1 if an answer is the reference in the form of the data, else 0.

    Reads `answer_type`, `precision` and `choices` from the extra data.
    """

    described_stats = ("mathvista_accuracy",)

    def score_text(self, text: str, instance: Instance) -> NamedValues:
        extra = instance.extra_data or {}
        kind = str(extra_value(instance, "answer_type"))
        found = mathvista_answer(text, kind, extra.get("precision"), list(extra.get("choices") or []))
        return [("mathvista_accuracy", int(found in correct_texts(instance)))]


class ContainedAnswerMetric(FinalAnswerMetric):
    """Emits `contains_answer`, 1 if an answer contains one of the correct references as OCRBench has it, else 0.

    Reads `dataset` from the extra data, since formulas are compared with case and without white space.
    """

    described_stats = ("contains_answer",)

    def score_text(self, text: str, instance: Instance) -> NamedValues:
        dataset = str(extra_value(instance, "dataset"))
        return [("contains_answer", int(contains_answer(dataset, text, correct_texts(instance))))]
