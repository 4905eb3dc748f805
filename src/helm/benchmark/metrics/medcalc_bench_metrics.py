"""Medical calculations (MedCalc-Bench)."""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

from helm.benchmark.metrics.answer_metric import AnswerMetric, first_correct_text
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.benchmark.scenarios.scenario import Instance

EXACT_CATEGORIES = ("risk", "severity", "diagnosis")
DATE_CATEGORY = "date"
_WEEKS_AND_DAYS = re.compile(r"\('(\d+) weeks', '(\d+) days'\)")

Quantity = float | datetime
Parser = Callable[[Any], Quantity | None]


def parse_number(value: Any) -> float | None:
    """Return a number, also from its text; None for anything else."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def parse_date(value: Any) -> datetime | None:
    """Parse a date such as `02/25/2024`, month first; None for anything else."""
    try:
        return datetime.strptime(str(value).strip(), "%m/%d/%Y")
    except ValueError:
        return None


def parse_weeks_and_days(value: Any) -> float | None:
    """Return the days of a duration such as `('3 weeks', '2 days')`, ignoring text after it; None for anything else."""
    match = _WEEKS_AND_DAYS.match(str(value).strip())
    return float(int(match.group(1)) * 7 + int(match.group(2))) if match else None


def _choose_parser(category: str, target: str) -> Parser:
    if category != DATE_CATEGORY:
        return parse_number
    return parse_date if parse_weeks_and_days(target) is None else parse_weeks_and_days


class MedCalcBenchMetric(AnswerMetric):
    """Measures whether the computed value is correct.

    Emits `medcalc_bench_accuracy` (0 or 1, higher is better). Rule-based scores (categories risk, severity and
    diagnosis) must equal the reference; quantities must be within `lower_limit` and `upper_limit`, inclusive: as
    numbers, or for the category date as dates (`%m/%d/%Y`) or as weeks and days, like the reference. An answer that
    cannot be parsed is wrong; limits that cannot be parsed yield no score. Raises: ValueError if the instance's
    `extra_data` lack the category or the limits. (crfm-helm 0.5.16 also scores every answer of the category "lab test"
    as wrong.)
    """

    described_stats = ["medcalc_bench_accuracy"]

    def parse_duration(self, duration_str: str) -> int:
        """Return the days of a duration such as `('3 weeks', '2 days')`. Raises: ValueError for anything else."""
        days = parse_weeks_and_days(duration_str)
        if days is None:
            raise ValueError(f"{duration_str!r} is not a duration such as ('3 weeks', '2 days').")
        return int(days)

    def is_within_range(self, lower_bound: str, upper_bound: str, prediction: str) -> int:
        """Return 1 if a duration is within two others, inclusive, else 0. Raises: as `parse_duration`."""
        days = self.parse_duration(prediction)
        return int(self.parse_duration(lower_bound) <= days <= self.parse_duration(upper_bound))

    def score_answer(self, answer: str, instance: Instance) -> NamedValues:
        target = first_correct_text(instance)
        if target is None:
            return []
        data = instance.extra_data or {}
        if "category" not in data:
            raise ValueError(f"instance {instance.id}: extra_data lacks category.")
        if data["category"] in EXACT_CATEGORIES:
            return [("medcalc_bench_accuracy", int(answer.strip() == target.strip()))]
        missing = [name for name in ("lower_limit", "upper_limit") if name not in data]
        if missing:
            raise ValueError(f"instance {instance.id}: extra_data lacks {' and '.join(missing)}.")
        score = _score_in_range(answer, target, data, data["category"])
        return [] if score is None else [("medcalc_bench_accuracy", score)]

    def check_in_range(self, prediction: str, reference: str, extra_data: dict[str, Any], category: str) -> int:
        """Return 1 if a quantity is within `lower_limit` and `upper_limit` of the extra data, else 0."""
        return _score_in_range(prediction, reference, extra_data, category) or 0

    def check_date(self, prediction: str, reference: str, extra_data: dict[str, Any]) -> int:
        """Return `check_in_range` of a date or duration."""
        return self.check_in_range(prediction, reference, extra_data, DATE_CATEGORY)


def _score_in_range(answer: str, target: str, data: dict[str, Any], category: str) -> int | None:
    """Return whether an answer is within its limits; None if these cannot be parsed."""
    parse = _choose_parser(category, target)
    lower, upper, got = parse(data["lower_limit"]), parse(data["upper_limit"]), parse(answer)
    if lower is None or upper is None:
        return None
    return int(got is not None and lower <= got <= upper)  # type: ignore[operator]  # all three are from the same parser
