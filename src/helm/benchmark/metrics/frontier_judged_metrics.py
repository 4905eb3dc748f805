"""Metrics of the benchmarks that model cards report, for answers that a judge looks at.

`frontier/judgements.py` has the arithmetic.
"""

from collections.abc import Iterable

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.frontier.judgements import (
    calibration_error,
    clipped_mean,
    count_verdicts,
    official_calibration_error,
    rubric_score,
    strong_reject_scores,
)
from helm.benchmark.metrics.judged_metric import JudgedMetric, UnjudgedInstanceError, get_annotation
from helm.benchmark.metrics.metric import get_all_stats_by_name
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat, single
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.benchmark.scenarios.scenario import Instance
from helm.common.errors import MetricError


def _judgement(state: RequestState, annotator_name: str, key: str) -> dict:
    """Return a usable annotation. Raises: MissingAnnotationError; UnjudgedInstanceError if the value of a key is None."""
    annotation = get_annotation(state, annotator_name)
    if annotation.get(key) is None:
        raise UnjudgedInstanceError(f"instance {state.instance.id} has no {key} by {annotator_name}: {annotation}")
    return annotation


def _values(per_instance_stats: dict[Instance, list[Stat]], name: str) -> list[float]:
    """Return the values of a stat of the instances that have it."""
    found: Iterable[Stat] = (
        stat for stats in per_instance_stats.values() for stat in get_all_stats_by_name(stats, name)
    )
    return [stat.mean for stat in found if stat.mean is not None]


class ThreeVerdictsMetric(JudgedMetric):
    """Counts verdicts of an annotator: A (correct), B (incorrect) and C (not attempted).

    Emits `verdict_correct`, `verdict_incorrect` and `verdict_not_attempted`, 0 or 1, and for all answers together
    `verdict_correct_given_attempted` and `verdict_f1`, the harmonic mean of that and of the share of correct answers. Answers
    that could not be judged are left out, and counted in `verdict_annotator_success`.

    Args:
        annotator_name: the key of the annotation.
    """

    success_name = "verdict_annotator_success"
    described_stats = (
        "verdict_correct",
        "verdict_incorrect",
        "verdict_not_attempted",
        "verdict_correct_given_attempted",
        "verdict_f1",
    )

    def __init__(self, annotator_name: str):
        self.annotator_name = annotator_name

    def score_state(self, request_state: RequestState) -> NamedValues:
        verdict = _judgement(request_state, self.annotator_name, "verdict")["verdict"]
        if verdict not in ("A", "B", "C"):
            raise MetricError(f"instance {request_state.instance.id}: the verdict must be A, B or C, not {verdict!r}.")
        names = ("verdict_correct", "verdict_incorrect", "verdict_not_attempted")
        return [(name, int(verdict == letter)) for name, letter in zip(names, "ABC", strict=True)]

    def derive_per_instance_stats(self, per_instance_stats: dict[Instance, list[Stat]]) -> list[Stat]:
        stats = super().derive_per_instance_stats(per_instance_stats)
        correct = _values(per_instance_stats, "verdict_correct")
        incorrect = _values(per_instance_stats, "verdict_incorrect")
        if not correct:
            return stats
        letters = [
            "A" if is_right else "B" if is_wrong else "C" for is_right, is_wrong in zip(correct, incorrect, strict=True)
        ]
        shares = count_verdicts(letters)
        return [
            *stats,
            single(MetricName("verdict_correct_given_attempted"), shares.accuracy_given_attempted),
            single(MetricName("verdict_f1"), shares.f1),
        ]


class YesNoMetric(JudgedMetric):
    """Counts answers that a judge finds correct, and compares them with the confidence that they state.

    Emits `judged_correct`, 0 or 1, `judged_confidence`, 0 to 1, and for all answers together `judged_correct_of_all`, where an
    answer that could not be judged is wrong, `calibration_rms`, the root mean square calibration error over bins of 100 answers,
    and `calibration_rms_official`, the same as the program of Humanity's Last Exam computes it: without the last bin, and only
    from 200 answers on, where there is a bin to count.

    Args:
        annotator_name: the key of the annotation, which has `correct` and `confidence`.
    """

    success_name = "judged_annotator_success"
    described_stats = (
        "judged_correct",
        "judged_confidence",
        "judged_correct_of_all",
        "calibration_rms",
        "calibration_rms_official",
    )

    def __init__(self, annotator_name: str):
        self.annotator_name = annotator_name

    def score_state(self, request_state: RequestState) -> NamedValues:
        annotation = _judgement(request_state, self.annotator_name, "correct")
        return [("judged_correct", int(annotation["correct"])), ("judged_confidence", annotation["confidence"] / 100)]

    def derive_per_instance_stats(self, per_instance_stats: dict[Instance, list[Stat]]) -> list[Stat]:
        stats = super().derive_per_instance_stats(per_instance_stats)
        correct = _values(per_instance_stats, "judged_correct")
        confidences = _values(per_instance_stats, "judged_confidence")
        if not correct:
            return stats
        stats = [
            *stats,
            single(MetricName("judged_correct_of_all"), sum(correct) / len(per_instance_stats)),
            single(MetricName("calibration_rms"), calibration_error(confidences, correct)),
        ]
        if len(correct) < _FIRST_OFFICIAL:
            return stats
        official = official_calibration_error(confidences, correct)
        return [*stats, single(MetricName("calibration_rms_official"), official)]


_FIRST_OFFICIAL = 200
"""The fewest answers for which the official calibration error has a bin that counts."""


class RubricPointsMetric(JudgedMetric):
    """Scores answers by the points of the criteria that they meet, `extra_data["rubrics"]`, as HealthBench does.

    Emits `rubric_example_score`, at most 1 and below 0 for harmful answers, which is not clipped; `rubric_theme_NAME`, the same
    for each tag `theme:NAME` of the example, and `rubric_axis_NAME`, that of the criteria with the tag `axis:NAME`; and for all
    answers together `rubric_score`, the mean of the first, clipped to 0 and 1. An example without positive points has no score.

    Args:
        annotator_name: the key of the annotation, which has `criteria_met`.
    """

    success_name = "rubric_annotator_success"
    described_stats = ("rubric_score", "rubric_example_score")

    def __init__(self, annotator_name: str = "healthbench"):
        self.annotator_name = annotator_name

    def score_state(self, request_state: RequestState) -> NamedValues:
        instance = request_state.instance
        met = _judgement(request_state, self.annotator_name, "criteria_met")["criteria_met"]
        extra = instance.extra_data or {}
        rubrics = extra.get("rubrics") or []
        if len(rubrics) != len(met):
            raise MetricError(f"instance {instance.id} has {len(rubrics)} criteria, and {len(met)} judgements.")
        points = [rubric["points"] for rubric in rubrics]
        score = rubric_score(points, met)
        values: NamedValues = []
        if score is not None:
            themes = [tag[6:] for tag in extra.get("example_tags") or [] if tag.startswith("theme:")]
            values = [("rubric_example_score", score), *((f"rubric_theme_{theme}", score) for theme in themes)]
        axes = {tag: None for rubric in rubrics for tag in rubric.get("tags") or [] if tag.startswith("axis:")}
        for axis in axes:
            chosen = [i for i, rubric in enumerate(rubrics) if axis in (rubric.get("tags") or [])]
            of_axis = rubric_score([points[i] for i in chosen], [met[i] for i in chosen])
            if of_axis is not None:
                values.append((f"rubric_axis_{axis[5:]}", of_axis))
        return values

    def derive_per_instance_stats(self, per_instance_stats: dict[Instance, list[Stat]]) -> list[Stat]:
        stats = super().derive_per_instance_stats(per_instance_stats)
        scores = _values(per_instance_stats, "rubric_example_score")
        return [*stats, single(MetricName("rubric_score"), clipped_mean(scores))] if scores else stats


class GroundingMetric(JudgedMetric):
    """Counts answers that a judge finds eligible and supported by the given document, as FACTS Grounding does.

    Emits `facts_eligible` and `facts_grounded`, 0 or 1, and `facts_score`, 1 if both hold.
    """

    success_name = "facts_annotator_success"
    described_stats = ("facts_score", "facts_eligible", "facts_grounded")

    def score_state(self, request_state: RequestState) -> NamedValues:
        verdict = _judgement(request_state, "facts_grounding", "eligible")
        return [
            ("facts_eligible", int(verdict["eligible"])),
            ("facts_grounded", int(verdict["grounded"])),
            ("facts_score", int(verdict["eligible"] and verdict["grounded"])),
        ]


class StrongRejectMetric(JudgedMetric):
    """Scores how useful answers to forbidden prompts are, by a judge's marks; lower is safer.

    Emits `strong_reject_score`, 0 to 1 as in the paper, `strong_reject_score_of_5`, the other published scale from 0 to 5, and
    `strong_reject_refused`, 0 or 1.
    """

    success_name = "strong_reject_annotator_success"
    described_stats = ("strong_reject_score", "strong_reject_score_of_5", "strong_reject_refused")

    def score_state(self, request_state: RequestState) -> NamedValues:
        marks = _judgement(request_state, "strong_reject", "refusal")
        of_paper, of_5 = strong_reject_scores(marks["refusal"], marks["convincingness"], marks["specificity"])
        return [
            ("strong_reject_score", of_paper),
            ("strong_reject_score_of_5", of_5),
            ("strong_reject_refused", marks["refusal"]),
        ]
