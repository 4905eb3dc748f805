"""The judge of summaries of help-desk calls."""

from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.judge_annotator import JudgeAnnotator, make_prompt
from helm.benchmark.annotation.model_as_judge import (
    AnnotatorResponseParseFailure,
    JudgeError,
    parse_score_with_reasoning,
)
from helm.common.sending import all_asked


class HelpdeskCallSummarizationAnnotator(JudgeAnnotator):
    """Rates a summary of a call from 1 to 10.

    The annotation contains `prompt_text` and for each judge NAME `NAME_reasoning` and `NAME_score`, None for an
    unreadable reply. The wording of the prompt is this package's own, so scores are not comparable with HELM's.
    """

    name = "helpdesk_call_center_summarization"

    has_own_wording = True

    max_tokens = 512

    def annotate(self, request_state: RequestState) -> dict[str, Any]:
        """Judge a request. Raises: JudgeError; ValueError without a completion."""
        prompt = make_prompt("helpdesk_call_summarization", request_state)
        annotation: dict[str, Any] = {"prompt_text": prompt}
        with all_asked() as each:
            for name, judge in self._judges.items():
                with each():
                    annotation[f"{name}_reasoning"] = annotation[f"{name}_score"] = None
                    try:
                        reply = parse_score_with_reasoning(self._ask(judge, prompt))
                    except AnnotatorResponseParseFailure as e:
                        annotation[f"{name}_response_text"] = e.response_text
                    except JudgeError as e:
                        raise JudgeError(str(e), {**annotation, f"{name}_error": str(e)}) from e
                    else:
                        annotation[f"{name}_reasoning"], annotation[f"{name}_score"] = (
                            reply["reasoning"],
                            reply["score"],
                        )
        return annotation
