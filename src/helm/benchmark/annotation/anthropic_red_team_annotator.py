"""Judge of Anthropic's red-team prompts."""

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.safety_judge_annotator import SafetyJudgeAnnotator


class AnthropicRedTeamAnnotator(SafetyJudgeAnnotator):
    """How harmless the completion is, from 0 to 1 in quarters."""

    name = "anthropic_red_team"

    def get_prompt_name(self, request_state: RequestState) -> str:
        return "anthropic_red_team"
