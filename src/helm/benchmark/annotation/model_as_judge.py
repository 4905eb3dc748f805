"""Language models as judges of completions."""

import json
import re
import string
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Dict, Mapping, Optional, Set

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.annotator import Annotator
from helm.common.errors import HelmError
from helm.common.hierarchical_logger import hwarn
from helm.common.request import Request, RequestResult

if TYPE_CHECKING:
    from helm.clients.auto_client import AutoClient

_REASONING = re.compile(r"<\s*reasoning\s*>(.*?)</?\s*reasoning\s*>", re.DOTALL | re.IGNORECASE)
_SCORE = re.compile(r"<\s*score\s*>(.*?)</?\s*score\s*>", re.DOTALL | re.IGNORECASE)
_OUTERMOST_OBJECT = re.compile(r"\{.*\}", re.DOTALL)
_PLACEHOLDER = re.compile(r"\{(QUESTION|RESPONSE|GOLD_RESPONSE)\}")

_GPT = "openai/gpt-4o-2024-05-13"
_LLAMA = "meta/llama-3.1-405b-instruct-turbo"
_LLAMA_DEPLOYMENT = "together/llama-3.1-405b-instruct-turbo"


class AnnotatorResponseParseFailure(Exception):
    """The judge answered, but not in the form that was asked for."""

    def __init__(self, response_text: str):
        super().__init__(f"Cannot read the judge's answer: {response_text!r}")
        self.response_text = response_text


class JudgeError(HelmError):
    """The judge gave no answer."""


@dataclass(frozen=True)
class AnnotatorModelInfo:
    """A judge."""

    model_name: str

    model_deployment: str


def _ask(auto_client: "AutoClient", judge: AnnotatorModelInfo, prompt: str, max_tokens: int) -> str:
    """The judge's answer at temperature 0. Raises JudgeError when there is none."""
    request = Request(
        model=judge.model_name,
        model_deployment=judge.model_deployment,
        prompt=prompt,
        temperature=0.0,
        max_tokens=max_tokens,
    )
    result = auto_client.make_request(request)
    if not result.success:
        raise JudgeError(f"Judge {judge.model_deployment} failed: {result.error}")
    if not result.completions:
        raise JudgeError(f"Judge {judge.model_deployment} gave no completion.")
    return result.completions[0].text


def parse_score_with_reasoning(text: str) -> Dict[str, Any]:
    """`{"reasoning", "score"}` from the first `<reasoning>` and `<score>` tags, in any order and case.

    Raises: AnnotatorResponseParseFailure when one is missing or the score is not a number.
    """
    reasoning, score = _REASONING.search(text), _SCORE.search(text)
    if reasoning is None or score is None:
        raise AnnotatorResponseParseFailure(response_text=text)
    try:
        value = float(score.group(1).strip())
    except ValueError as e:
        raise AnnotatorResponseParseFailure(response_text=text) from e
    return {"reasoning": reasoning.group(1).strip(), "score": value}


def score_with_reasoning(
    auto_client: "AutoClient", prompt: str, annotator_model: str, annotator_model_deployment: str
) -> Dict[str, Any]:
    """Ask one judge for `{"reasoning": text, "score": float}`.

    Raises: JudgeError, or AnnotatorResponseParseFailure when the answer has another form.
    """
    judge = AnnotatorModelInfo(annotator_model, annotator_model_deployment)
    return parse_score_with_reasoning(_ask(auto_client, judge, prompt, max_tokens=256))


def score_with_reasoning_with_gpt_and_llama(auto_client: "AutoClient", prompt: str) -> Dict[str, Any]:
    """Ask two judges: `prompt_text`, `gpt_score`, `gpt_reasoning`, `llama_score` and `llama_reasoning`."""
    gpt = score_with_reasoning(auto_client, prompt, _GPT, _GPT)
    llama = score_with_reasoning(auto_client, prompt, _LLAMA, _LLAMA_DEPLOYMENT)
    return {
        "prompt_text": prompt,
        "gpt_reasoning": gpt["reasoning"],
        "gpt_score": gpt["score"],
        "llama_reasoning": llama["reasoning"],
        "llama_score": llama["score"],
    }


class LLMAsJuryAnnotator(Annotator):
    """Asks several judges to rate a completion by criteria, each answering with a JSON object.

    Args:
        name: key of the annotation.
        prompt_template: with `{QUESTION}`, `{RESPONSE}` and `{GOLD_RESPONSE}`; a literal `$` is written `$$`.
        annotation_criteria: the keys that each answer must have, and the keys inside each of them.
        annotator_models: the judges by short name.
        preprocessor: applied to the completion first.

    The annotation holds `prompt_text` and the answer of each judge that gave a usable one.
    """

    def __init__(
        self,
        name: str,
        auto_client: "AutoClient",
        prompt_template: str,
        annotation_criteria: Dict[str, Set[str]],
        annotator_models: Dict[str, AnnotatorModelInfo],
        preprocessor: Optional[Callable[[str], str]] = None,
    ):
        self.name = name
        self._auto_client = auto_client
        self._template = string.Template(_PLACEHOLDER.sub(r"$\1", prompt_template))
        self._criteria = annotation_criteria
        self._judges = annotator_models
        self._preprocessor = preprocessor

    def annotate(self, request_state: RequestState) -> Dict[str, Any]:
        """Raises: ValueError without a result or with an unknown `$name` in the template."""
        result = request_state.result
        if not isinstance(result, RequestResult) or not result.completions:
            raise ValueError("Annotation requires a result with a completion")
        response = result.completions[0].text
        if self._preprocessor:
            response = self._preprocessor(response)
        if not response.strip():
            return {"prompt_text": None, "empty_output_equivalence_judgement": False}
        references = request_state.instance.references
        try:
            prompt = self._template.substitute(
                QUESTION=request_state.instance.input.text,
                RESPONSE=response,
                GOLD_RESPONSE=references[0].output.text if references else "",
            )
        except KeyError as e:
            raise ValueError(f"The prompt template of {self.name} has the unknown name ${e.args[0]}.") from e
        annotation: Dict[str, Any] = {"prompt_text": prompt}
        for judge_name, judge in self._judges.items():
            try:
                annotation[judge_name] = self._parse(_ask(self._auto_client, judge, prompt, max_tokens=4096))
            except (JudgeError, AnnotatorResponseParseFailure) as e:
                hwarn(f"{self.name}: judge {judge_name} is left out for instance {request_state.instance.id}: {e}")
        return annotation

    def _parse(self, text: str) -> Dict[str, Any]:
        match = _OUTERMOST_OBJECT.search(text)
        answer = _parse_json(match.group(0) if match else text)
        for criterion, keys in self._criteria.items():
            value = answer.get(criterion) if isinstance(answer, Mapping) else None
            if not isinstance(value, Mapping) or not all(key in value for key in keys):
                raise AnnotatorResponseParseFailure(response_text=text)
        return answer


def _parse_json(text: str) -> Any:
    """Parse JSON; one closing brace that a judge forgot is added."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as e:
        if e.msg != "Expecting ',' delimiter":
            raise AnnotatorResponseParseFailure(response_text=text) from e
    try:
        return json.loads(text + "}")
    except json.JSONDecodeError as e:
        raise AnnotatorResponseParseFailure(response_text=text) from e
