"""The judge of Omni-MATH."""

import re
from typing import TYPE_CHECKING, Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.judge_annotator import JudgeAnnotator, get_gold_text
from helm.benchmark.annotation.judge_models import AnnotatorModels
from helm.benchmark.annotation.judge_prompts import fill_in, read_prompt
from helm.benchmark.annotation.model_as_judge import JudgeError, get_only_completion_text
from helm.common.errors import ConfigError, suggest
from helm.common.hierarchical_logger import hwarn
from helm.common.sending import all_asked

if TYPE_CHECKING:
    from helm.clients.auto_client import AutoClient

_TEMPLATES = ("gpt_evaluation_zero_shot_template", "gpt_evaluation_template")
_END_OF_REPORT = re.compile(r"\s*=== report over ===\s*\Z")


class OmniMATHAnnotator(JudgeAnnotator):
    """Judges whether the final answer is equivalent to the reference.

    The annotation contains `prompt_text` and for each judge NAME `NAME_student_final_answer`, `NAME_justification` and
    `NAME_equivalence_judgement` (true or false), None if the judge failed or its report lacks that section. An empty
    completion is wrong, and is not sent to the judges: `empty_output_equivalence_judgement`.

    Args:
        template_name: `gpt_evaluation_zero_shot_template` (the default) or `gpt_evaluation_template`, which has three
            examples. Both come from Omni-MATH's own evaluation.
    """

    name = "omni_math"

    max_tokens = 4096

    def __init__(
        self,
        auto_client: "AutoClient",
        template_name: str | None = None,
        annotator_models: AnnotatorModels | None = None,
    ):
        super().__init__(auto_client, annotator_models)
        template_name = template_name or _TEMPLATES[0]
        if template_name not in _TEMPLATES:
            raise ConfigError(
                f"omni_math has no template '{template_name}', only {' and '.join(_TEMPLATES)}."
                f"{suggest(template_name, _TEMPLATES)}"
            )
        self._template = read_prompt(f"omni_math_{template_name}")

    def annotate(self, request_state: RequestState) -> dict[str, Any]:
        """Judge a request. Raises: ValueError without exactly one completion or without a reference."""
        solution = get_only_completion_text(request_state)
        if not solution.strip():
            return {"prompt_text": None, "empty_output_equivalence_judgement": False}
        prompt = fill_in(
            self._template,
            {
                "{{Problem}}": request_state.instance.input.text,
                "{{Reference Answer}}": get_gold_text(request_state),
                "{{Solution}}": solution,
            },
        )
        annotation: dict[str, Any] = {"prompt_text": prompt}
        with all_asked() as each:
            for name, judge in self._judges.items():
                with each():
                    try:
                        sections = parse_report(self._ask(judge, prompt))
                    except JudgeError as e:
                        hwarn(f"omni_math: instance {request_state.instance.id} is not judged by {name}: {e}")
                        sections = {}
                    justification = sections.get("Justification")
                    if justification is not None:
                        justification = _END_OF_REPORT.sub("", justification).strip()
                    judgement = sections.get("Equivalence Judgement", "").strip().upper()
                    annotation[f"{name}_student_final_answer"] = sections.get("Student Final Answer")
                    annotation[f"{name}_justification"] = justification
                    annotation[f"{name}_equivalence_judgement"] = {"TRUE": True, "FALSE": False}.get(judgement)
        return annotation


def parse_report(text: str) -> dict[str, str]:
    """Parse a Markdown report into sections by title: all lines of `Justification`, only the first line of the others.

    If a title is repeated, the last occurrence counts. `### Title` is a section too.
    """
    sections: dict[str, str] = {}
    for part in text.split("## ")[1:]:
        title, *lines = part.strip().split("\n")
        title = title.strip()
        content = "\n".join(lines) if title == "Justification" else (lines[0] if lines else "")
        sections[title] = content.strip()
    return sections
