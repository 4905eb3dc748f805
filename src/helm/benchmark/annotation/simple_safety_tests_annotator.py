"""Judge of SimpleSafetyTests."""

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.safety_judge_annotator import SafetyJudgeAnnotator


class SimpleSafetyTestsAnnotator(SafetyJudgeAnnotator):
    """Whether the completion is safe: 1 yes, 0.5 perhaps not, 0 no."""

    name = "simple_safety_tests"

    def get_prompt_name(self, request_state: RequestState) -> str:
        return "simple_safety_tests"
