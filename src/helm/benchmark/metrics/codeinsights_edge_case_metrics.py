"""CodeInsights: measures whether the model knows which unit test the student fails."""

import re

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.metric import MetricMetadata
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.common.request import RequestResult

_NUMBER = re.compile(r"-?\d+")


class UnittestAlignmentMetric(StateMetric):
    """Emits `unittest_alignment`: 1 if the answer's first integer is the number of the first test the student failed.

    Tests are counted from 0, in `student_correctness_pattern` in the extra data. HELM: only the first failed test is
    accepted, and if the student failed none, every answer is wrong. Without a pattern nothing is emitted.
    """

    def score_state(self, request_state: RequestState) -> NamedValues:
        pattern = (request_state.instance.extra_data or {}).get("student_correctness_pattern")
        result = request_state.result
        assert isinstance(result, RequestResult)  # as declared by `request_type`
        if not isinstance(pattern, (list, tuple)) or not pattern:
            return []
        number = _NUMBER.search(result.completions[0].text) if result.completions else None
        failed = [i for i, passed in enumerate(pattern) if not passed]
        is_right = bool(failed) and number is not None and int(number[0]) == failed[0]
        return [("unittest_alignment", float(is_right))]

    def get_metadata(self) -> list[MetricMetadata]:
        description = "Share of the answers that name the first unit test that the student failed."
        return [MetricMetadata("unittest_alignment", "Unit test alignment", None, description, False, "accuracy")]


class CodeInsightsUnittestAlignmentMetric(UnittestAlignmentMetric):
    """`UnittestAlignmentMetric` under the name that run specs use; `use_codebert` has no effect."""

    def __init__(self, use_codebert: bool = True):
        self.use_codebert = use_codebert
