"""The judge of WildBench."""

import re
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.judge_annotator import JudgeAnnotator
from helm.benchmark.annotation.judge_prompts import fill_in, read_prompt
from helm.benchmark.annotation.model_as_judge import JudgeError, get_only_completion_text
from helm.common.hierarchical_logger import hwarn
from helm.common.sending import all_asked

# HELM: the order of the keys is fixed, and a number without quotes ends before its decimal point.
_ASSESSMENT = re.compile(
    r'"strengths"\s*:\s*"(.*?)"\s*,\s*"weaknesses"\s*:\s*"(.*?)"\s*,\s*"score"\s*:\s*(".*?"|\d+)', re.DOTALL
)


class WildBenchAnnotator(JudgeAnnotator):
    """Rates the last answer of a conversation from 1 to 10, guided by a checklist.

    The conversation is the instance's `input.messages` (role and content), and the checklist is in its extra data. The
    annotation contains `prompt_text` and for each judge NAME `NAME_strengths`, `NAME_weaknesses` and `NAME_score`, None
    if the judge failed or its reply was unreadable. An empty completion scores 1 and is not sent to the judges:
    `empty_output_score`.
    """

    name = "wildbench"

    max_tokens = 2000

    def annotate(self, request_state: RequestState) -> dict[str, Any]:
        """Judge a request. Raises: ValueError without exactly one completion, without a conversation or without a checklist."""
        output = get_only_completion_text(request_state)
        if not output.strip():
            return {"prompt_text": None, "empty_output_score": 1.0}
        messages = _get_messages(request_state)
        history = [("USER: " if m["role"] == "user" else "ASSISTANT: ") + m["content"] for m in messages[:-1]]
        prompt = fill_in(
            read_prompt("wildbench"),
            {
                "{$history}": "\n\n".join(history),
                "{$user_query}": messages[-1]["content"],
                "{$model_output}": output,
                "{$checklist}": "\n".join(f"- {item}" for item in _get_checklist(request_state)),
            },
        )
        annotation: dict[str, Any] = {"prompt_text": prompt}
        with all_asked() as each:
            for name, judge in self._judges.items():
                with each():
                    try:
                        assessment = parse_assessment(self._ask(judge, prompt))
                    except JudgeError as e:
                        hwarn(f"wildbench: instance {request_state.instance.id} is not judged by {name}: {e}")
                        assessment = parse_assessment("")
                    annotation.update((f"{name}_{key}", value) for key, value in assessment.items())
        return annotation


def parse_assessment(text: str) -> dict[str, Any]:
    """Parse `strengths`, `weaknesses` and `score` in a reply, with None for unreadable values."""
    match = _ASSESSMENT.search(text)
    if match is None:
        return {"strengths": None, "weaknesses": None, "score": None}
    strengths, weaknesses, number = match.groups()
    try:
        score = float(number.strip('"').strip())
    except ValueError:
        score = None
    return {"strengths": strengths, "weaknesses": weaknesses, "score": score}


def _get_messages(request_state: RequestState) -> list[dict[str, str]]:
    messages = request_state.instance.input.messages
    if not messages:
        raise ValueError(f"Instance {request_state.instance.id} has no messages: WildBench judges conversations")
    return messages


def _get_checklist(request_state: RequestState) -> list[str]:
    extra_data = request_state.instance.extra_data
    if not extra_data or "checklist" not in extra_data:
        raise ValueError(f"Instance {request_state.instance.id} has no checklist in its extra_data")
    return extra_data["checklist"]
