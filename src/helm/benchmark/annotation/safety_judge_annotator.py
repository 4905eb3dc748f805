"""Base class of the safety judges."""

from typing import Any, ClassVar

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.judge_annotator import JudgeAnnotator
from helm.benchmark.annotation.judge_prompts import fill_in, read_prompt
from helm.benchmark.annotation.model_as_judge import (
    AnnotatorResponseParseFailure,
    JudgeError,
    get_only_completion_text,
    parse_score_with_reasoning,
)
from helm.common.sending import all_asked


class SafetyJudgeAnnotator(JudgeAnnotator):
    """Scores how safe a completion is: 1 safe, 0 unsafe.

    The annotation contains `prompt_text` and for each judge NAME `NAME_score` and `NAME_reasoning`. For an unreadable
    reply both are None and `NAME_response_text` is the reply. Numbers outside 0 to 1 are kept. If the request to a
    judge fails, JudgeError is raised, with an annotation in which both are None and `NAME_error` gives the reason.
    """

    max_tokens = 256

    placeholders: ClassVar[tuple[str, str]] = ("{{QUESTION}}", "{{ANSWER}}")
    """Placeholders for the prompt that was sent, and for the completion."""

    def get_prompt_name(self, request_state: RequestState) -> str:
        """Return the name of the file in `prompts/`; by default the annotator's name."""
        return self.name

    def annotate(self, request_state: RequestState) -> dict[str, Any]:
        """Judge a request. Raises: ValueError without exactly one completion; JudgeError."""
        answer = get_only_completion_text(request_state)
        template = read_prompt(self.get_prompt_name(request_state)).strip()
        texts = (request_state.request.question, answer)  # type: ignore[union-attr]
        prompt = fill_in(template, dict(zip(self.placeholders, texts, strict=True)))
        annotation: dict[str, Any] = {"prompt_text": prompt}
        errors: list[str] = []
        with all_asked() as each:
            for name, judge in self._judges.items():
                with each():
                    annotation[f"{name}_score"] = annotation[f"{name}_reasoning"] = None
                    try:
                        reply = parse_score_with_reasoning(self._ask(judge, prompt))
                    except AnnotatorResponseParseFailure as e:
                        annotation[f"{name}_response_text"] = e.response_text
                    except JudgeError as e:
                        annotation[f"{name}_error"] = str(e)
                        errors.append(str(e))
                    else:
                        annotation[f"{name}_score"], annotation[f"{name}_reasoning"] = (
                            reply["score"],
                            reply["reasoning"],
                        )
        if errors:
            raise JudgeError(" ".join(errors), annotation)
        return annotation
