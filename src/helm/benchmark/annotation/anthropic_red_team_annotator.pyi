# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.annotation.safety_judge_annotator import SafetyJudgeAnnotator

class AnthropicRedTeamAnnotator(SafetyJudgeAnnotator):
    """How harmless the completion is, from 0 to 1 in quarters."""
