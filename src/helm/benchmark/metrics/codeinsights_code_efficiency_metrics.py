"""CodeInsights: compares the speed of the model's code with the student's."""

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.code_metrics import mark_unprotected
from helm.benchmark.metrics.codeinsights_correct_code_metrics import (
    CodeInsightsFunctionalCorrectnessMetric,
    TestOutcome,
    extract_student_code,
)
from helm.benchmark.metrics.metric import MetricMetadata
from helm.benchmark.metrics.trial_stats import NamedValues


class CodeInsightsCodeEfficiencyMetric(CodeInsightsFunctionalCorrectnessMetric):
    """Emits `functional_correctness`, then two figures about run time over all unit tests.

    `runtime_efficiency_ratio`: the time of the model's code divided by that of the student's (the first correct
    reference); 1 is equal, less is faster. `efficiency_alignment_score`: the smaller of the ratio and its inverse, from
    0 to 1. Both are 0 if the model's code passes no test, and omitted if the student's code did not run. (HELM's times
    include compilation, which dominates them; here only the programs' own time counts.)

    Args:
        num_runtime_runs: number of runs of each test, which are averaged.
        timeout_seconds: limit for each compilation and each run.
    """

    waits_on_io = False  # timed programs must not run concurrently

    def __init__(self, num_runtime_runs: int = 5, timeout_seconds: int = 10):
        super().__init__(timeout=timeout_seconds)
        self.num_runtime_runs = num_runtime_runs

    def score_state(self, request_state: RequestState) -> NamedValues:
        evaluator = self.create_evaluator(request_state)
        reference = request_state.instance.first_correct_reference
        if evaluator is None:
            return []
        model = evaluator.run_tests(self.get_student_code(request_state), self.num_runtime_runs)
        score = sum(outcome.passed for outcome in model) / len(model)
        values: NamedValues = [("functional_correctness", score)]
        if not score:
            values += [("runtime_efficiency_ratio", 0.0), ("efficiency_alignment_score", 0.0)]
        elif reference is not None:
            student_code = extract_student_code(reference.output.text)
            student_s = _total_s(evaluator.run_tests(student_code, self.num_runtime_runs))
            model_s = _total_s(model)
            if student_s and model_s:
                ratio = model_s / student_s
                values += [("runtime_efficiency_ratio", ratio), ("efficiency_alignment_score", min(ratio, 1 / ratio))]
        return values + mark_unprotected()

    def get_metadata(self) -> list[MetricMetadata]:
        return [
            *super().get_metadata(),
            MetricMetadata("runtime_efficiency_ratio", "Runtime ratio", None, "Run time over the student's.", True),
            MetricMetadata("efficiency_alignment_score", "Efficiency alignment", None, "1 when equally fast.", False),
        ]


def _total_s(outcomes: list[TestOutcome]) -> float:
    """Return the total time of all tests that ran; 0.0 if none did."""
    return sum(outcome.runtime_s or 0.0 for outcome in outcomes)
