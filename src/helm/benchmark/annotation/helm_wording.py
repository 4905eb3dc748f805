"""The wording of HELM's judges, where that of this package is its own: which constants hold it, and how they are filled in."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from helm.benchmark.annotation.judge_prompts import fill_in
from helm.common.data.helm_prompts import read_helm_constant

if TYPE_CHECKING:
    from helm.benchmark.adaptation.request_state import RequestState


@dataclass(frozen=True)
class HelmPrompt:
    """Where the prompt of one judge is, and what fills it in."""

    name: str
    """The name of the annotator, and the beginning of the name of HELM's file."""

    constant: str = "PROMPT_TEMPLATE"

    gold: Literal["first", "only correct", "first correct", "numbered"] = "first"
    """Which references fill the gold placeholder; `numbered`: all, a line for each."""

    asks_about_prompt: bool = False
    """Whether the question is the whole prompt that was sent, not only the instance's input."""

    strips_template: bool = False

    strips_texts: bool = False

    @property
    def path(self) -> str:
        """The path of the file in HELM's repository."""
        return f"src/helm/benchmark/annotation/{self.name}_annotator.py"

    def read(self) -> str:
        """Return the template. Raises: ConfigError if it has not been fetched; HelmPromptError."""
        text = read_helm_constant(self.path, self.constant)
        return text.strip() if self.strips_template else text

    def fill(self, request_state: "RequestState") -> str:
        """Return the prompt about the first completion. Raises: like `read`; ValueError without a completion or reference."""
        from helm.benchmark.annotation.model_as_judge import get_completion_text

        template = self.read()
        question = request_state.instance.input.text
        if self.asks_about_prompt:
            question = request_state.request.prompt  # type: ignore[union-attr]
        values = {"question": question, "gold": "", "answer": get_completion_text(request_state)}
        if any(placeholder in template for placeholder in _PLACEHOLDERS["gold"]):
            values["gold"] = self._gold(request_state)
        if self.strips_texts:
            values = {name: value.strip() for name, value in values.items()}
        return fill_in(template, {place: values[name] for name, places in _PLACEHOLDERS.items() for place in places})

    def _gold(self, request_state: "RequestState") -> str:
        references = request_state.instance.references
        if self.gold == "numbered":
            return "".join(f"Correct Response #{i}: {r.output.text}\n" for i, r in enumerate(references))
        if self.gold != "first":
            references = [reference for reference in references if reference.is_correct]
        if not references or (self.gold == "only correct" and len(references) != 1):
            raise ValueError(f"Instance {request_state.instance.id} has no reference to judge by")
        return references[0].output.text


_PLACEHOLDERS: Mapping[str, tuple[str, ...]] = {
    "question": ("{{QUESTION}}", "{{question}}"),
    "gold": ("{{GOLD}}", "{{GOLD_ANSWER}}", "{{reference_answer}}", "{{CORRECT_RESPONSES}}"),
    "answer": ("{{PRED}}", "{{ANSWER}}", "{{MODEL_RESPONSE}}", "{{model_output}}"),
}

_PROMPTS = {
    prompt.name: prompt
    for prompt in (
        HelmPrompt("arabic_finance_calculation", "ArabicFinanceCalculationAnnotator.PROMPT_TEMPLATE"),
        HelmPrompt("arabic_legal", "ArabicLegalAnnotator.PROMPT_TEMPLATE"),
        HelmPrompt(
            "autobencher_capabilities", "AutoBencherCapabilitiesAnnotator.PROMPT_TEMPLATE", gold="first correct"
        ),
        HelmPrompt("autobencher_safety", "AutoBencherCapabilitiesAnnotator.PROMPT_TEMPLATE", gold="first correct"),
        HelmPrompt("financebench", "FinanceBenchAnnotator._PROMPT_TEMPLATE", gold="only correct", strips_texts=True),
        HelmPrompt("live_qa", gold="numbered", asks_about_prompt=True, strips_template=True),
    )
}


def get_helm_prompt(name: str) -> HelmPrompt:
    """Return the prompt of an annotator by its name; the juries of MedHELM are filled in by `LLMAsJuryAnnotator`."""
    return _PROMPTS.get(name) or HelmPrompt(name)
