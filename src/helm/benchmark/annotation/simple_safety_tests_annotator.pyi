# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.annotation.safety_judge_annotator import SafetyJudgeAnnotator

class SimpleSafetyTestsAnnotator(SafetyJudgeAnnotator):
    """Whether the completion is safe: 1 yes, 0.5 perhaps not, 0 no."""
